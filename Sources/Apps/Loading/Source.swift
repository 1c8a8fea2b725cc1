/// A place in a manifest that is being read: its value, and where it stands.
struct Source {
    let file: String
    let path: [String]
    let outline: Outline
    /// The line the value's key stands on.
    let line: Int

    init(file: String, path: [String] = [], outline: Outline, line: Int) {
        self.file = file
        self.path = path
        self.outline = outline
        self.line = line
    }

    func error(_ detail: String, _ mend: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: line,
            detail: detail, mend: mend)
    }

    func expected(_ what: String, like example: String) -> ManifestError {
        error(
            "this should be \(what) and is \(outline.kind)",
            "Write it like \(example).")
    }

    // MARK: Going in

    /// The member `name`; nil if there is none, or null stands there.
    subscript(name: String) -> Source? {
        guard case .object(let members) = outline.value,
            let member = members.first(where: { $0.name == name }),
            member.value.value != .null
        else { return nil }
        return Source(
            file: file, path: path + [name], outline: member.value,
            line: member.line)
    }

    /// The member `name`, which must be there.
    func need(_ name: String) throws(ManifestError) -> Source {
        if let source = self[name] { return source }
        throw error("\(name) is missing", "Add \(name).")
    }

    /// Refuses what is no object, and every member not among `known`.
    func only(_ known: String...) throws(ManifestError) {
        for (name, source) in try members() where !known.contains(name) {
            throw source.error(
                "\(name) is not known here", Nearest.mend(name, known))
        }
    }

    /// An object's members in the order written.
    func members() throws(ManifestError) -> [(name: String, source: Source)] {
        guard case .object(let members) = outline.value else {
            throw expected("an object", like: "{ name: … }")
        }
        return members.map {
            (
                $0.name,
                Source(
                    file: file, path: path + [$0.name], outline: $0.value,
                    line: $0.line)
            )
        }
    }

    func elements() throws(ManifestError) -> [Source] {
        guard case .array(let elements) = outline.value else {
            throw expected("a list", like: "[ … ]")
        }
        return elements.enumerated().map { index, element in
            Source(
                file: file, path: path + [String(index)], outline: element,
                line: element.line)
        }
    }
}
