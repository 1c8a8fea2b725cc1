import Dispatch
import Synchronization

/// Opens once; a database's queue waits for it, or a task does.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Blocks: only for bodies that run on a database's own queue.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits on a thread of its own, not on the task's.
    func opened() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "gate").async {
                self.wait()
                continuation.resume()
            }
        }
    }
}
