import Glibc
import Synchronization

/// Keeps a second process out of a database, by `flock` on a file beside it.
///
/// The lock goes with the process, however it ends; the file stays, because
/// removing it would let two processes lock two different files of its name.
final class LockFile: Sendable {
    /// Nil once released.
    private let held: Mutex<Int32?>

    /// Locks `<path>.lock`, or throws `.inUse` with the pid that is in it.
    init(besideDatabase path: String) throws(DatabaseError) {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: lockPath) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            defer { _ = Glibc.close(descriptor) }
            guard number == EWOULDBLOCK else {
                throw .system(number, path: lockPath)
            }
            throw DatabaseError(
                kind: .inUse,
                detail: "\(path): in use by process \(Self.pid(descriptor))",
                mend: DatabaseError.Kind.inUse.mend)
        }
        let pid = Array("\(getpid())\n".utf8)
        // Only for the words of the error above: a full disk may refuse it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, pid, pid.count, 0)
        held = Mutex(descriptor)
    }

    deinit { release() }

    /// Lets the next one in; a second call does nothing.
    func release() {
        let descriptor = held.withLock { $0.take() }
        if let descriptor { _ = Glibc.close(descriptor) }
    }

    /// The pid the holder wrote.
    private static func pid(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix {
            (0x30...0x39).contains($0)
        }
        return digits.isEmpty
            ? "(unknown)" : String(decoding: digits, as: UTF8.self)
    }
}
