/// A token of a session that the device does not hold, or not any more.
///
/// Its whole value is kept sealed, so that it can be shown to its backend
/// again; this says what it is without it.
package struct ArchivedToken: Sendable, Equatable {
    /// Its place among the session's kept tokens, from 1.
    package var number: Int
    package var kind: Kind
    /// The generation it is of, from 1: the sign-in's, then one a refresh.
    package var generation: Int
    package var origin: Origin
    package var summary: Session.TokenSummary
    /// The exchange that brought it, where that is known.
    package var exchange: String?

    package enum Kind: String, Sendable, CaseIterable { case access, refresh }

    /// How it came about that the device does not hold it.
    package enum Origin: String, Sendable, CaseIterable {
        /// It did, until another took its place or the session ended.
        case device = "own"
        /// The answer that brought it never reached the device.
        case responseLost = "unheard"
        /// It went to another tab, which lost the race.
        case otherClient = "rival"
        /// It went to whoever used an old refresh token again.
        case reuse = "replayed"
    }
}
