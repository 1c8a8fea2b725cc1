package import FoundationEssentials

/// A moment of a session's life.
package struct SessionHistoryEntry: Sendable, Equatable {
    package var at: Date
    /// `signedIn`, `refreshed`, `expiredByHand`, `edited`, `restored`,
    /// `signedOut`, `revoked`; of a trial its kind and outcome: `race.kept`,
    /// `replay.refused`, `lostAnswer.taken` …
    package var kind: String
    /// A sentence without secrets.
    package var title: String
    /// The access token's generation after it, from 1; of a trial that of
    /// the refresh token it carried.
    package var generation: Int
    package var exchange: String?
    /// Of a replay the number of the kept token it showed; nil for the
    /// device's own.
    package var tokenNumber: Int?
}
