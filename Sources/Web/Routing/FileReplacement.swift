import Glibc

/// Puts another content in a file's place, whole or not at all.
///
/// It is written beside the file, synced, and renamed over it (rename(2): the
/// new name is there for every reader, or the old one still is). The file
/// keeps its permissions.
package enum FileReplacement {
    /// Whether it was done; the file is untouched if not.
    package static func write(_ bytes: [UInt8], to path: String) -> Bool {
        var facts = stat()
        let isThere = unsafe stat(path, &facts) == 0
        let mode = isThere ? facts.st_mode & 0o777 : 0o644
        let draft = path + ".foyer-new"
        let descriptor = unsafe open(
            draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { return false }
        let isWhole = fill(descriptor, bytes) && fsync(descriptor) == 0
        close(descriptor)
        guard isWhole, unsafe rename(draft, path) == 0 else {
            _ = unsafe unlink(draft)
            return false
        }
        return true
    }

    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress, buffer.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
