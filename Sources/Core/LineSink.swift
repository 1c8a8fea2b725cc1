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
            StandardError.write(line + "\n")
            waitingCount.withLock { $0 -= 1 }
        }
    }
}

/// Writes complete texts to standard error.
enum StandardError {
    /// Writes `text`, retrying short writes; blocks, so call it only from a queue.
    static func write(_ text: String) {
        var remaining = Array(text.utf8)[...]
        while !remaining.isEmpty {
            let written = unsafe remaining.withUnsafeBytes { bytes in
                unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            remaining = remaining.dropFirst(written)
        }
    }
}
