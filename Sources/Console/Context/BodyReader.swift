import FoundationEssentials
import Web

/// Reads a JSON object field by field and collects all errors.
///
/// `finish()` throws one `Problem` that names every invalid field, so that the caller can fix all
/// of them at once.
struct BodyReader {
    private let members: [JSON.Member]
    /// The JSON Pointer of a nested object, `/seed`; empty for the body itself.
    private var pointerPrefix = ""
    private var readNames: Set<String> = []
    private var errors: [Problem.FieldError] = []

    /// Parses the request's body. With `optional`, an empty body counts as an empty object.
    init(_ request: Request, optional: Bool = false) throws(Problem) {
        if optional, request.body.isEmpty {
            members = []
            return
        }
        if let type = request.headers["Content-Type"],
            !type.lowercased().hasPrefix("application/json")
        {
            throw Problem(
                status: 415, code: "not-json", title: "The body is not JSON",
                detail: "Send Content-Type: application/json.")
        }
        let json: JSON
        do { json = try JSON(parsing: request.body) } catch {
            throw Problem(
                status: 400, code: "malformed-json", title: "The body is not valid JSON",
                detail: "Send one JSON object in UTF-8.")
        }
        guard case .object(let members) = json else {
            throw Problem(
                status: 400, code: "not-an-object", title: "The body is not a JSON object",
                detail: "Send the fields as { … }.")
        }
        self.members = members
    }

    private init(part members: [JSON.Member], pointerPrefix: String) {
        self.members = members
        self.pointerPrefix = pointerPrefix
    }

    /// A reader for a nested object. Pass it to `collectErrors(of:)` after reading its fields.
    mutating func object(_ name: String) -> BodyReader? {
        guard let value = readValue(name) else { return nil }
        guard case .object(let members) = value else {
            addError(name, "must be an object")
            return nil
        }
        return BodyReader(part: members, pointerPrefix: "\(pointerPrefix)/\(name)")
    }

    /// Adds the errors of a nested object, including unknown fields, after its fields were read.
    mutating func collectErrors(of part: BodyReader) {
        var part = part
        part.addUnknownFieldErrors()
        errors += part.errors
    }

    /// For a call that takes no fields: throws unless the body is empty or an empty object.
    static func requireEmptyBody(_ request: Request) throws(Problem) {
        var body = try BodyReader(request, optional: true)
        try body.finish()
    }

    private func member(_ name: String) -> JSON? { members.first { $0.name == name }?.value }

    func has(_ name: String) -> Bool { member(name) != nil }

    mutating func string(_ name: String, limit: Int = 1_024) -> String? {
        guard let value = readValue(name) else { return nil }
        guard let text = value.string else {
            addError(name, "must be a string")
            return nil
        }
        guard text.utf8.count <= limit else {
            addError(name, "is longer than \(limit) bytes")
            return nil
        }
        guard !text.utf8.contains(0) else {
            addError(name, "contains a NUL character")
            return nil
        }
        return text
    }

    mutating func requiredString(_ name: String, limit: Int = 1_024) -> String {
        guard readValue(name) != nil else {
            addError(name, "is missing")
            return ""
        }
        return string(name, limit: limit) ?? ""
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, of: Choice.Type)
        -> Choice? where Choice.RawValue == String
    {
        guard let text = string(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        addError(name, "is \"\(text)\"; valid values: \(words)")
        return nil
    }

    mutating func integer(_ name: String) -> Int? {
        guard let value = readValue(name) else { return nil }
        guard let number = value.int.flatMap(Int.init(exactly:)) else {
            addError(name, "must be an integer")
            return nil
        }
        return number
    }

    /// A finite number.
    mutating func number(_ name: String) -> Double? {
        guard let value = readValue(name) else { return nil }
        guard let number = value.number, number.isFinite else {
            addError(name, "must be a number")
            return nil
        }
        return number
    }

    /// A time in RFC 3339 format.
    mutating func time(_ name: String) -> Date? {
        guard let text = string(name) else { return nil }
        if let date = Date(iso8601: text) { return date }
        addError(name, "must be a time such as 2026-11-21T14:35:15Z")
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        guard let value = readValue(name) else { return nil }
        guard let flag = value.bool else {
            addError(name, "must be a boolean")
            return nil
        }
        return flag
    }

    /// An object whose members are strings.
    mutating func strings(_ name: String) -> [String: String]? {
        guard let value = readValue(name) else { return nil }
        guard case .object(let members) = value else {
            addError(name, "must be an object of strings")
            return nil
        }
        var strings: [String: String] = [:]
        for member in members {
            guard let text = member.value.string else {
                addError("\(name)/\(member.name)", "must be a string")
                continue
            }
            strings[member.name] = text
        }
        return strings
    }

    /// An object whose members are Booleans.
    mutating func flags(_ name: String) -> [String: Bool]? {
        guard let value = readValue(name) else { return nil }
        guard case .object(let members) = value else {
            addError(name, "must be an object of booleans")
            return nil
        }
        var flags: [String: Bool] = [:]
        for member in members {
            guard let flag = member.value.bool else {
                addError("\(name)/\(member.name)", "must be a boolean")
                continue
            }
            flags[member.name] = flag
        }
        return flags
    }

    /// The raw value, nil if it is absent or null. Marks the field as known.
    mutating func readValue(_ name: String) -> JSON? {
        readNames.insert(name)
        guard let value = member(name), value != .null else { return nil }
        return value
    }

    mutating func addError(_ name: String, _ detail: String) {
        errors.append(.init(pointer: "\(pointerPrefix)/\(name)", detail: detail))
    }

    private mutating func addUnknownFieldErrors() {
        for member in members where !readNames.contains(member.name) {
            let names = readNames.sorted().joined(separator: ", ")
            addError(
                member.name,
                readNames.isEmpty
                    ? "is unknown; this call has no fields" : "is unknown; valid fields: \(names)")
        }
    }

    /// Throws if any field is invalid or unknown.
    mutating func finish() throws(Problem) {
        addUnknownFieldErrors()
        guard errors.isEmpty else { throw Problem(errors: errors) }
    }
}

extension BodyReader {
    /// An integer within `range`; nil if the field is absent.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = readValue(name) else { return nil }
        guard let number = value.int.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            addError(name, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// Whether the field is present and null.
    mutating func isNull(_ name: String) -> Bool { has(name) && readValue(name) == nil }
}
