/// A way from one screen to another, as the manifest describes it.
package struct Edge: Sendable, Hashable {
    package var from: String
    package var to: String
    /// What leads there, as a person would say it: `Login`, `unverified`.
    package var label: String
    package var kind: Kind

    package init(from: String, to: String, label: String, kind: Kind) {
        self.from = from
        self.to = to
        self.label = label
        self.kind = kind
    }

    package enum Kind: String, Sendable, CaseIterable {
        case launch, submit, action, link, tab, failure
        case sessionExpired = "sessionLost"
    }
}
