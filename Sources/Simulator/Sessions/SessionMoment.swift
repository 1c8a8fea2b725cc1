package import FoundationEssentials

/// A moment of a session's life.
package struct SessionMoment: Sendable, Equatable {
    package var at: Date
    /// `signedIn`, `refreshed`, `expiredByHand`, `edited`, `signedOut`,
    /// `revoked`.
    package var kind: String
    /// A sentence without secrets.
    package var title: String
    /// The access token's generation after it, from 1.
    package var generation: Int
    package var exchange: String?
}
