import Glibc
import Surroundings

/// What is asked of the file system: which templates are in a folder.
enum Disk {
    /// A template found below a folder, its name relative to it.
    struct Entry {
        var name: String
        /// The folder it was looked for in, and where it lies below.
        var folder: String
        var file: String
        var facts: FileFacts

        var path: String { folder + "/" + file }
    }

    /// Deeper folders are not looked into.
    private static let depth = 8
    /// More is no folder of templates.
    private static let mostNames = 20_000
    private static let mostBytes = 32 << 20

    /// Every `*.mustache` below `folder`; throws why they cannot be had.
    static func templates(in folder: String) throws(TemplateError) -> [Entry] {
        var walk = Walk(folder: folder)
        guard walk.collect("", 0) else { throw TemplateError(folder, "the folder cannot be read") }
        guard walk.names <= mostNames else {
            throw TemplateError(folder, "the folder holds more than \(mostNames) files")
        }
        guard walk.bytes <= mostBytes else {
            throw TemplateError(folder, "its templates are larger than 32 MiB")
        }
        return walk.entries
    }

    /// One walk over a folder and those in it.
    private struct Walk {
        let folder: String
        var entries: [Entry] = []
        var names = 0
        var bytes = 0

        /// Whether the folder `below`, empty or with its slash, can be read.
        mutating func collect(_ below: String, _ level: Int) -> Bool {
            guard let stream = opendir(folder + "/" + below) else { return false }
            defer { closedir(stream) }
            while names <= mostNames, let record = readdir(stream) {
                names += 1
                let name = withUnsafePointer(to: &record.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard !name.hasPrefix("."), let facts = FileFacts(at: folder + "/" + below + name)
                else { continue }
                if facts.kind == .folder {
                    if level < depth { _ = collect(below + name + "/", level + 1) }
                } else if name.hasSuffix(".mustache") {
                    bytes += min(facts.size, mostBytes + 1)
                    add(below + name, String(name.dropLast(9)), below, facts)
                } else if facts.kind == .link, leadsToFolder(below + name) {
                    // What is in there would be missed without a word.
                    add(below + name, name, below, facts)
                }
            }
            return true
        }

        private mutating func add(
            _ file: String, _ name: String, _ below: String, _ facts: FileFacts
        ) { entries.append(Entry(name: below + name, folder: folder, file: file, facts: facts)) }

        private func leadsToFolder(_ file: String) -> Bool {
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
