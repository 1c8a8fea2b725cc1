import Synchronization

/// What came of pressing one action in the ways that were tried, so that a
/// state nobody reaches is not searched for in them again.
final class Experience: Sendable {
    private let told = Mutex<[Attempt: String]>([:])

    /// The message it came to, empty for none; nil if it was not tried.
    func heard(_ attempt: Attempt) -> String? { told.withLock { $0[attempt] } }

    func note(_ attempt: Attempt, _ message: String) { told.withLock { $0[attempt] = message } }
}
