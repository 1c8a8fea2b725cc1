import Glibc

/// Puts another content in a file's place, whole or not at all.
///
/// It is written beside the file under a name of its own, synced, and renamed
/// over it (rename(2): the new name is there for every reader, or the old one
/// still is). The file keeps its permissions.
package enum AtomicWrite {
    /// Whether it was done; the file is untouched if not.
    package static func write(_ bytes: [UInt8], to path: String) -> Bool {
        var fileStatus = stat()
        let isThere = unsafe stat(path, &fileStatus) == 0
        let mode = isThere ? fileStatus.st_mode & 0o777 : 0o644
        var draft = Array("\(path).foyer-XXXXXX".utf8CString)
        return unsafe draft.withUnsafeMutableBufferPointer { draft in
            guard let name = draft.baseAddress else { return false }
            // mkstemp(3) fills in a name that nothing has, and makes it.
            let descriptor = unsafe mkstemp(name)
            guard descriptor >= 0 else { return false }
            let isWhole =
                fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && writeAll(descriptor, bytes)
                && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
            close(descriptor)
            guard isWhole, unsafe rename(name, path) == 0 else {
                _ = unsafe unlink(name)
                return false
            }
            return true
        }
    }

    private static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
