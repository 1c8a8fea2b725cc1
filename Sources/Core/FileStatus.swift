package import FoundationEssentials
import Glibc

/// What a path leads to, told by `lstat(2)`.
///
/// Not by FileManager: that looks up users and groups each time, and its
/// values have other types in a program that links no Foundation.
package struct FileStatus: Sendable, Equatable {
    package var kind: Kind
    /// Bytes.
    package var size: Int
    package var modifiedAt: Date
    /// The file's own number in its file system: a file that replaced
    /// another under its name has another.
    package var inode: UInt64

    package enum Kind: Sendable {
        case file, folder, symbolicLink
        /// A device, a pipe, a socket.
        case other
    }

    /// Nil if nothing is there, or it may not be looked at. A link is not
    /// followed.
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
                fileStatus.st_mtim.tv_nsec)
                / 1e9)
    }
}
