/// A place in a manifest that is being read: its value, and where it stands.
struct Source {
    let file: String
    let path: [String]
    let outline: Outline
    /// The line the value's key stands on.
    let line: Int
    /// What was wrong so far, here and elsewhere in the manifest.
    let mistakes: Mistakes

    /// The root.
    init(file: String, outline: Outline, mistakes: Mistakes) {
        self.init(file: file, path: [], outline: outline, line: outline.line, mistakes: mistakes)
    }

    private init(file: String, path: [String], outline: Outline, line: Int, mistakes: Mistakes) {
        self.file = file
        self.path = path
        self.outline = outline
        self.line = line
        self.mistakes = mistakes
    }

    private func part(_ name: String, _ outline: Outline, line: Int) -> Source {
        Source(file: file, path: path + [name], outline: outline, line: line, mistakes: mistakes)
    }

    func error(_ detail: String, _ mend: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: line, detail: detail, mend: mend)
    }

    func expected(_ what: String, like example: String) -> ManifestError {
        error("this should be \(what) and is \(outline.kind)", "Write it like \(example).")
    }

    // MARK: Going in

    /// The member `name`, or the one that was probably meant for it; nil if
    /// there is none, or null stands there.
    subscript(name: String) -> Source? {
        guard case .object(let members) = outline.value,
            let member = members.first(where: { $0.name == name })
                ?? mistakes.written(for: name, in: path).flatMap({ written in
                    members.first { $0.name == written }
                }), member.value.value != .null
        else { return nil }
        return part(member.name, member.value, line: member.line)
    }

    /// The member `name`, which must be there.
    func need(_ name: String) throws(ManifestError) -> Source {
        if let source = self[name] { return source }
        throw error("\(name) is missing", "Add \(name).")
    }

    /// Refuses what is no object, and notes every member not among `known`.
    func only(_ known: String...) throws(ManifestError) {
        let members = try members()
        let missing = known.filter { name in !members.contains { $0.name == name } }
        for (name, source) in members where !known.contains(name) {
            mistakes.note(
                source.error("\(name) is not known here", Nearest.mend(name, known)), member: name,
                in: path, meaning: Nearest.name(to: name, in: missing))
        }
    }

    /// An object's members in the order written.
    func members() throws(ManifestError) -> [(name: String, source: Source)] {
        guard case .object(let members) = outline.value else {
            throw expected("an object", like: "{ name: … }")
        }
        return members.map { ($0.name, part($0.name, $0.value, line: $0.line)) }
    }

    func elements() throws(ManifestError) -> [Source] {
        guard case .array(let elements) = outline.value else {
            throw expected("a list", like: "[ … ]")
        }
        return elements.enumerated().map { index, element in
            part(String(index), element, line: element.line)
        }
    }

    // MARK: Going on

    /// What `read` makes of this; nil where that cannot be read, which is
    /// noted.
    func attempt<Value>(_ read: (Source) throws(ManifestError) -> Value) -> Value? {
        do throws(ManifestError) { return try read(self) } catch {
            mistakes.lose(error)
            return nil
        }
    }

    /// What `read` makes of the member `name`, or of nil where there is none.
    func attempt<Value>(_ name: String, _ read: (Source?) throws(ManifestError) -> Value) -> Value?
    { attempt { source throws(ManifestError) in try read(source[name]) } }

    /// What `read` makes of each element; one that cannot be read is left
    /// out.
    func each<Value>(_ read: (Source) throws(ManifestError) -> Value) throws(ManifestError)
        -> [Value]
    { try elements().compactMap { $0.attempt(read) } }

    /// What `read` makes of each member and its name, likewise.
    func eachMember<Value>(_ read: (Source, String) throws(ManifestError) -> Value)
        throws(ManifestError) -> [Value]
    {
        try members().compactMap { name, source in
            source.attempt { source throws(ManifestError) in try read(source, name) }
        }
    }

    /// The elements of the member `name`, likewise; none where there is none.
    func list<Value>(_ name: String, _ read: (Source) throws(ManifestError) -> Value) -> [Value] {
        let list = attempt { source throws(ManifestError) in try source[name]?.each(read) }
        return (list ?? nil) ?? []
    }

    /// The members of the member `name`, likewise.
    func members<Value>(_ name: String, _ read: (Source, String) throws(ManifestError) -> Value)
        -> [Value]
    {
        let members = attempt { source throws(ManifestError) in try source[name]?.eachMember(read) }
        return (members ?? nil) ?? []
    }
}
