import Web

extension ManifestNode {
    func string() throws(ManifestError) -> String {
        guard case .string(let text) = document.value else {
            throw typeError("string", example: "'text'")
        }
        return text
    }

    func bool() throws(ManifestError) -> Bool {
        guard case .bool(let value) = document.value else {
            throw typeError("boolean", example: "true")
        }
        return value
    }

    func int(in range: ClosedRange<Int>) throws(ManifestError) -> Int {
        guard case .int(let value) = document.value else {
            throw typeError("integer", example: "\(range.lowerBound)")
        }
        guard let value = Int(exactly: value), range.contains(value) else {
            throw rangeError("\(range.lowerBound)", "\(range.upperBound)")
        }
        return value
    }

    func number(in range: ClosedRange<Double>) throws(ManifestError) -> Double {
        let value: Double
        switch document.value {
        case .int(let integer): value = Double(integer)
        case .double(let number): value = number
        default: throw typeError("number", example: "\(range.upperBound)")
        }
        guard range.contains(value) else {
            throw rangeError("\(range.lowerBound)", "\(range.upperBound)")
        }
        return value
    }

    private func rangeError(_ lowest: String, _ highest: String) -> ManifestError {
        error("Value out of range", "Write a number from \(lowest) to \(highest).")
    }

    /// A list of strings; a single string is a list of one.
    func strings() throws(ManifestError) -> [String] {
        if case .string(let text) = document.value { return [text] }
        var strings: [String] = []
        for element in try elements() { strings.append(try element.string()) }
        return strings
    }

    /// One of an enumeration's raw values.
    func choice<Value>(_ type: Value.Type = Value.self) throws(ManifestError) -> Value
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        let text = try string()
        if let value = Value(rawValue: text) { return value }
        let allowed = Value.allCases.map(\.rawValue)
        let failure = error(
            "Invalid value \(text)", SpellingSuggestion.fix(text, allowed))
        guard let value = SpellingSuggestion.nearestName(to: text, in: allowed).flatMap(Value.init)
        else { throw failure }
        // Continue as if the suggested value had been written.
        diagnostics.record(failure)
        return value
    }

    func choices<Value>(_ type: Value.Type = Value.self) throws(ManifestError) -> [Value]
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        var values: [Value] = []
        for element in try elements() { values.append(try element.choice()) }
        return values
    }

    /// The members' strings by name.
    func stringMembers() throws(ManifestError) -> [String: String] {
        var texts: [String: String] = [:]
        for (name, node) in try members() { texts[name] = try node.string() }
        return texts
    }

    /// A string, number or boolean as text.
    func scalarText() throws(ManifestError) -> String {
        guard let text = document.json.scalarText else {
            throw typeError("string, number or boolean", example: "'text'")
        }
        return text
    }

    /// A valid name for a URL, a form and a test identifier.
    func identifier(_ name: String) throws(ManifestError) -> String {
        let isValid = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                index > 0
            default: false
            }
        }
        guard isValid, !name.isEmpty else {
            throw error(
                "Invalid name '\(name)'",
                "Start with a letter, then use letters, digits, - and _.")
        }
        return name
    }
}
