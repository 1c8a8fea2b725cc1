/// A place in a manifest that is being read: its value, and where it stands.
struct ManifestNode {
    let file: String
    let path: [String]
    let document: JSON5Document
    /// The line the value's key stands on.
    let line: Int
    /// What was wrong so far, here and elsewhere in the manifest.
    let diagnostics: ManifestDiagnostics

    /// The root.
    init(file: String, document: JSON5Document, diagnostics: ManifestDiagnostics) {
        self.init(
            file: file, path: [], document: document, line: document.line, diagnostics: diagnostics)
    }

    private init(
        file: String, path: [String], document: JSON5Document, line: Int,
        diagnostics: ManifestDiagnostics
    ) {
        self.file = file
        self.path = path
        self.document = document
        self.line = line
        self.diagnostics = diagnostics
    }

    private func child(_ name: String, _ document: JSON5Document, line: Int) -> ManifestNode {
        ManifestNode(
            file: file, path: path + [name], document: document, line: line,
            diagnostics: diagnostics)
    }

    func error(_ detail: String, _ fix: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: line, detail: detail, fix: fix)
    }

    func typeError(_ what: String, example: String) -> ManifestError {
        error("this should be \(what) and is \(document.typeName)", "Write it like \(example).")
    }

    // MARK: Going in

    /// The member `name`, or the one that was probably meant for it; nil if
    /// there is none, or null stands there.
    subscript(name: String) -> ManifestNode? {
        guard case .object(let members) = document.value,
            let member = members.first(where: { $0.name == name })
                ?? diagnostics.writtenName(for: name, in: path).flatMap({ written in
                    members.first { $0.name == written }
                }), member.value.value != .null
        else { return nil }
        return child(member.name, member.value, line: member.line)
    }

    /// The member `name`, which must be there.
    func require(_ name: String) throws(ManifestError) -> ManifestNode {
        if let node = self[name] { return node }
        throw error("\(name) is missing", "Add \(name).")
    }

    /// Refuses what is no object, and notes every member not among `known`.
    func allowOnly(_ known: String...) throws(ManifestError) {
        let members = try members()
        let missing = known.filter { name in !members.contains { $0.name == name } }
        for (name, node) in members where !known.contains(name) {
            diagnostics.record(
                node.error("\(name) is not known here", SpellingSuggestion.fix(name, known)),
                member: name,
                in: path, meaning: SpellingSuggestion.nearestName(to: name, in: missing))
        }
    }

    /// An object's members in the order written.
    func members() throws(ManifestError) -> [(name: String, source: ManifestNode)] {
        guard case .object(let members) = document.value else {
            throw typeError("an object", example: "{ name: … }")
        }
        return members.map { ($0.name, child($0.name, $0.value, line: $0.line)) }
    }

    func elements() throws(ManifestError) -> [ManifestNode] {
        guard case .array(let elements) = document.value else {
            throw typeError("a list", example: "[ … ]")
        }
        return elements.enumerated().map { index, element in
            child(String(index), element, line: element.line)
        }
    }

    // MARK: Going on

    /// What `read` makes of this; nil where that cannot be read, which is
    /// noted.
    func attempt<Value>(_ read: (ManifestNode) throws(ManifestError) -> Value) -> Value? {
        do throws(ManifestError) { return try read(self) } catch {
            diagnostics.recordUnreadable(error)
            return nil
        }
    }

    /// What `read` makes of the member `name`, or of nil where there is none.
    func attempt<Value>(_ name: String, _ read: (ManifestNode?) throws(ManifestError) -> Value)
        -> Value?
    { attempt { node throws(ManifestError) in try read(node[name]) } }

    /// What `read` makes of each element; one that cannot be read is left
    /// out.
    func readElements<Value>(_ read: (ManifestNode) throws(ManifestError) -> Value)
        throws(ManifestError)
        -> [Value]
    { try elements().compactMap { $0.attempt(read) } }

    /// What `read` makes of each member and its name, likewise.
    func readMembers<Value>(_ read: (ManifestNode, String) throws(ManifestError) -> Value)
        throws(ManifestError) -> [Value]
    {
        try members().compactMap { name, node in
            node.attempt { node throws(ManifestError) in try read(node, name) }
        }
    }

    /// The elements of the member `name`, likewise; none where there is none.
    func list<Value>(_ name: String, _ read: (ManifestNode) throws(ManifestError) -> Value)
        -> [Value]
    {
        let list = attempt { node throws(ManifestError) in try node[name]?.readElements(read) }
        return (list ?? nil) ?? []
    }

    /// The members of the member `name`, likewise.
    func members<Value>(
        _ name: String, _ read: (ManifestNode, String) throws(ManifestError) -> Value
    )
        -> [Value]
    {
        let members = attempt { node throws(ManifestError) in try node[name]?.readMembers(read) }
        return (members ?? nil) ?? []
    }
}
