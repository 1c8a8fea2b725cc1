import Synchronization

/// The templates found by one scan, compiled on first use.
final class TemplateCatalog: Sendable {
    let files: [String: TemplateFile]
    /// Folders that could not be read.
    private let folderErrors: [TemplateError]
    private let compiled = Mutex<[String: CompiledTemplate]>([:])

    /// Reads the changed files and takes over the others from `previous`.
    init(_ scan: TemplateScan, reusing previous: TemplateCatalog? = nil) {
        files = scan.entries.reduce(into: [:]) { files, entry in
            let (name, entry) = entry
            if let file = previous?.files[name], file.status == entry.status,
                file.path == entry.path
            {
                files[name] = file
            } else {
                files[name] = TemplateFile(name: name, entry)
            }
        }
        folderErrors = scan.folderErrors
    }

    /// Whether no file has changed.
    func matches(_ scan: TemplateScan) -> Bool {
        files.count == scan.entries.count && folderErrors == scan.folderErrors
            && scan.entries.allSatisfy { name, entry in
                files[name]?.status == entry.status && files[name]?.path == entry.path
            }
    }

    func template(_ name: String) throws(TemplateError) -> CompiledTemplate {
        if let template = compiled.withLock({ $0[name] }) { return template }
        guard let file = files[name] else {
            throw TemplateError(
                file: name + ".mustache", line: nil, column: nil,
                detail: "there is no such template")
        }
        let template = CompiledTemplate(
            path: file.path, inlined: try PartialInliner.inlinePartials(of: file, files: files))
        compiled.withLock { $0[name] = template }
        return template
    }

    /// Every error once, sorted by file and position.
    func errors() -> [TemplateError] {
        var errors = folderErrors
        for name in files.keys {
            do { _ = try template(name) } catch {
                if !errors.contains(error) { errors.append(error) }
            }
        }
        return errors.sorted {
            ($0.file, $0.line ?? 0, $0.column ?? 0) < ($1.file, $1.line ?? 0, $1.column ?? 0)
        }
    }
}

/// The templates in the folders by name, with their paths and file status; nothing is read.
struct TemplateScan {
    private(set) var entries: [String: TemplateFinder.Entry] = [:]
    private(set) var folderErrors: [TemplateError] = []

    /// An earlier folder takes precedence for duplicate names.
    init(_ folders: [Templates.Folder]) {
        for folder in folders {
            do {
                for entry in try TemplateFinder.templates(in: folder.path) {
                    let name = folder.prefix.isEmpty ? entry.name : folder.prefix + "/" + entry.name
                    if entries[name] == nil { entries[name] = entry }
                }
            } catch { folderErrors.append(error) }
        }
    }
}
