import Glibc

/// Keeps a second process from using the data folder, by a record lock on `foyer.lock` in it.
///
/// The kernel knows the lock's owner (fcntl(2), "Advisory record locking"), so the error names the
/// right process, and the lock is released when the process ends in any way. The file remains:
/// removing it would let two processes lock two different files of that name.
final class FolderLock: Sendable {
    static let name = "foyer.lock"

    /// Nothing else in this process opens the file: closing any descriptor of it would release the
    /// lock.
    private let descriptor: Int32

    init(_ folder: String) throws(StartError) {
        let path = folder + "/" + Self.name
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.lockError(path, errno) }
        while true {
            var request = Self.wholeFileLock
            if fcntl(descriptor, F_SETLK, &request) == 0 { break }
            let number = errno
            if number == EINTR { continue }
            guard number == EAGAIN || number == EACCES else {
                close(descriptor)
                throw Self.lockError(path, number)
            }
            var holder = Self.wholeFileLock
            guard fcntl(descriptor, F_GETLK, &holder) == 0, holder.l_type != F_UNLCK else {
                continue
            }
            close(descriptor)
            // There is no process id for a process in another container.
            let holderName = holder.l_pid > 0 ? "process \(holder.l_pid)" : "another process"
            throw StartError(
                "the data folder \(folder) is in use by \(holderName). Stop the other process, or "
                    + "use another folder with --data.")
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static var wholeFileLock: flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }

    private static func lockError(_ path: String, _ number: Int32) -> StartError {
        StartError(
            "\(path) cannot be locked (\(String(cString: strerror(number)))); fix its permissions "
                + "or use another folder with --data.")
    }
}
