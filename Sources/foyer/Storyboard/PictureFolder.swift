import FoundationEssentials
import Glibc

/// The output folder for pictures.
struct PictureFolder {
    let path: String

    /// Creates the folder and missing parent folders.
    init(_ path: String) throws(StartError) {
        self.path = path
        let files = FileManager.default
        var isFolder = false
        if files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
            throw StartError("\(path) is a file; --out needs a folder.")
        }
        do { try files.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw unwritableError(String(cString: strerror(errno)))
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw unwritableError(String(cString: strerror(errno)))
        }
    }

    /// Writes a picture atomically.
    func write(_ bytes: [UInt8], _ name: String) throws(StartError) {
        let file = URL(filePath: path).appending(path: name)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
        } catch {
            throw StartError(
                "\(path)/\(name) cannot be written; free some space or use another folder with --out."
            )
        }
    }

    /// Removes a picture of an earlier run.
    func remove(_ name: String) { unlink(path + "/" + name) }

    private func unwritableError(_ reason: String) -> StartError {
        StartError(
            "\(path) is not writable (\(reason)); fix its permissions or use another folder with "
                + "--out.")
    }
}
