import Core
import Glibc

/// Replaces a file's content atomically.
///
/// Writes a temporary file in the same folder, syncs it, and renames it over the target (rename(2):
/// every reader sees either the new file or the old one). The file keeps its permissions.
package enum AtomicWrite {
    /// Returns whether it succeeded; on failure the file is untouched.
    package static func write(_ bytes: [UInt8], to path: String) -> Bool {
        var fileStatus = stat()
        let exists = unsafe stat(path, &fileStatus) == 0
        let mode = exists ? fileStatus.st_mode & 0o777 : 0o644
        var template = Array("\(path).foyer-XXXXXX".utf8CString)
        return unsafe template.withUnsafeMutableBufferPointer { template in
            guard let name = template.baseAddress else { return false }
            // mkstemp(3) fills in an unused name and creates the file.
            let descriptor = unsafe mkstemp(name)
            guard descriptor >= 0 else { return false }
            let isWritten =
                fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
                && FileWriting.writeAll(bytes, to: descriptor) == nil
                && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
            close(descriptor)
            guard isWritten, unsafe rename(name, path) == 0 else {
                _ = unsafe unlink(name)
                return false
            }
            return true
        }
    }
}
