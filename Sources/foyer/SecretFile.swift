import Glibc

/// A key in a file of the data folder, for its owner only.
///
/// Only where there is no file a key is made; whatever else is in the way of
/// reading it is an error, for what was sealed with a lost key is lost.
struct SecretFile {
    static let sealingKeyName = "sealing.key"
    static let consoleKeyName = "console.key"

    let path: String
    /// Whether a text is a whole key.
    let isValid: (String) -> Bool
    /// What to do about a damaged file.
    let fix: String

    /// No key is longer.
    private static let maxLength = 4_096

    /// The key that is there; nil if there is no file.
    func read() throws(StartError) -> String? {
        // Not blocked by a pipe of its name, nor led elsewhere by a link.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw unusableError("is a link; put the file itself there.")
            default: throw unreadableError(errno)
            }
        }
        defer { close(descriptor) }
        var fileStatus = stat()
        guard fstat(descriptor, &fileStatus) == 0 else { throw unreadableError(errno) }
        guard fileStatus.st_mode & S_IFMT == S_IFREG else {
            throw unusableError("is no regular file; \(fix).")
        }
        try DataFolder.checkOwner(owner: fileStatus, of: path)
        let text = try readText(descriptor)
        guard let text, isValid(text) else {
            throw unusableError("is \(fileStatus.st_size == 0 ? "empty" : "damaged"); \(fix).")
        }
        if fileStatus.st_mode & 0o077 != 0 { try restrictPermissions(descriptor) }
        return text
    }

    /// Makes the file (0600). A kill leaves no half a key: it is written
    /// beside and given its name once it is on the disk. No file that is
    /// there is ever replaced.
    func create(_ text: String) throws(StartError) {
        let draft = path + ".new"
        // Of a start that was killed: the folder is locked, so it is nobody's.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritableError(errno) }
        var failure = write(text, descriptor)
        if close(descriptor) != 0 { failure = failure ?? errno }
        if failure == nil, link(draft, path) != 0 { failure = errno }
        unlink(draft)
        if let failure { throw unwritableError(failure) }
        try syncFolder()
    }

    /// Why it is not on the disk; nil if it is.
    private func write(_ text: String, _ descriptor: Int32) -> Int32? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0 ? nil : errno
    }

    /// The new name is on the disk before anything is sealed with the key.
    private func syncFolder() throws(StartError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritableError(errno) }
        defer { close(descriptor) }
        // A file system that cannot do it says EINVAL (fsync(2)).
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritableError(errno) }
    }

    /// Nil for what is no text or too long.
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
        StandardOutput.warn("\(path) could be read by others; now its owner alone can (0600).")
    }

    private func unreadableError(_ number: Int32) -> StartError {
        unusableError(
            "cannot be read (\(unsafe String(cString: strerror(number)))); "
                + "mend its permissions or give --data DIR.")
    }

    private func unwritableError(_ number: Int32) -> StartError {
        unusableError(
            "cannot be written (\(unsafe String(cString: strerror(number)))); "
                + "make room or give --data DIR.")
    }

    private func unusableError(_ words: String) -> StartError { StartError("\(path) \(words)") }
}
