import Synchronization

/// The last thing each session's backend was heard to say of it, in memory:
/// after a restart nobody has asked yet.
final class ObservedSessionStatus: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// By session.
        var latest = LRUCache<String, SessionObservation>(capacity: 4_000)
        /// By session and the token's masked value.
        var probes = LRUCache<[String], SessionObservation>(capacity: 4_000)
    }

    /// Only of the token it holds, or held last, does an answer speak for the
    /// session. Answers whether it says something else than the last one.
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

    /// What came of probing one of its tokens.
    func latestProbe(_ session: String, of masked: String) -> SessionObservation? {
        state.withLock { $0.probes.value(for: [session, masked]) }
    }
}
