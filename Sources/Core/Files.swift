package import FoundationEssentials
import Glibc

/// Reads files from folders that others write to: regular files inside the folder, up to a size
/// limit.
///
/// The folder itself may be a link, because the user named it. Links below it are not followed:
/// they could lead to any file of the user's. Devices and pipes are not opened: they may have no
/// end.
package enum FolderReader {
    /// Why a file is not read.
    package enum ReadError: Error, Sendable, Equatable, CustomStringConvertible {
        case missing
        /// A link, a device, a pipe, a folder, or behind a link.
        case notRegular
        /// With the limit in bytes.
        case tooLarge(Int)
        /// With the system's reason.
        case unreadable(String)

        /// "it is larger than 1 MiB"
        package var description: String {
            switch self {
            case .missing: "it does not exist"
            case .notRegular: "it is not a regular file of its folder; links are not followed"
            case .tooLarge(let limit):
                limit.isMultiple(of: 1 << 20)
                    ? "it is larger than \(limit >> 20) MiB"
                    : "it is larger than \(limit >> 10) KiB"
            case .unreadable(let reason): "it cannot be read (\(reason))"
            }
        }
    }

    /// The status of `name` below `folder`; nil if it does not exist, or if a parent is not a
    /// folder.
    package static func status(_ name: String, in folder: String) -> FileStatus? {
        var path = folder
        var status: FileStatus?
        for segment in name.split(separator: "/") {
            guard segment != "..", status.map({ $0.kind == .folder }) ?? true else { return nil }
            path += "/" + segment
            status = FileStatus(at: path)
            if status == nil { return nil }
        }
        return status
    }

    /// The content of the file `name` below `folder`.
    package static func read(_ name: String, in folder: String, atMost limit: Int) throws(ReadError)
        -> [UInt8]
    {
        let file = try open(name, in: folder)
        defer { close(file) }
        var fileStatus = stat()
        guard unsafe fstat(file, &fileStatus) == 0 else { throw readError(errno) }
        guard fileStatus.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard fileStatus.st_size <= limit else { throw .tooLarge(limit) }
        return try contents(of: file, limit)
    }

    // MARK: Opening

    /// Opens one folder after another, so that none can be replaced by a link between its check and
    /// its use.
    private static func open(_ name: String, in folder: String) throws(ReadError) -> Int32 {
        let parts = name.split(separator: "/").map(String.init)
        guard let last = parts.last, !parts.contains("..") else { throw .missing }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var directory = unsafe Glibc.open(folder, flags)
        guard directory >= 0 else { throw readError(errno) }
        defer { close(directory) }
        for part in parts.dropLast() {
            let next = unsafe openat(directory, part, flags | O_NOFOLLOW)
            guard next >= 0 else { throw readError(errno) }
            close(directory)
            directory = next
        }
        // Opening a device can already have side effects.
        var fileStatus = stat()
        guard unsafe fstatat(directory, last, &fileStatus, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw readError(errno)
        }
        guard fileStatus.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        let file = unsafe openat(
            directory, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw readError(errno) }
        return file
    }

    /// Checks the limit while reading: the file may grow.
    private static func contents(of file: Int32, _ limit: Int) throws(ReadError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw readError(errno)
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .tooLarge(limit) }
        }
    }

    private static func readError(_ code: Int32) -> ReadError {
        switch code {
        case ENOENT: .missing
        case ENOTDIR, ELOOP: .notRegular
        default: .unreadable(unsafe String(cString: strerror(code)))
        }
    }
}

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

    /// The type of the file; links are not followed.
    package enum Kind: Sendable {
        case file, folder, symbolicLink
        /// A device, a pipe, a socket.
        case other
    }

    /// Nil if the path does not exist or is not accessible. A link is not followed.
    package init?(at path: String) {
        var fileStatus = stat()
        guard unsafe lstat(path, &fileStatus) == 0 else { return nil }
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

/// Writes complete contents to file descriptors.
package enum FileWriting {
    /// Writes all of `bytes`, retrying short writes. Returns the error, nil if all was written.
    package static func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Int32? {
        var remaining = Array(bytes)[...]
        while !remaining.isEmpty {
            let count = unsafe remaining.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            remaining = remaining.dropFirst(count)
        }
        return nil
    }
}

/// Finds the folder that holds `templates/` and `Public/`.
package enum ProjectRoot {
    /// The nearest ancestor of `start` that holds both folders, or nil.
    ///
    /// Called with the executable's folder and the working directory, so that both `swift run` and
    /// an installed binary beside its files find it.
    package static func find(from start: String) -> String? {
        var folder = start
        while !folder.isEmpty {
            if isFolder(folder + "/templates"), isFolder(folder + "/Public") { return folder }
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
