import CMicrohttpd
import Synchronization

/// Limits the number of requests with large bodies, each of which is held in memory completely.
final class LargeBodyPermits: Sendable {
    private let limit: Int
    private let inUseCount = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Nil when all are in use.
    func acquire() -> LargeBodyPermit? {
        let isFree = inUseCount.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? LargeBodyPermit(pool: self) : nil
    }

    fileprivate func release() { inUseCount.withLock { $0 -= 1 } }
}

/// One permit, released when the request is no longer referenced. It then returns memory to the
/// system, which glibc would otherwise retain: a body of 32 MB is parsed into millions of small
/// values (malloc_trim(3)).
final class LargeBodyPermit: Sendable {
    private let pool: LargeBodyPermits

    fileprivate init(pool permits: LargeBodyPermits) { self.pool = permits }

    deinit {
        pool.release()
        malloc_trim(0)
    }
}
