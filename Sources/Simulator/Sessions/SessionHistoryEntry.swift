package import FoundationEssentials

/// An entry of a session's history.
package struct SessionHistoryEntry: Sendable, Equatable {
    package var at: Date
    /// `signedIn`, `refreshed`, `expiredByHand`, `edited`, `restored`, `signedOut`, `revoked`; for
    /// a refresh test its kind and outcome: `race.kept`, `replay.refused`, `lostAnswer.taken` …
    package var kind: String
    /// A sentence without secrets.
    package var title: String
    /// The access token's generation after it, from 1; for a refresh test that of the refresh token
    /// it sent.
    package var generation: Int
    package var exchange: String?
    /// For a reuse test the number of the archived token it sent; nil for the device's current one.
    package var tokenNumber: Int?
}
