import Core
import Glibc

/// A key in a file of the data folder, readable by its owner only.
///
/// A key is created only if there is no file; any other obstacle to reading it is an error, since
/// data sealed with a lost key is lost.
struct SecretFile {
    static let sealingKeyName = "sealing.key"
    static let consoleKeyName = "console.key"

    let path: String
    /// Whether a text is a complete key.
    let isValid: (String) -> Bool
    /// How to fix a damaged file.
    let fix: String

    /// Maximum length of a key, in bytes.
    private static let maxLength = 4_096

    /// The stored key; nil if there is no file.
    func read() throws(StartError) -> String? {
        // A pipe of that name must not block, and a link must not be followed.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw unusableError("is a symbolic link; replace it with the file.")
            default: throw unreadableError(errno)
            }
        }
        defer { close(descriptor) }
        var fileStatus = stat()
        guard fstat(descriptor, &fileStatus) == 0 else { throw unreadableError(errno) }
        guard fileStatus.st_mode & S_IFMT == S_IFREG else {
            throw unusableError("is not a regular file; \(fix).")
        }
        try DataFolder.checkOwner(owner: fileStatus, of: path)
        let text = try readText(descriptor)
        guard let text, isValid(text) else {
            throw unusableError("is \(fileStatus.st_size == 0 ? "empty" : "damaged"); \(fix).")
        }
        if fileStatus.st_mode & 0o077 != 0 { try restrictPermissions(descriptor) }
        return text
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
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritableError(errno) }
        defer { close(descriptor) }
        // A file system without support for it returns EINVAL (fsync(2)).
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritableError(errno) }
    }

    /// Nil if the content is not text or too long.
    private func readText(_ descriptor: Int32) throws(StartError) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.maxLength)
        while bytes.count <= Self.maxLength {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadableError(errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= Self.maxLength else { return nil }
        while bytes.last.map({ [0x20, 0x0a, 0x0d].contains($0) }) == true { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
    }

    private func restrictPermissions(_ descriptor: Int32) throws(StartError) {
        guard fchmod(descriptor, 0o600) == 0 else { throw unreadableError(errno) }
        StandardOutput.warn(
            "\(path) was readable by others; now only its owner can read it (0600).")
    }

    private func unreadableError(_ number: Int32) -> StartError {
        unusableError(
            "cannot be read (\(unsafe String(cString: strerror(number)))); fix its permissions or "
                + "use --data DIR.")
    }

    private func unwritableError(_ number: Int32) -> StartError {
        unusableError(
            "cannot be written (\(unsafe String(cString: strerror(number)))); free some space or "
                + "use --data DIR.")
    }

    private func unusableError(_ reason: String) -> StartError { StartError("\(path) \(reason)") }
}
