import Dispatch
import Synchronization

/// A bounded queue of lines on their way to standard error.
final class LineSink: Sendable {
    private let queue = DispatchQueue(label: "foyer.log")
    private let waitingCount = Mutex(0)

    /// More than this many undrained lines are dropped.
    private static let maxWaiting = 1_000

    /// Queues `line`; drops it when the bound is reached.
    func write(_ line: String) {
        let admitted = waitingCount.withLock { count in
            guard count < Self.maxWaiting else { return false }
            count += 1
            return true
        }
        guard admitted else { return }
        queue.async { [self] in
            StandardError.write(line + "\n")
            waitingCount.withLock { $0 -= 1 }
        }
    }
}
