import Dispatch

/// A gate that a test opens once; threads and tasks wait for it.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    /// Blocks the thread: not for code that runs on the cooperative pool.
    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits without blocking the cooperative pool.
    package func opened() async { await BlockingThread.run { self.wait() } }
}
