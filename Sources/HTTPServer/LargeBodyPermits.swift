import CMicrohttpd
import Synchronization

/// Counts the requests whose bodies may be larger than others', for each is
/// held whole.
final class LargeBodyPermits: Sendable {
    private let limit: Int
    private let inUseCount = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Nil when all are taken.
    func acquire() -> LargeBodyPermit? {
        let isFree = inUseCount.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        return isFree ? LargeBodyPermit(pool: self) : nil
    }

    fileprivate func release() { inUseCount.withLock { $0 -= 1 } }
}

/// One of them, given back when nobody holds the request any more. The memory
/// goes back to the system with it, which glibc keeps otherwise: small values
/// are read from a body of 32 MB by the million (malloc_trim(3)).
final class LargeBodyPermit: Sendable {
    private let pool: LargeBodyPermits

    fileprivate init(pool places: LargeBodyPermits) { self.pool = places }

    deinit {
        pool.release()
        malloc_trim(0)
    }
}
