import Synchronization

/// Records the result of each attempt at one action, so that searches for its other failure states
/// skip known ones.
final class AttemptMemo: Sendable {
    private let messages = Mutex<[Attempt: String]>([:])

    /// The failure message the attempt led to, empty for none; nil if it was not tried.
    func message(for attempt: Attempt) -> String? { messages.withLock { $0[attempt] } }

    func record(_ attempt: Attempt, message: String) {
        messages.withLock { $0[attempt] = message }
    }
}
