import Core
import Synchronization

/// The templates found by one scan.
final class TemplateCatalog: Sendable {
    let files: [String: TemplateFile]
    private let scan: TemplateScan
    /// The names that a template and its partials look up, once they are known to be valid.
    private let referencedNames = Mutex<[String: ReferencedNames]>([:])

    /// Takes over the unchanged files from `previous`.
    init(_ scan: TemplateScan, reusing previous: TemplateCatalog? = nil) {
        self.scan = scan
        files = scan.entries.reduce(into: [:]) { files, entry in
            let (name, entry) = entry
            let isUnchanged = previous?.scan.entries[name] == entry
            files[name] = isUnchanged ? previous?.files[name] : TemplateFile(name, entry)
        }
    }

    /// Whether no file has changed.
    func matches(_ scan: TemplateScan) -> Bool { self.scan == scan }

    /// Whether a new scan would find no change.
    func isCurrent() -> Bool { scan.isCurrent() }

    func template(_ name: String) throws(TemplateError) -> TemplateFile {
        guard let file = files[name] else {
            throw TemplateError(name + ".mustache", "there is no such template")
        }
        return file
    }

    /// Throws the first error of the template or one of its partials.
    func referencedNames(of template: TemplateFile) throws(TemplateError) -> ReferencedNames {
        if let names = referencedNames.withLock({ $0[template.name] }) { return names }
        var names: Set<String> = []
        var visited: Set<String> = []
        try collectNames(template.nodes.get(), of: template, &names, &visited)
        let referenced = ReferencedNames(names)
        referencedNames.withLock { $0[template.name] = referenced }
        return referenced
    }

    /// Adds the names that `nodes` and their partials look up; `visited` are partials already
    /// added.
    private func collectNames(
        _ nodes: [TemplateNode], of file: TemplateFile, _ names: inout Set<String>,
        _ visited: inout Set<String>
    ) throws(TemplateError) {
        for node in nodes {
            switch node {
            case .text: break
            case .value(let path, _): names.formUnion(path)
            case .section(let path, _, let content):
                names.formUnion(path)
                try collectNames(content, of: file, &names, &visited)
            case .partial(let name, let offset):
                guard let partial = files[name] else {
                    throw TemplateError(
                        file.path, "there is no template \"\(name)\"", at: offset, in: file.source)
                }
                guard visited.insert(name).inserted else { continue }
                try collectNames(partial.nodes.get(), of: partial, &names, &visited)
            }
        }
    }

    /// Every error once, sorted by file and position.
    func errors() -> [TemplateError] {
        var errors = scan.folderErrors
        for file in files.values {
            do { _ = try referencedNames(of: file) } catch {
                if !errors.contains(error) { errors.append(error) }
            }
        }
        return errors.sorted {
            ($0.file, $0.line ?? 0, $0.column ?? 0) < ($1.file, $1.line ?? 0, $1.column ?? 0)
        }
    }
}

/// A template file, read and parsed at its first use.
final class TemplateFile: Sendable {
    /// The path under its folder without `.mustache`, prefix included.
    let name: String
    private let entry: TemplateScan.Entry
    private let lazyContents = AtomicLazyReference<Contents>()

    init(_ name: String, _ entry: TemplateScan.Entry) {
        self.name = name
        self.entry = entry
    }

    var path: String { entry.path }
    var source: [UInt8] { contents.source }
    /// An error if the file cannot be read or parsed.
    var nodes: Result<[TemplateNode], TemplateError> { contents.nodes }

    /// Of a file that cannot be read nothing is stored: the reason may be temporary.
    private var contents: Contents {
        if let contents = lazyContents.load() { return contents }
        let contents = Contents(entry)
        return contents.isComplete ? lazyContents.storeIfNil(contents) : contents
    }

    private final class Contents: Sendable {
        let source: [UInt8]
        let nodes: Result<[TemplateNode], TemplateError>
        /// Whether the file was read.
        let isComplete: Bool

        private static let maxBytes = 256 << 10

        init(_ entry: TemplateScan.Entry) {
            do throws(FolderReader.ReadError) {
                source = try FolderReader.read(entry.file, in: entry.folder, atMost: Self.maxBytes)
                isComplete = true
            } catch {
                source = []
                isComplete = false
                nodes = .failure(TemplateError(entry.path, "\(error)"))
                return
            }
            do { nodes = .success(try TemplateParser.parse(source, path: entry.path)) } catch {
                nodes = .failure(error)
            }
        }
    }
}

/// The names a page and its layout look up, at any depth.
///
/// Members with other names are not encoded, so a model may offer the same data in several forms at
/// no cost. A name is one bit of 1,024, which is faster to check than a member is to write; two
/// names that share a bit are both written, without harm.
final class ReferencedNames: Sendable {
    private let bits: SIMD16<UInt64>

    init(_ names: some Sequence<String>) {
        var bits = SIMD16<UInt64>()
        for name in names {
            let (word, bit) = Self.bitPosition(of: name)
            bits[word] |= bit
        }
        self.bits = bits
    }

    /// The names in either of two sets.
    init(_ first: ReferencedNames, _ second: ReferencedNames) { bits = first.bits | second.bits }

    func contains(_ name: String) -> Bool {
        let (word, bit) = Self.bitPosition(of: name)
        return bits[word] & bit != 0
    }

    /// FNV-1a, whose low bits differ even for short names.
    private static func bitPosition(of name: String) -> (word: Int, bit: UInt64) {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return (Int(hash >> 6 & 15), 1 << UInt64(hash & 63))
    }
}
