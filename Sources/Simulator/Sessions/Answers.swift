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
    /// session. Answers whether it says something else than the last one.
    func note(_ answered: Answered, of session: String, isCurrent: Bool) -> Bool {
        kept.withLock { state in
            if answered.isProbe { state.probed.set([session, answered.masked], answered) }
            guard isCurrent else { return false }
            let last = state.last.use(session)
            state.last.set(session, answered)
            return last?.isAccepted != answered.isAccepted || last?.masked != answered.masked
                || last?.facts != answered.facts
        }
    }

    func last(_ session: String) -> Answered? { kept.withLock { $0.last.use(session) } }

    /// What came of probing one of its tokens.
    func probe(_ session: String, of masked: String) -> Answered? {
        kept.withLock { $0.probed.use([session, masked]) }
    }
}
