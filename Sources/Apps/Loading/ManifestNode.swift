/// A node of a manifest that is being read: its value and its location.
struct ManifestNode {
    let file: String
    let path: [String]
    let document: JSON5Document
    /// The line of the value's key.
    let line: Int
    /// The errors of the manifest so far.
    let diagnostics: ManifestDiagnostics

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

    func typeError(_ expected: String, example: String) -> ManifestError {
        error("Expected \(expected), got \(document.typeName)", "Write it like \(example).")
    }

    // MARK: Children

    /// The member `name`, or the misspelled one recorded in its place; nil if it is absent or null.
    subscript(name: String) -> ManifestNode? {
        guard case .object(let members) = document.value,
            let member = members.first(where: { $0.name == name })
                ?? diagnostics.writtenName(for: name, in: path).flatMap({ written in
                    members.first { $0.name == written }
                }), member.value.value != .null
        else { return nil }
        return child(member.name, member.value, line: member.line)
    }

    /// The required member `name`.
    func require(_ name: String) throws(ManifestError) -> ManifestNode {
        if let node = self[name] { return node }
        throw error("Missing key \(name)", "Add \(name).")
    }

    /// Throws if the node is no object, and records every member that is not among `allowed`.
    func allowOnly(_ allowed: String...) throws(ManifestError) {
        let members = try members()
        let missing = allowed.filter { name in !members.contains { $0.name == name } }
        for (name, node) in members where !allowed.contains(name) {
            diagnostics.record(
                node.error(
                    "Unknown key", SpellingSuggestion.fix(name, allowed, label: "Valid keys")),
                member: name,
                in: path, meaning: SpellingSuggestion.nearestName(to: name, in: missing))
        }
    }

    /// An object's members in file order.
    func members() throws(ManifestError) -> [(name: String, source: ManifestNode)] {
        guard case .object(let members) = document.value else {
            throw typeError("object", example: "{ name: … }")
        }
        return members.map { ($0.name, child($0.name, $0.value, line: $0.line)) }
    }

    func elements() throws(ManifestError) -> [ManifestNode] {
        guard case .array(let elements) = document.value else {
            throw typeError("array", example: "[ … ]")
        }
        return elements.enumerated().map { index, element in
            child(String(index), element, line: element.line)
        }
    }

    // MARK: Reading with error recovery

    /// The result of `read`; if that throws, records the error and returns nil.
    func attempt<Value>(_ read: (ManifestNode) throws(ManifestError) -> Value) -> Value? {
        do throws(ManifestError) { return try read(self) } catch {
            diagnostics.recordUnreadable(error)
            return nil
        }
    }

    /// The result of `read` for the member `name`, or for nil if there is none.
    func attempt<Value>(_ name: String, _ read: (ManifestNode?) throws(ManifestError) -> Value)
        -> Value?
    { attempt { node throws(ManifestError) in try read(node[name]) } }

    /// The results of `read` for each element, without elements that cannot be read.
    func readElements<Value>(_ read: (ManifestNode) throws(ManifestError) -> Value)
        throws(ManifestError)
        -> [Value]
    { try elements().compactMap { $0.attempt(read) } }

    /// The results of `read` for each member and its name, without members that cannot be read.
    func readMembers<Value>(_ read: (ManifestNode, String) throws(ManifestError) -> Value)
        throws(ManifestError) -> [Value]
    {
        try members().compactMap { name, node in
            node.attempt { node throws(ManifestError) in try read(node, name) }
        }
    }

    /// The results of `read` for the elements of the member `name`; empty if there is none.
    func list<Value>(_ name: String, _ read: (ManifestNode) throws(ManifestError) -> Value)
        -> [Value]
    {
        let list = attempt { node throws(ManifestError) in try node[name]?.readElements(read) }
        return (list ?? nil) ?? []
    }

    /// The results of `read` for the members of the member `name`; empty if there is none.
    func members<Value>(
        _ name: String, _ read: (ManifestNode, String) throws(ManifestError) -> Value
    )
        -> [Value]
    {
        let members = attempt { node throws(ManifestError) in try node[name]?.readMembers(read) }
        return (members ?? nil) ?? []
    }
}
