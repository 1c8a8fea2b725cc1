package import FoundationEssentials
package import Web

/// What a backend's response to a call with an access token reveals about its session.
package struct SessionObservation: Sendable, Equatable {
    /// By the workspace's clock.
    package var at: Date
    /// By the system clock: its age must not change with the workspace's clock.
    package var observedAt: Date
    package var exchange: String
    /// The call's name in the manifest.
    package var call: String
    /// Nil without a response.
    package var status: Int?
    /// Whether the token was accepted; nil if the response does not show it.
    package var isAccepted: Bool?
    /// Values captured from the response, without tokens.
    package var capturedValues: [String: JSON] = [:]
    /// Duration in milliseconds.
    package var totalMilliseconds: Double
    /// The masked value of the call's token.
    package var maskedToken: String
    /// Whether it is a deliberate token check, not an app's call.
    package var isProbe: Bool
    /// Whether the session had ended, on its device or at its server, when the call was made; nil
    /// if unknown.
    package var hadEnded: Bool?
}

/// Each session's last status according to its backend's responses. In memory only: empty after a
/// restart.
struct ObservedSessionStatus {
    /// By session.
    var latest = LRUCache<String, SessionObservation>(capacity: 4_000)
    /// The last check of each token, by session and the token's masked value.
    var probes = LRUCache<[String], SessionObservation>(capacity: 4_000)

    /// Records an observation and returns whether it differs from the last one. Only a response to
    /// the current or last token (`isCurrent`) counts for the session.
    mutating func record(_ observation: SessionObservation, of session: String, isCurrent: Bool)
        -> Bool
    {
        if observation.isProbe { probes.set([session, observation.maskedToken], observation) }
        guard isCurrent else { return false }
        let last = latest.value(for: session)
        latest.set(session, observation)
        return last?.isAccepted != observation.isAccepted
            || last?.maskedToken != observation.maskedToken
            || last?.capturedValues != observation.capturedValues
    }
}
