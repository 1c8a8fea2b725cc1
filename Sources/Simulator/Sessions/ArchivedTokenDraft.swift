import FoundationEssentials

/// A token to be kept of a session, with its whole value, not sealed yet.
struct ArchivedTokenDraft: Sendable {
    var session: String
    var kind: ArchivedToken.Kind
    var generation: Int
    var origin: ArchivedToken.Origin
    var summary: Session.TokenSummary
    var value: String
    var exchange: String?
}

/// The same as a row takes it.
struct SealedTokenDraft: Sendable {
    var draft: ArchivedTokenDraft
    var sealed: String
}
