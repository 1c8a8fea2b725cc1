import Web

/// A node of a manifest that is being read: its value and its location.
///
/// A method that throws, throws a `ManifestError` at the node.
struct ManifestNode {
    let path: [String]
    let value: JSON
    /// What was found in the manifest so far.
    let record: ManifestRecord

    /// The line of the value's key.
    var line: Int { record.document.line(at: path) }

    private func child(_ name: String, _ value: JSON) -> ManifestNode {
        ManifestNode(path: path + [name], value: value, record: record)
    }

    /// Whether the node stands for an invalid or missing one: it is read without errors.
    var isReplaced: Bool { record.isReplaced(path) }

    func error(_ detail: String, _ fix: String) -> ManifestError {
        record.error(at: path, detail, fix)
    }

    func typeError(_ expected: String, example: String) -> ManifestError {
        error("Expected \(expected), got \(value.typeName)", "Write it like \(example).")
    }

    /// Throws an error unless `condition` is met.
    func check(
        _ condition: Bool, _ detail: @autoclosure () -> String, _ fix: @autoclosure () -> String
    ) throws { if !condition, !isReplaced { throw error(detail(), fix()) } }

    /// Records an error of a value that can be read.
    func report(_ detail: String, _ fix: String) { record.add(error(detail, fix)) }

    // MARK: Children

    /// The member `name`, or the misspelled one recorded in its place; nil if it is absent or null.
    subscript(name: String) -> ManifestNode? {
        let names = [name, record.misspelledMembers[path]?[name]].compactMap(\.self)
        guard let written = names.first(where: { value[$0] != nil }),
            let value = value[written]?.nonNull, !record.isReplaced(path + [written])
        else { return nil }
        return child(written, value)
    }

    /// The required member `name`.
    func require(_ name: String) throws -> ManifestNode {
        if let node = self[name] { return node }
        if record.isReplaced(path + [name]) { return child(name, "") }
        record.replace(path + [name])
        if isReplaced { return child(name, "") }
        throw error("Missing key \(name)", "Add \(name).")
    }

    /// The member `name`, or an empty object in its place.
    func object(_ name: String) -> ManifestNode { self[name] ?? child(name, [:]) }

    /// Throws if the node is no object, and records every member that is not among `allowed`.
    func allowOnly(_ allowed: [String]) throws {
        let members = try members()
        let missing = allowed.filter { name in !members.contains { $0.name == name } }
        for (name, node) in members where !allowed.contains(name) {
            node.report("Unknown key", SpellingSuggestion.fix(name, allowed, label: "Valid keys"))
            let meant = SpellingSuggestion.nearestName(to: name, in: missing) ?? name
            record.misspelledMembers[path, default: [:]][meant] = name
        }
    }

    /// An object's members in file order.
    func members() throws -> [(name: String, node: ManifestNode)] {
        guard case .object(let members) = value else {
            if isReplaced { return [] }
            throw typeError("object", example: "{ name: … }")
        }
        return members.map { ($0.name, child($0.name, $0.value)) }.filter {
            !record.isReplaced($0.1.path)
        }
    }

    func elements() throws -> [ManifestNode] {
        guard case .array(let elements) = value else {
            if isReplaced { return [] }
            throw typeError("array", example: "[ … ]")
        }
        return elements.enumerated().map { child(String($0), $1) }.filter {
            !record.isReplaced($0.path)
        }
    }

    // MARK: Reading with error recovery

    /// The result of `read`; if that throws, records the error and returns `fallback`.
    ///
    /// Before that it reads the node again without the part that has the error, until all of the
    /// node's errors are recorded.
    func read<Value>(or fallback: @autoclosure () -> Value, _ read: (ManifestNode) throws -> Value)
        -> Value
    {
        var hasProgress = true
        while hasProgress {
            let countBefore = record.replacedCount
            do { return try read(self) } catch let error as ManifestError {
                record.addUnreadable(error)
                if error.path != path.joined(separator: ".") { record.replace(at: error.path) }
            } catch { preconditionFailure("a manifest was read with another error: \(error)") }
            hasProgress = record.replacedCount > countBefore
        }
        return fallback()
    }

    /// The results of `read` for each element, without elements that cannot be read.
    func readElements<Value>(_ read: (ManifestNode) throws -> Value) throws -> [Value] {
        try elements().compactMap { $0.read(or: nil, read) }
    }

    /// The results of `read` for each member and its name, without members that cannot be read.
    func readMembers<Value>(_ read: (ManifestNode, String) throws -> Value) throws -> [Value] {
        try members().compactMap { name, node in node.read(or: nil) { try read($0, name) } }
    }

    /// The results of `read` for the elements of the member `name`; empty if there is none.
    func list<Value>(_ name: String, _ read: (ManifestNode) throws -> Value) -> [Value] {
        self.read(or: []) { try $0[name]?.readElements(read) ?? [] }
    }

    /// The results of `read` for the members of the member `name`; empty if there is none.
    func members<Value>(_ name: String, _ read: (ManifestNode, String) throws -> Value) -> [Value] {
        self.read(or: []) { try $0[name]?.readMembers(read) ?? [] }
    }
}
