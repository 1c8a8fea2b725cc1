import Core
import Glibc

/// Finds the templates in a folder.
enum TemplateFinder {
    /// A template found below a folder; its name is relative to the folder.
    struct Entry {
        var name: String
        /// The searched folder; `file` is the path below it.
        var folder: String
        var file: String
        var status: FileStatus

        var path: String { folder + "/" + file }
    }

    /// Deeper folders are ignored.
    private static let maxDepth = 8
    /// Limit against folders that are not template folders.
    private static let maxNames = 20_000
    private static let maxBytes = 32 << 20

    /// Every `*.mustache` below `folder`; throws if the folder cannot be read or is too large.
    static func templates(in folder: String) throws(TemplateError) -> [Entry] {
        var traversal = Traversal(folder: folder)
        guard traversal.collect("", 0) else {
            throw TemplateError(folder, "the folder cannot be read")
        }
        guard traversal.nameCount <= maxNames else {
            throw TemplateError(folder, "the folder contains more than \(maxNames) files")
        }
        guard traversal.byteCount <= maxBytes else {
            throw TemplateError(folder, "its templates are larger than 32 MiB")
        }
        return traversal.entries
    }

    /// The state of a recursive directory traversal.
    private struct Traversal {
        let folder: String
        var entries: [Entry] = []
        var nameCount = 0
        var byteCount = 0

        /// Collects the templates in `subfolder`, which is empty or ends with a slash. False if it
        /// cannot be read.
        mutating func collect(_ subfolder: String, _ level: Int) -> Bool {
            guard let stream = opendir(folder + "/" + subfolder) else { return false }
            defer { closedir(stream) }
            while nameCount <= maxNames, let record = readdir(stream) {
                nameCount += 1
                let name = withUnsafePointer(to: &record.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard !name.hasPrefix("."),
                    let status = FileStatus(at: folder + "/" + subfolder + name)
                else { continue }
                if status.kind == .folder {
                    if level < maxDepth { _ = collect(subfolder + name + "/", level + 1) }
                } else if name.hasSuffix(".mustache") {
                    byteCount += min(status.size, maxBytes + 1)
                    add(subfolder + name, String(name.dropLast(9)), subfolder, status)
                } else if status.kind == .symbolicLink, isLinkToFolder(subfolder + name) {
                    // A linked folder is listed, and later reported as an error, instead of
                    // silently skipped.
                    add(subfolder + name, name, subfolder, status)
                }
            }
            return true
        }

        private mutating func add(
            _ file: String, _ name: String, _ subfolder: String, _ status: FileStatus
        ) {
            entries.append(
                Entry(name: subfolder + name, folder: folder, file: file, status: status))
        }

        private func isLinkToFolder(_ file: String) -> Bool {
            var status = stat()
            return stat(folder + "/" + file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }
}

extension TemplateError {
    /// An error of an entire file or folder.
    init(_ path: String, _ detail: String) {
        self.init(file: path, line: nil, column: nil, detail: detail)
    }
}
