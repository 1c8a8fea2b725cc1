import Core
import FoundationEssentials

/// The templates in the folders by name, with their file status; nothing is read.
struct TemplateScan: Equatable {
    private(set) var entries: [String: Entry] = [:]
    /// Folders that cannot be read or are too large.
    private(set) var folderErrors: [TemplateError] = []
    /// The listed folders by path, with their status before they were listed.
    private var folderStatuses: [String: FileStatus] = [:]
    private var hasUnreadableFolder = false

    struct Entry: Equatable {
        /// The searched folder; `file` is the path below it.
        var folder: String
        var file: String
        var status: FileStatus

        var path: String { folder + "/" + file }
    }

    /// Whether a new scan would find the same: no file has changed, and no folder, as adding and
    /// deleting files does. It costs a fifth of a scan.
    func isCurrent() -> Bool {
        folderErrors.isEmpty && !hasUnreadableFolder
            && folderStatuses.allSatisfy { FileStatus(at: $0.key) == $0.value }
            && entries.values.allSatisfy { FileStatus(at: $0.path) == $0.status }
    }

    /// Deeper folders are ignored.
    private static let maxDepth = 8
    /// Limit against folders that are not template folders.
    private static let maxNames = 20_000
    private static let maxBytes = 32 << 20

    /// An earlier folder takes precedence for duplicate names.
    init(_ folders: [Templates.Folder]) {
        for folder in folders {
            do {
                for entry in try templates(in: folder.path) {
                    let file = entry.file
                    let name = file.hasSuffix(".mustache") ? String(file.dropLast(9)) : file
                    let key = folder.prefix.isEmpty ? name : folder.prefix + "/" + name
                    if entries[key] == nil { entries[key] = entry }
                }
            } catch { folderErrors.append(error) }
        }
    }

    /// The templates in `folder` and its subfolders.
    private mutating func templates(in folder: String) throws(TemplateError) -> [Entry] {
        var entries: [Entry] = []
        var nameCount = 0
        var byteCount = 0
        /// Subfolders to list: empty, or ending with a slash.
        var pending = [(subfolder: "", level: 0)]
        while let (subfolder, level) = pending.popLast() {
            let path = folder + "/" + subfolder
            folderStatuses[path + "."] = FileStatus(at: path + ".")
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                if level > 0 {
                    // Its permissions may change without its time.
                    hasUnreadableFolder = true
                    continue
                }
                throw TemplateError(folder, "the folder cannot be read")
            }
            nameCount += names.count
            guard nameCount <= Self.maxNames else {
                throw TemplateError(folder, "the folder contains more than \(Self.maxNames) files")
            }
            for name in names where !name.hasPrefix(".") {
                let file = subfolder + name
                guard let status = FileStatus(at: folder + "/" + file) else { continue }
                if status.kind == .folder {
                    if level < Self.maxDepth { pending.append((file + "/", level + 1)) }
                    continue
                }
                let isTemplate = name.hasSuffix(".mustache")
                // A linked folder is listed, and later reported as an error, instead of silently
                // skipped. The path below it follows the link.
                let isLinkedFolder =
                    status.kind == .symbolicLink && FileStatus(at: path + name + "/.") != nil
                guard isTemplate || isLinkedFolder else { continue }
                if isTemplate { byteCount += min(status.size, Self.maxBytes + 1) }
                entries.append(Entry(folder: folder, file: file, status: status))
            }
            guard byteCount <= Self.maxBytes else {
                throw TemplateError(folder, "its templates are larger than 32 MiB")
            }
        }
        return entries
    }
}
