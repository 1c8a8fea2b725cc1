/// An event to publish; the hub adds its id and time.
package struct EventDraft: Sendable {
    package var workspace: String
    package var kind: Event.Kind
    package var app: String?
    package var device: String?
    package var cause: Int64?
    package var subject: String?
    package var title: String
    package var details: [String: String]

    package init(
        workspace: String, kind: Event.Kind, app: String? = nil, device: String? = nil,
        cause: Int64? = nil, subject: String? = nil, title: String, details: [String: String] = [:]
    ) {
        self.workspace = workspace
        self.kind = kind
        self.app = app
        self.device = device
        self.cause = cause
        self.subject = subject
        self.title = title
        self.details = details
    }
}
