import Dispatch
import Glibc
import Synchronization

/// A bounded queue of log lines to standard error.
final class LineSink: Sendable {
    private let queue = DispatchQueue(label: "foyer.log")
    private let waitingCount = Mutex(0)

    /// Further lines are dropped while this many wait.
    private static let maxWaiting = 1_000

    /// Queues `line`, or drops it if the queue is full.
    func write(_ line: String) {
        let admitted = waitingCount.withLock { count in
            guard count < Self.maxWaiting else { return false }
            count += 1
            return true
        }
        guard admitted else { return }
        queue.async { [self] in
            _ = FileWriting.writeAll((line + "\n").utf8, to: STDERR_FILENO)
            waitingCount.withLock { $0 -= 1 }
        }
    }
}
