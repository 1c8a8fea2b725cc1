package import FoundationEssentials
import Glibc

/// The type, size and modification time of a path, from `lstat(2)`.
///
/// FileManager would look up users and groups each time, and its values have other types in a
/// program that links no Foundation.
package struct FileStatus: Sendable, Equatable {
    package var kind: Kind
    /// In bytes.
    package var size: Int
    package var modifiedAt: Date
    /// Identifies the file in its file system: a file that replaces another under the same name has
    /// a different one.
    package var inode: UInt64

    package enum Kind: Sendable {
        case file, folder, symbolicLink
        /// A device, a pipe, a socket.
        case other
    }

    /// Nil if the path does not exist or is not accessible. A link is not followed.
    package init?(at path: String) {
        var fileStatus = stat()
        guard unsafe lstat(path, &fileStatus) == 0 else { return nil }
        self.init(fileStatus)
    }

    init(_ fileStatus: stat) {
        kind =
            switch fileStatus.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = Int(fileStatus.st_size)
        inode = UInt64(fileStatus.st_ino)
        modifiedAt = Date(
            timeIntervalSince1970: Double(fileStatus.st_mtim.tv_sec) + Double(
                fileStatus.st_mtim.tv_nsec) / 1e9)
    }
}
