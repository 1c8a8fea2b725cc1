import Synchronization

/// The last thing each session's backend was heard to say of it, in memory:
/// after a restart nobody has asked yet.
final class Answers: Sendable {
    private let kept = Mutex(State())

    private struct State {
        /// By session.
        var last = Recent<String, Answered>(bound: 4_000)
        /// By session and the token's masked value.
        var probed = Recent<[String], Answered>(bound: 4_000)
    }

    /// Only of the token it holds, or held last, does an answer speak for the
    /// session.
    func note(_ answered: Answered, of session: String, isCurrent: Bool) {
        kept.withLock { state in
            if isCurrent { state.last.set(session, answered) }
            guard answered.isProbe else { return }
            state.probed.set([session, answered.masked], answered)
        }
    }

    func last(_ session: String) -> Answered? {
        kept.withLock { $0.last.use(session) }
    }

    /// What came of probing one of its tokens.
    func probe(_ session: String, of masked: String) -> Answered? {
        kept.withLock { $0.probed.use([session, masked]) }
    }
}
