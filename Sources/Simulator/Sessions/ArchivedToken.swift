/// A token of a session that the device does not hold or no longer holds.
///
/// Its value is stored sealed, so that it can be sent to its backend again; this describes it
/// without the value.
package struct ArchivedToken: Sendable, Equatable {
    /// Its number among the session's archived tokens, from 1.
    package var number: Int
    package var kind: Kind
    /// Its generation: 1 for the sign-in, one more per refresh.
    package var generation: Int
    package var origin: Origin
    package var summary: Session.TokenSummary
    /// The exchange that issued it, if known.
    package var exchange: String?

    package enum Kind: String, Sendable, CaseIterable { case access, refresh }

    /// Why the device does not hold the token.
    package enum Origin: String, Sendable, CaseIterable {
        /// The device held it until it was replaced or the session ended.
        case device
        /// The response that contained it never reached the device.
        case responseLost
        /// Another client received it in a concurrent refresh.
        case otherClient
        /// It was issued for the reuse of an old refresh token.
        case reuse
    }
}

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
