import Synchronization

/// All templates as they were at one moment, compiled as they are asked for.
final class TemplateCatalog: Sendable {
    let files: [String: TemplateFile]
    /// Folders that could not be read.
    private let folderErrors: [TemplateError]
    private let compiled = Mutex<[String: CompiledTemplate]>([:])

    /// Reads what changed since `earlier` and takes over the rest.
    init(_ scan: TemplateScan, reusing earlier: TemplateCatalog? = nil) {
        files = scan.entries.reduce(into: [:]) { files, entry in
            let (name, entry) = entry
            if let file = earlier?.files[name], file.status == entry.status, file.path == entry.path
            {
                files[name] = file
            } else {
                files[name] = TemplateFile(name: name, entry)
            }
        }
        folderErrors = scan.folderErrors
    }

    /// Whether nothing on the disk has changed.
    func matches(_ scan: TemplateScan) -> Bool {
        files.count == scan.entries.count && folderErrors == scan.folderErrors
            && scan.entries.allSatisfy { name, entry in
                files[name]?.status == entry.status && files[name]?.path == entry.path
            }
    }

    func template(_ name: String) throws(TemplateError) -> CompiledTemplate {
        if let known = compiled.withLock({ $0[name] }) { return known }
        guard let file = files[name] else {
            throw TemplateError(
                file: name + ".mustache", line: nil, column: nil,
                detail: "there is no such template")
        }
        let made = CompiledTemplate(
            path: file.path, inlined: try PartialInliner.inlinePartials(of: file, files: files))
        compiled.withLock { $0[name] = made }
        return made
    }

    /// Everything wrong, by file and place, each once.
    func errors() -> [TemplateError] {
        var problems = folderErrors
        for name in files.keys {
            do { _ = try template(name) } catch {
                if !problems.contains(error) { problems.append(error) }
            }
        }
        return problems.sorted {
            ($0.file, $0.line ?? 0, $0.column ?? 0) < ($1.file, $1.line ?? 0, $1.column ?? 0)
        }
    }
}
