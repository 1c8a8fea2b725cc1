import Core
import FoundationEssentials

/// The templates in the folders by name, with their file status; nothing is read.
struct TemplateScan: Equatable {
    private(set) var entries: [String: Entry] = [:]
    /// Folders that cannot be read or are too large.
    private(set) var folderErrors: [TemplateError] = []

    struct Entry: Equatable {
        /// The searched folder; `file` is the path below it.
        var folder: String
        var file: String
        var status: FileStatus
    }

    /// Deeper folders are ignored.
    private static let maxDepth = 8
    /// Limit against folders that are not template folders.
    private static let maxNames = 20_000
    private static let maxBytes = 32 << 20

    /// An earlier folder takes precedence for duplicate names.
    init(_ folders: [Templates.Folder]) {
        for folder in folders {
            var traversal = Traversal(folder: folder.path)
            do { try traversal.visit("", 0) } catch {
                folderErrors.append(error)
                continue
            }
            for entry in traversal.entries {
                let file = entry.file
                let name = file.hasSuffix(".mustache") ? String(file.dropLast(9)) : file
                let key = folder.prefix.isEmpty ? name : folder.prefix + "/" + name
                if entries[key] == nil { entries[key] = entry }
            }
        }
    }

    /// A recursive directory traversal.
    private struct Traversal {
        let folder: String
        private(set) var entries: [Entry] = []
        private var nameCount = 0
        private var byteCount = 0

        init(folder: String) { self.folder = folder }

        /// Collects the templates in `subfolder`, which is empty or ends with a slash.
        mutating func visit(_ subfolder: String, _ level: Int) throws(TemplateError) {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(
                    atPath: folder + "/" + subfolder)
            } catch {
                if level > 0 { return }
                throw TemplateError(folder, "the folder cannot be read")
            }
            nameCount += names.count
            guard nameCount <= TemplateScan.maxNames else {
                throw TemplateError(
                    folder, "the folder contains more than \(TemplateScan.maxNames) files")
            }
            for name in names where !name.hasPrefix(".") {
                let file = subfolder + name
                guard let status = FileStatus(at: folder + "/" + file) else { continue }
                if status.kind == .folder {
                    if level < TemplateScan.maxDepth { try visit(file + "/", level + 1) }
                } else if name.hasSuffix(".mustache") {
                    byteCount += min(status.size, TemplateScan.maxBytes + 1)
                    entries.append(Entry(folder: folder, file: file, status: status))
                } else if status.kind == .symbolicLink, isFolder(file) {
                    // A linked folder is listed, and later reported as an error, instead of
                    // silently skipped.
                    entries.append(Entry(folder: folder, file: file, status: status))
                }
            }
            guard byteCount <= TemplateScan.maxBytes else {
                throw TemplateError(folder, "its templates are larger than 32 MiB")
            }
        }

        /// Follows a link, unlike `FileStatus`.
        private func isFolder(_ file: String) -> Bool {
            FileStatus(at: folder + "/" + file + "/.") != nil
        }
    }
}
