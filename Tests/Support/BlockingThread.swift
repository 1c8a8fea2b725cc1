import Glibc

/// Runs work that blocks or never suspends on a dedicated thread.
///
/// `DispatchQueue.global()` is not suitable: it has only as many threads as there are processors,
/// and all tasks share them.
package final class BlockingThread {
    private let work: @Sendable () -> Void

    package init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    /// False if the system cannot create another thread.
    package func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<BlockingThread>.fromOpaque(context).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs `work` on a dedicated thread, or on the current one if none can be created, and returns
    /// its result.
    package static func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let thread = BlockingThread { continuation.resume(returning: work()) }
            if !thread.start() { continuation.resume(returning: work()) }
        }
    }
}
