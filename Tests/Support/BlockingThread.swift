import Glibc

/// A thread of its own for what blocks or never rests.
///
/// `DispatchQueue.global()` is no such place: its threads, as few as there are
/// processors, are those that all tasks share.
package final class BlockingThread {
    private let work: @Sendable () -> Void

    package init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    /// False if the system has no thread left.
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

    /// What `work` returns, done on such a thread, or here if there is none.
    package static func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let thread = BlockingThread { continuation.resume(returning: work()) }
            if !thread.start() { continuation.resume(returning: work()) }
        }
    }
}
