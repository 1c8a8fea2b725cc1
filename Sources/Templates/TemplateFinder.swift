import Core
import Glibc

/// What is asked of the file system: which templates are in a folder.
enum TemplateFinder {
    /// A template found below a folder, its name relative to it.
    struct Entry {
        var name: String
        /// The folder it was looked for in, and where it lies below.
        var folder: String
        var file: String
        var status: FileStatus

        var path: String { folder + "/" + file }
    }

    /// Deeper folders are not looked into.
    private static let maxDepth = 8
    /// More is no folder of templates.
    private static let maxNames = 20_000
    private static let maxBytes = 32 << 20

    /// Every `*.mustache` below `folder`; throws why they cannot be had.
    static func templates(in folder: String) throws(TemplateError) -> [Entry] {
        var walk = Traversal(folder: folder)
        guard walk.collect("", 0) else { throw TemplateError(folder, "the folder cannot be read") }
        guard walk.nameCount <= maxNames else {
            throw TemplateError(folder, "the folder holds more than \(maxNames) files")
        }
        guard walk.byteCount <= maxBytes else {
            throw TemplateError(folder, "its templates are larger than 32 MiB")
        }
        return walk.entries
    }

    /// One walk over a folder and those in it.
    private struct Traversal {
        let folder: String
        var entries: [Entry] = []
        var nameCount = 0
        var byteCount = 0

        /// Whether the folder `below`, empty or with its slash, can be read.
        mutating func collect(_ below: String, _ level: Int) -> Bool {
            guard let stream = opendir(folder + "/" + below) else { return false }
            defer { closedir(stream) }
            while nameCount <= maxNames, let record = readdir(stream) {
                nameCount += 1
                let name = withUnsafePointer(to: &record.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard !name.hasPrefix("."), let facts = FileStatus(at: folder + "/" + below + name)
                else { continue }
                if facts.kind == .folder {
                    if level < maxDepth { _ = collect(below + name + "/", level + 1) }
                } else if name.hasSuffix(".mustache") {
                    byteCount += min(facts.size, maxBytes + 1)
                    add(below + name, String(name.dropLast(9)), below, facts)
                } else if facts.kind == .symbolicLink, isLinkToFolder(below + name) {
                    // What is in there would be missed without a word.
                    add(below + name, name, below, facts)
                }
            }
            return true
        }

        private mutating func add(
            _ file: String, _ name: String, _ below: String, _ facts: FileStatus
        ) { entries.append(Entry(name: below + name, folder: folder, file: file, status: facts)) }

        private func isLinkToFolder(_ file: String) -> Bool {
            var status = stat()
            return stat(folder + "/" + file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }
}

extension TemplateError {
    /// Of a file or folder as a whole.
    init(_ path: String, _ detail: String) {
        self.init(file: path, line: nil, column: nil, detail: detail)
    }
}
