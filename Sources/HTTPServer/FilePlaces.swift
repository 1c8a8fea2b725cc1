import CMicrohttpd
import Synchronization

/// Counts the requests whose bodies may be larger than others', for each is
/// held whole.
final class FilePlaces: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(most: Int) { self.most = most }

    /// Nil when all are taken.
    func take() -> FilePlace? {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        return isFree ? FilePlace(among: self) : nil
    }

    fileprivate func give() { taken.withLock { $0 -= 1 } }
}

/// One of them, given back when nobody holds the request any more. The memory
/// goes back to the system with it, which glibc keeps otherwise: small values
/// are read from a body of 32 MB by the million (malloc_trim(3)).
final class FilePlace: Sendable {
    private let places: FilePlaces

    fileprivate init(among places: FilePlaces) { self.places = places }

    deinit {
        places.give()
        malloc_trim(0)
    }
}
