import Synchronization

/// What came of pressing one action in the ways that were tried, so that a
/// state nobody reaches is not searched for in them again.
final class AttemptMemo: Sendable {
    private let messages = Mutex<[Attempt: String]>([:])

    /// The message it came to, empty for none; nil if it was not tried.
    func message(for attempt: Attempt) -> String? { messages.withLock { $0[attempt] } }

    func record(_ attempt: Attempt, message: String) {
        messages.withLock { $0[attempt] = message }
    }
}
