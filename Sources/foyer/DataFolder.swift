import FoundationEssentials
import Glibc

/// The folder with databases and keys, for its owner and this process only.
///
/// It is created, checked and locked before anything in it is read.
struct DataFolder {
    let path: String
    /// Held until the process ends.
    private let lock: FolderLock

    static let devicesFile = "devices.sqlite"
    static let trafficFile = "traffic.sqlite"
    static let backendFile = "backend.sqlite"

    /// Creates the folder (0700) and missing parent folders.
    init(_ path: String) throws(StartError) {
        self.path = path
        let failure = Self.createFolders(path)
        var fileStatus = stat()
        guard stat(path, &fileStatus) == 0 else { throw Self.unusableError(path, failure ?? errno) }
        guard fileStatus.st_mode & S_IFMT == S_IFDIR else {
            throw Self.unusableError(path, ENOTDIR)
        }
        try Self.checkOwner(owner: fileStatus, of: "the data folder \(path)")
        guard fileStatus.st_mode & 0o022 == 0 else {
            throw StartError(
                "the data folder \(path) is writable by others, so its keys cannot be trusted; "
                    + "check its contents, then `chmod 700` it, or use another folder with --data.")
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw Self.unusableError(path, errno) }
        let isAccessibleByOthers = fileStatus.st_mode & 0o055 != 0
        guard !isAccessibleByOthers || Self.isUsedByFoyerOnly(path) else {
            throw StartError(
                "the data folder \(path) has other files and is readable by others; use a separate "
                    + "folder with --data, or `chmod 700` this one.")
        }
        lock = try FolderLock(path)
        if isAccessibleByOthers {
            guard chmod(path, 0o700) == 0 else { throw Self.unusableError(path, errno) }
            StandardOutput.warn(
                "the data folder \(path) was readable by others; now only its owner can read it "
                    + "(0700).")
        }
    }

    func filePath(_ name: String) -> String { path + "/" + name }

    /// Whether there is a database of an earlier start.
    var hasDatabases: Bool {
        [Self.devicesFile, Self.trafficFile, Self.backendFile].contains { name in
            var fileStatus = stat()
            return stat(filePath(name), &fileStatus) == 0 && fileStatus.st_size > 0
        }
    }

    /// Throws unless the current user owns it.
    static func checkOwner(owner fileStatus: stat, of subject: String) throws(StartError) {
        guard fileStatus.st_uid == geteuid() else {
            throw StartError(
                "\(subject) belongs to user \(fileStatus.st_uid), and this is user \(geteuid()); "
                    + "start Foyer as its owner, or use --data DIR.")
        }
    }

    /// Creates missing folders; returns the error of the last one, if any.
    private static func createFolders(_ path: String) -> Int32? {
        var failure: Int32?
        var folder = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            folder += folder.isEmpty && part.isEmpty ? "/" : String(part)
            guard !folder.hasSuffix("/") else { continue }
            failure = mkdir(folder, 0o700) == 0 || errno == EEXIST ? nil : errno
            folder += "/"
        }
        return failure
    }

    /// Whether it is empty, or contains a key of an earlier start: then Foyer may change its mode.
    private static func isUsedByFoyerOnly(_ path: String) -> Bool {
        guard access(path + "/" + SecretFile.sealingKeyName, F_OK) != 0 else { return true }
        // A folder that cannot be listed is treated like one with other files.
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return names?.allSatisfy { $0 == FolderLock.name } ?? false
    }

    private static func unusableError(_ path: String, _ number: Int32) -> StartError {
        let reason = unsafe String(cString: strerror(number))
        return StartError(
            "the data folder \(path) cannot be used (\(reason)); fix its permissions or use --data "
                + "DIR.")
    }
}

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
