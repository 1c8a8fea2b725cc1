import Glibc

/// A key in a file of the data folder, for its owner only.
///
/// Only where there is no file a key is made; whatever else is in the way of
/// reading it is an error, for what was sealed with a lost key is lost.
struct SecretFile {
    static let sealing = "sealing.key"
    static let console = "console.key"

    let path: String
    /// Whether a text is a whole key.
    let isWhole: (String) -> Bool
    /// What to do about a damaged file.
    let mend: String

    /// No key is longer.
    private static let longest = 4_096

    /// The key that is there; nil if there is no file.
    func read() throws(StartError) -> String? {
        // Not blocked by a pipe of its name, nor led elsewhere by a link.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw unusable("is a link; put the file itself there.")
            default: throw unreadable(errno)
            }
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw unreadable(errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw unusable("is no regular file; \(mend).")
        }
        try DataFolder.check(owner: facts, of: path)
        let text = try text(descriptor)
        guard let text, isWhole(text) else {
            throw unusable("is \(facts.st_size == 0 ? "empty" : "damaged"); \(mend).")
        }
        if facts.st_mode & 0o077 != 0 { try narrow(descriptor) }
        return text
    }

    /// Makes the file (0600). A kill leaves no half a key: it is written
    /// beside and given its name once it is on the disk. No file that is
    /// there is ever replaced.
    func make(_ text: String) throws(StartError) {
        let draft = path + ".new"
        // Of a start that was killed: the folder is locked, so it is nobody's.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(errno) }
        var failure = write(text, descriptor)
        if close(descriptor) != 0 { failure = failure ?? errno }
        if failure == nil, link(draft, path) != 0 { failure = errno }
        unlink(draft)
        if let failure { throw unwritable(failure) }
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
        guard descriptor >= 0 else { throw unwritable(errno) }
        defer { close(descriptor) }
        // A file system that cannot do it says EINVAL (fsync(2)).
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritable(errno) }
    }

    /// Nil for what is no text or too long.
    private func text(_ descriptor: Int32) throws(StartError) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.longest)
        while bytes.count <= Self.longest {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= Self.longest else { return nil }
        while bytes.last.map({ [0x20, 0x0a, 0x0d].contains($0) }) == true { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
    }

    private func narrow(_ descriptor: Int32) throws(StartError) {
        guard fchmod(descriptor, 0o600) == 0 else { throw unreadable(errno) }
        StandardOutput.complain("\(path) could be read by others; now its owner alone can (0600).")
    }

    private func unreadable(_ number: Int32) -> StartError {
        unusable(
            "cannot be read (\(unsafe String(cString: strerror(number)))); "
                + "mend its permissions or give --data DIR.")
    }

    private func unwritable(_ number: Int32) -> StartError {
        unusable(
            "cannot be written (\(unsafe String(cString: strerror(number)))); "
                + "make room or give --data DIR.")
    }

    private func unusable(_ words: String) -> StartError { StartError("\(path) \(words)") }
}
