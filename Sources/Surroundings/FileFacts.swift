package import FoundationEssentials
import Glibc

/// What a path leads to, told by `lstat(2)`.
///
/// Not by FileManager: that looks up users and groups each time, and its
/// values have other types in a program that links no Foundation.
package struct FileFacts: Sendable, Equatable {
    package var kind: Kind
    /// Bytes.
    package var size: Int
    package var modified: Date
    /// The file's own number in its file system: a file that replaced
    /// another under its name has another.
    package var number: UInt64

    package enum Kind: Sendable {
        case file, folder, link
        /// A device, a pipe, a socket.
        case other
    }

    /// Nil if nothing is there, or it may not be looked at. A link is not
    /// followed.
    package init?(at path: String) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init(_ facts: stat) {
        kind =
            switch facts.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int(facts.st_size)
        number = UInt64(facts.st_ino)
        modified = Date(
            timeIntervalSince1970: Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec)
                / 1e9)
    }
}
