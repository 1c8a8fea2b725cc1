import Dispatch

/// Opens once; work on a thread of its own waits for it, or a task does.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    /// Blocks: only for what does not run on a task's thread.
    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits on a thread of its own, not on the task's.
    package func opened() async { await BlockingThread.run { self.wait() } }
}
