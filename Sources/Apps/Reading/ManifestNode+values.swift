import Web

extension ManifestNode {
    func string() throws -> String {
        guard case .string(let text) = value else { throw typeError("string", example: "'text'") }
        return text
    }

    func bool() throws -> Bool {
        guard case .bool(let value) = value else {
            if isReplaced { return false }
            throw typeError("boolean", example: "true")
        }
        return value
    }

    func int(in range: ClosedRange<Int>) throws -> Int {
        guard case .int(let value) = value else {
            if isReplaced { return range.lowerBound }
            throw typeError("integer", example: "\(range.lowerBound)")
        }
        let number = Int(clamping: value)
        try check(
            range.contains(number), "Value out of range",
            "Write a number from \(range.lowerBound) to \(range.upperBound).")
        return number
    }

    func number(in range: ClosedRange<Double>) throws -> Double {
        guard let value = value.number else {
            if isReplaced { return range.lowerBound }
            throw typeError("number", example: "\(range.upperBound)")
        }
        try check(
            range.contains(value), "Value out of range",
            "Write a number from \(range.lowerBound) to \(range.upperBound).")
        return value
    }

    /// A list of strings; a single string is a list of one.
    func strings() throws -> [String] {
        if case .string(let text) = value { return [text] }
        return try elements().map { try $0.string() }
    }

    /// One of an enumeration's raw values.
    func choice<Value>(_ type: Value.Type = Value.self) throws -> Value
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        let text = try string()
        if let value = Value(rawValue: text) { return value }
        if isReplaced, let value = Value.allCases.first { return value }
        let allowed = Value.allCases.map(\.rawValue)
        let failure = error("Invalid value \(text)", SpellingSuggestion.fix(text, allowed))
        guard let value = SpellingSuggestion.nearestName(to: text, in: allowed).flatMap(Value.init)
        else { throw failure }
        // Continue as if the suggested value had been written.
        record.add(failure)
        return value
    }

    func choices<Value>(_ type: Value.Type = Value.self) throws -> [Value]
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        try elements().map { try $0.choice() }
    }

    /// One of `allowed`; `title` names the value in the error.
    func choice(of allowed: [String], _ title: String) throws -> String {
        let text = try string()
        try check(
            allowed.contains(text), "Invalid \(title) \(text)",
            SpellingSuggestion.fix(text, allowed))
        return text
    }

    /// The members read by `read`, by name.
    func dictionary<Value>(_ read: (ManifestNode) throws -> Value) throws -> [String: Value] {
        try members().reduce(into: [:]) { $0[$1.name] = try read($1.node) }
    }

    /// A string, number or boolean as text.
    func scalarText() throws -> String {
        guard let text = value.scalarText else {
            throw typeError("string, number or boolean", example: "'text'")
        }
        return text
    }

    /// A valid name for a URL, a form and a test identifier.
    func identifier(_ name: String) throws -> String {
        let isValid =
            name.utf8.first?.isLetter == true
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        try check(
            isValid, "Invalid name '\(name)'",
            "Start with a letter, then use letters, digits, - and _.")
        return name
    }

    /// A scheme of URLs (RFC 3986, 3.1) that is not one of the web's.
    func urlScheme() throws -> String {
        let text = try string()
        try check(
            text.utf8.first?.isLetter == true
                && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
                && !["http", "https"].contains(text.lowercased()),
            "Invalid URL scheme '\(text)'", "Write it like 'myapp', without ://.")
        return text
    }

    /// JSON Pointers in order; a single one is a list of one.
    func pointers() throws -> [String] {
        let texts = try strings()
        for text in texts { try checkPointer(text) }
        try check(!texts.isEmpty, "No JSON Pointer", "Write one like '/user/id'.")
        return texts
    }

    /// Expected texts by pointer.
    func expectedValues() throws -> [String: String] {
        for (pointer, node) in try members() { try node.checkPointer(pointer) }
        return try dictionary { try $0.scalarText() }
    }

    /// A slash before every token, `~` only in `~0` and `~1` (RFC 6901, 3).
    private func checkPointer(_ text: String) throws {
        let tildes = text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
        try check(
            text.hasPrefix("/") && tildes.allSatisfy { $0.hasPrefix("0") || $0.hasPrefix("1") },
            "Invalid JSON Pointer '\(text)'",
            "Start with a slash; write ~ as ~0 and / in a name as ~1."
                + " '/' alone is the full document.")
    }

    // MARK: Texts and references

    /// A text that users see.
    func text(_ kind: ManifestText.Kind) throws -> String {
        let text = try string()
        record.add(ManifestText(text: text, kind: kind, path: path, line: line))
        return text
    }

    /// Texts that users see; a single one is a list of one.
    func texts(_ kind: ManifestText.Kind) throws -> [String] {
        guard case .array = value else { return [try text(kind)] }
        return try elements().map { try $0.text(kind) }
    }

    /// The member `name` as a text that users see, or Foyer's default text.
    func text(_ name: String, _ kind: ManifestText.Kind, default text: String) throws -> String {
        if let node = self[name] { return try node.text(kind) }
        record.add(ManifestText(text: text, kind: kind, path: path + [name], line: nil))
        return text
    }

    /// A text that may contain the app's variables, and those in `names`; with a `kind` it is one
    /// that users see.
    func template(_ kind: ManifestText.Kind? = nil, also names: [String] = []) throws -> String {
        recordVariables(.variable(also: names))
        return if let kind { try text(kind) } else { try string() }
    }

    /// Records the variables in all strings of the node as references.
    func recordVariables(_ kind: Reference.Kind) {
        if case .string(let text) = value {
            for name in TextTemplate(text).variableNames { refer(to: name, kind) }
        }
        let children = (try? elements()) ?? (try? members().map(\.node)) ?? []
        for child in children { child.recordVariables(kind) }
    }

    /// The name of another part.
    func reference(_ kind: Reference.Kind) throws -> String { refer(to: try string(), kind) }

    /// The names of other parts.
    func references(_ kind: Reference.Kind) throws -> [String] {
        try strings().map { refer(to: $0, kind) }
    }

    /// The names of other parts, each with its own position in the list.
    func listedReferences(_ kind: Reference.Kind) throws -> [String] {
        guard case .array = value else { return [try reference(kind)] }
        return try elements().map { try $0.reference(kind) }
    }

    /// The members read by `read`; their names refer to other parts.
    func dictionary<Value>(of kind: Reference.Kind, _ read: (ManifestNode) throws -> Value) throws
        -> [String: Value]
    {
        for (name, node) in try members() { node.refer(to: name, kind) }
        return try dictionary(read)
    }

    /// Records that the part `name` is used here.
    @discardableResult func refer(to name: String, _ kind: Reference.Kind) -> String {
        if !record.isReplaced(path) { record.add(Reference(name: name, kind: kind, path: path)) }
        return name
    }
}
