import Core
import Glibc

/// A key in a file of the data folder, readable by its owner only.
///
/// A key is created only if there is no file; any other obstacle to reading it is an error, since
/// data sealed with a lost key is lost.
struct SecretFile {
    static let sealingKeyName = "sealing.key"
    static let consoleKeyName = "console.key"

    let folder: String
    let name: String
    /// Whether a text is a complete key.
    let isValid: (String) -> Bool
    /// How to fix a damaged file.
    let fix: String

    var path: String { folder + "/" + name }

    /// Maximum length of a key, in bytes.
    private static let maxLength = 4_096

    /// The stored key; nil if there is no file.
    func read() throws(StartError) -> String? {
        var fileStatus = stat()
        guard lstat(path, &fileStatus) == 0 else {
            if errno == ENOENT { return nil }
            throw unreadableError(String(cString: strerror(errno)))
        }
        switch fileStatus.st_mode & S_IFMT {
        case S_IFLNK: throw unusableError("is a symbolic link; replace it with the file.")
        case S_IFREG: break
        default: throw unusableError("is not a regular file; \(fix).")
        }
        try DataFolder.checkOwner(owner: fileStatus, of: path)
        guard let text = try readText(), isValid(text) else {
            throw unusableError("is \(fileStatus.st_size == 0 ? "empty" : "damaged"); \(fix).")
        }
        if fileStatus.st_mode & 0o077 != 0 {
            guard chmod(path, 0o600) == 0 else {
                throw unreadableError(String(cString: strerror(errno)))
            }
            StandardOutput.warn(
                "\(path) was readable by others; now only its owner can read it (0600).")
        }
        return text
    }

    /// Nil if the content is not text or too long.
    private func readText() throws(StartError) -> String? {
        do {
            var bytes = try FolderReader.read(name, in: folder, atMost: Self.maxLength)
            while let last = bytes.last, [0x20, 0x0A, 0x0D].contains(last) { bytes.removeLast() }
            return String(validating: bytes, as: UTF8.self)
        } catch {
            switch error {
            case .tooLarge: return nil
            case .unreadable(let reason): throw unreadableError(reason)
            case .missing, .notRegular: throw unreadableError("\(error)")
            }
        }
    }

    /// Creates the file (0600). It is written to a temporary file, synced, and then linked to its
    /// name, so that a killed process leaves no partial key. An existing file is never replaced.
    func create(_ text: String) throws(StartError) {
        let temporaryPath = path + ".new"
        // Left by a start that was killed: the folder is locked, so no process uses it.
        unlink(temporaryPath)
        let descriptor = open(
            temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritableError(errno) }
        var failure = FileWriting.writeAll(text.utf8, to: descriptor)
        if failure == nil, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0 { failure = failure ?? errno }
        if failure == nil, link(temporaryPath, path) != 0 { failure = errno }
        unlink(temporaryPath)
        if let failure { throw unwritableError(failure) }
        try syncFolder()
    }

    /// Syncs the new name to disk before anything is sealed with the key.
    private func syncFolder() throws(StartError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritableError(errno) }
        defer { close(descriptor) }
        // A file system without support for it returns EINVAL (fsync(2)).
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritableError(errno) }
    }

    private func unreadableError(_ reason: String) -> StartError {
        unusableError("cannot be read (\(reason)); fix its permissions or use --data DIR.")
    }

    private func unwritableError(_ number: Int32) -> StartError {
        unusableError(
            "cannot be written (\(unsafe String(cString: strerror(number)))); free some space or "
                + "use --data DIR.")
    }

    private func unusableError(_ reason: String) -> StartError { StartError("\(path) \(reason)") }
}
