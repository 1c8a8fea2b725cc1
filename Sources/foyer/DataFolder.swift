import FoundationEssentials
import Glibc

/// The folder with databases and keys, for its owner and this process only.
///
/// It is made, checked and locked before anything in it is read.
struct DataFolder {
    let path: String
    /// Held until the process ends.
    private let lock: FolderLock

    static let devicesFile = "devices.sqlite"
    static let trafficFile = "traffic.sqlite"
    static let backendFile = "backend.sqlite"

    /// Makes the folder (0700) and those above it where they are missing.
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
                "others may write in the data folder \(path), so its keys "
                    + "cannot be trusted; look at what is in it, then `chmod "
                    + "700` it, or give --data another folder.")
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw Self.unusableError(path, errno) }
        let isOpen = fileStatus.st_mode & 0o055 != 0
        guard !isOpen || Self.isUsedByFoyerOnly(path) else {
            throw StartError(
                "the data folder \(path) holds other files and can be read "
                    + "by others; give --data a folder of its own, or `chmod 700` this one.")
        }
        lock = try FolderLock(path)
        if isOpen {
            guard chmod(path, 0o700) == 0 else { throw Self.unusableError(path, errno) }
            StandardOutput.warn(
                "the data folder \(path) could be read by others; now its "
                    + "owner alone can (0700).")
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

    /// Throws unless it is this user's.
    static func checkOwner(owner fileStatus: stat, of what: String) throws(StartError) {
        guard fileStatus.st_uid == geteuid() else {
            throw StartError(
                "\(what) belongs to user \(fileStatus.st_uid), and this is user "
                    + "\(geteuid()); start Foyer as its owner, or give --data DIR.")
        }
    }

    /// Makes what is missing; why the last thing could not be made.
    private static func createFolders(_ path: String) -> Int32? {
        var failure: Int32?
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : String(part)
            guard !made.hasSuffix("/") else { continue }
            failure = mkdir(made, 0o700) == 0 || errno == EEXIST ? nil : errno
            made += "/"
        }
        return failure
    }

    /// Whether it is empty, or holds a key of an earlier start: then its mode
    /// is ours to change.
    private static func isUsedByFoyerOnly(_ path: String) -> Bool {
        guard access(path + "/" + SecretFile.sealingKeyName, F_OK) != 0 else { return true }
        // What cannot be listed is refused like what holds other files.
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return names?.allSatisfy { $0 == FolderLock.name } ?? false
    }

    private static func unusableError(_ path: String, _ number: Int32) -> StartError {
        let reason = unsafe String(cString: strerror(number))
        return StartError(
            "the data folder \(path) cannot be used (\(reason)); "
                + "mend its permissions or give --data DIR.")
    }
}
