import Synchronization

/// All templates as they were at one moment, compiled as they are asked for.
final class Catalogue: Sendable {
    let files: [String: TemplateFile]
    /// Folders that could not be read.
    private let unreadable: [TemplateError]
    private let compiled = Mutex<[String: CompiledTemplate]>([:])

    /// Reads what changed since `earlier` and takes over the rest.
    init(_ scan: Scan, reusing earlier: Catalogue? = nil) {
        files = scan.entries.reduce(into: [:]) { files, entry in
            let (name, entry) = entry
            if let file = earlier?.files[name], file.facts == entry.facts, file.path == entry.path {
                files[name] = file
            } else {
                files[name] = TemplateFile(name: name, entry)
            }
        }
        unreadable = scan.unreadable
    }

    /// Whether nothing on the disk has changed.
    func matches(_ scan: Scan) -> Bool {
        files.count == scan.entries.count && unreadable == scan.unreadable
            && scan.entries.allSatisfy { name, entry in
                files[name]?.facts == entry.facts && files[name]?.path == entry.path
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
            path: file.path, flat: try Flattening.flatten(file, files: files))
        compiled.withLock { $0[name] = made }
        return made
    }

    /// Everything wrong, by file and place, each once.
    func problems() -> [TemplateError] {
        var problems = unreadable
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
