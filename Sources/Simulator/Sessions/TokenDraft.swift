import FoundationEssentials

/// A token to be kept of a session, with its whole value, not sealed yet.
struct TokenDraft: Sendable {
    var session: String
    var kind: KeptToken.Kind
    var generation: Int
    var branch: KeptToken.Branch
    var held: Session.Held
    var value: String
    var exchange: String?
}

/// The same as a row takes it.
struct SealedToken: Sendable {
    var draft: TokenDraft
    var sealed: String
}
