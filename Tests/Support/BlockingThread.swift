import Glibc

/// A thread of its own for what blocks, away from the cooperative pool.
final class BlockingThread {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    /// False if the system has no thread left.
    func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<BlockingThread>.fromOpaque(context)
                    .takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
