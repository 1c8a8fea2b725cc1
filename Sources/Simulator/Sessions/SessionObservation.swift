package import FoundationEssentials
import Synchronization
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
final class ObservedSessionStatus: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// By session.
        var latest = LRUCache<String, SessionObservation>(capacity: 4_000)
        /// By session and the token's masked value.
        var probes = LRUCache<[String], SessionObservation>(capacity: 4_000)
    }

    /// Records an observation and returns whether it differs from the last one. Only a response to
    /// the current or last token (`isCurrent`) counts for the session.
    func record(_ observation: SessionObservation, of session: String, isCurrent: Bool) -> Bool {
        state.withLock { state in
            if observation.isProbe {
                state.probes.set([session, observation.maskedToken], observation)
            }
            guard isCurrent else { return false }
            let last = state.latest.value(for: session)
            state.latest.set(session, observation)
            return last?.isAccepted != observation.isAccepted
                || last?.maskedToken != observation.maskedToken
                || last?.capturedValues != observation.capturedValues
        }
    }

    func latest(_ session: String) -> SessionObservation? {
        state.withLock { $0.latest.value(for: session) }
    }

    /// The result of the last check of one of its tokens.
    func latestProbe(_ session: String, of masked: String) -> SessionObservation? {
        state.withLock { $0.probes.value(for: [session, masked]) }
    }
}
