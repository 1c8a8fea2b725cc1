/// A transition from one screen to another, as the manifest declares it.
package struct Edge: Sendable, Hashable {
    package var from: String
    package var to: String
    /// What triggers it, in the user's words: `Login`, `unverified`.
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
