import Web

/// A question before an action, with what the action needs (`parts/confirm`).
struct ConfirmModel: Encodable, Sendable {
    /// The URL the form is posted to.
    var action: String
    /// The action as a question with its count: `Delete 128 requests?`
    var question: String
    /// What remains true afterwards.
    var consequence: String
    /// `Delete 128 requests`.
    var confirmLabel: String
    /// The cancel button's URL.
    var backURL: String
    /// Whether the confirm button is red and the cancel button has the focus.
    var isDestructive = true
    /// The suggested value of a password to set; nil for an action that sets none.
    var password: String?
    /// The durations to choose from; nil for an action that has none.
    var durations: Durations?
    /// Why the input was rejected; nil before it is submitted.
    var error: String?

    struct Durations: Encodable, Sendable { var choices: [ChoiceModel] }
}

extension Services {
    /// Asks for confirmation: the dialog's content if a script requested `part=dialog`, else a
    /// page.
    func confirm(
        _ context: RequestContext, _ title: String, navItem: String,
        needsStudioScript: Bool = false, status: Int = 200, setting cookie: String? = nil,
        _ model: ConfirmModel
    ) async throws -> Response {
        let path = String(model.backURL.prefix { $0 != "?" })
        return try await respond(
            to: context,
            Page(title, navItem: navItem, url: path, needsStudioScript: needsStudioScript, model),
            "parts/confirmpage", parts: ["dialog": "parts/confirm"], status: status,
            setting: cookie)
    }
}
