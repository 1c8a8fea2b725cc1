import FoundationEssentials

/// A token of a session to archive, with its unsealed value.
struct ArchivedTokenDraft: Sendable {
    var session: String
    var kind: ArchivedToken.Kind
    var generation: Int
    var origin: ArchivedToken.Origin
    var summary: Session.TokenSummary
    var value: String
    var exchange: String?
}

/// A token to archive, sealed for the database.
struct SealedTokenDraft: Sendable {
    var draft: ArchivedTokenDraft
    var sealed: String
}
