import Glibc
import Secrets

/// The folder with databases and keys, for its owner only.
struct DataFolder {
    let path: String

    /// Makes the folder (0700) and those above it where they are missing.
    init(_ path: String) throws(StartError) {
        self.path = path
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false)
        {
            made += made.isEmpty && part.isEmpty ? "/" : String(part)
            if !made.hasSuffix("/") { mkdir(made, 0o700) }
            if !made.hasSuffix("/") { made += "/" }
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw StartError(
                "the data folder \(path) cannot be used (\(reason)); "
                    + "mend its permissions or give --data DIR.")
        }
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The text of a 0600 file, made of `fresh` if it is not there yet.
    func secret(
        _ name: String, fresh: () -> String
    ) throws(StartError) -> String {
        let path = file(name)
        if let text = read(path), !text.isEmpty { return text }
        let text = fresh()
        // Written beside and renamed, so a kill leaves no half a key.
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path) }
        let bytes = Array(text.utf8)
        let written = unsafe bytes.withUnsafeBytes { buffer in
            unsafe write(descriptor, buffer.baseAddress, buffer.count)
        }
        let synced = fsync(descriptor)
        close(descriptor)
        guard written == bytes.count, synced == 0, rename(draft, path) == 0
        else { throw unwritable(path) }
        return text
    }

    private func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        }
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private func unwritable(_ path: String) -> StartError {
        let reason = unsafe String(cString: strerror(errno))
        return StartError(
            "\(path) cannot be written (\(reason)); make room or give --data "
                + "DIR.")
    }
}
