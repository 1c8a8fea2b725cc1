import BrowserCapture
import Core
package import FoundationEssentials
import Glibc
import Web

/// The pictures in a folder, as `foyer storyboard --out` and the compare page write them.
package struct PictureSet: Sendable {
    package let folder: String
    package let options: PictureOptions
    /// Nil for a set of a version that wrote no file about it.
    package let takenAt: Date?
    /// The paths of the pictures below the folder.
    package let files: [PictureKey: String]

    /// How the pictures were taken.
    package static let infoFile = "pictures.json"
    /// Pictures of the differences from another set; not part of the set.
    package static let differencesFolder = "differences"
    /// A larger folder is no picture set.
    private static let fileLimit = 50_000
    /// In bytes, of one picture.
    private static let sizeLimit = 64 << 20

    /// Nil if the folder cannot be listed. `options` are those of a set that says nothing about
    /// itself.
    package init?(_ folder: String, or options: PictureOptions = .init()) {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder),
            names.count <= Self.fileLimit
        else { return nil }
        let paths = names.filter { $0.hasSuffix(".png") }
        let bytes = try? FolderReader.read(Self.infoFile, in: folder, atMost: 1 << 16)
        let info = bytes.flatMap { try? JSON(parsing: $0) }
        self.folder = folder
        self.options =
            info.map { PictureOptions($0, or: options) }
            ?? PictureOptions(paths: paths, or: options)
        takenAt = info?["takenAt"]?.string.flatMap { Date(iso8601: $0) }
        var files: [PictureKey: String] = [:]
        for path in paths {
            if let key = PictureKey(path: path, in: self.options) { files[key] = path }
        }
        self.files = files
    }

    /// The picture at a path below the folder; nil if there is none, or if the file is not a PNG.
    package func picture(_ path: String) -> [UInt8]? {
        guard let bytes = try? FolderReader.read(path, in: folder, atMost: Self.sizeLimit),
            PNG.size(of: bytes) != nil
        else { return nil }
        return bytes
    }

    package func picture(_ key: PictureKey) -> [UInt8]? { files[key].flatMap(picture) }

    /// Changes with the content of a picture.
    func version(of key: PictureKey) -> String {
        let status = files[key].flatMap { FolderReader.status($0, in: folder) }
        return "\(folder)/\(files[key] ?? "") \(status?.inode ?? 0) \(status?.size ?? 0) "
            + "\(status?.modifiedAt.timeIntervalSince1970 ?? 0)"
    }
}

/// A folder to which pictures are written.
package struct PictureFolder: Sendable {
    package let path: String

    /// Why it is not written to.
    package enum WriteError: Error, Sendable {
        case isFile(String)
        /// With the system's reason.
        case notWritable(String, reason: String)
        /// With the path of the file.
        case notWritten(String)
    }

    /// Creates the folder and missing parent folders.
    package init(_ path: String) throws(WriteError) {
        self.path = path
        let files = FileManager.default
        var isFolder = false
        if files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder { throw .isFile(path) }
        let isCreated: Void? = try? files.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard isCreated != nil, unsafe access(path, W_OK | X_OK) == 0 else {
            throw .notWritable(path, reason: unsafe String(cString: strerror(errno)))
        }
    }

    /// Writes a file atomically.
    package func write(_ bytes: [UInt8], _ name: String) throws(WriteError) {
        let file = URL(filePath: path).appending(path: name)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
        } catch { throw .notWritten("\(path)/\(name)") }
    }

    /// Removes a file of an earlier run.
    package func remove(_ name: String) { _ = unsafe unlink(path + "/" + name) }

    /// Writes how the pictures are taken.
    package func writeInfo(_ options: PictureOptions, at time: Date) throws(WriteError) {
        guard case .object(let members) = options.json else { return }
        let info = JSON.object([.init("takenAt", .string(time.iso8601))] + members)
        try write(info.bytes + [10], PictureSet.infoFile)
    }
}
