import FoundationEssentials
import Web

/// Reads a JSON object field by field and collects all errors.
///
/// `finish()` throws one `Problem` that names every invalid field, so that the caller can fix all
/// of them at once. A null counts as an absent field.
struct BodyReader {
    private let members: [JSON.Member]
    /// The JSON Pointer of a nested object, `/seed`; empty for the body itself.
    private var pointerPrefix = ""
    private var names: Set<String> = []
    private var errors: [Problem.FieldError] = []
    /// The schema of each field that was read; nil in a reader of a request.
    private var schemas: [JSON.Member]?
    private var requiredNames: [String] = []

    /// A reader that describes the fields.
    init() {
        members = []
        schemas = []
    }

    /// A reader of a parsed object.
    init(members: [JSON.Member], pointerPrefix: String = "") {
        self.members = members
        self.pointerPrefix = pointerPrefix
    }

    /// Parses the request's body. With `isOptional`, an empty body counts as an empty object.
    init(_ request: Request, isOptional: Bool = false) throws(Problem) {
        if isOptional, request.body.isEmpty {
            members = []
            return
        }
        try Self.requireJSON(request)
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

    /// Throws a 415 if the request names another media type.
    static func requireJSON(_ request: Request) throws(Problem) {
        guard let type = request.headers["Content-Type"],
            !type.lowercased().hasPrefix("application/json")
        else { return }
        throw Problem(
            status: 415, code: "not-json", title: "The body is not JSON",
            detail: "Send Content-Type: application/json.")
    }

    /// The schema of the fields that were read; nil if there are none.
    var schema: JSON? {
        guard let schemas, !schemas.isEmpty else { return nil }
        return Schema.object(schemas, required: requiredNames)
    }

    /// Whether no field that was read is invalid, and all fields are known.
    var isValid: Bool { errorsWithUnknownFields.isEmpty }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// Whether the field is present and null.
    func isNull(_ name: String) -> Bool { has(name) && member(name) == .null }

    private func member(_ name: String) -> JSON? { members.first { $0.name == name }?.value }

    /// The value of a field, nil if it is absent.
    mutating func value(
        _ name: String, _ schema: @autoclosure () -> JSON, isRequired: Bool = false
    ) -> JSON? {
        names.insert(name)
        if schemas != nil {
            schemas?.append(.init(name, isRequired ? schema() : Schema.nullable(schema())))
            if isRequired { requiredNames.append(name) }
            return nil
        }
        if let value = member(name), value != .null { return value }
        if isRequired { addError(name, "is missing") }
        return nil
    }

    /// Converts the value of a field; a value that `convert` rejects is an error with `rule`.
    mutating func value<Value>(
        _ name: String, _ schema: @autoclosure () -> JSON, isRequired: Bool = false,
        rule: @autoclosure () -> String, convert: (JSON) -> Value?
    ) -> Value? {
        guard let json = value(name, schema(), isRequired: isRequired) else { return nil }
        if let value = convert(json) { return value }
        addError(name, rule())
        return nil
    }

    /// A string of at most `limit` bytes, without NUL.
    mutating func string(
        _ name: String, limit: Int = 1_024, isRequired: Bool = false,
        schema: @autoclosure () -> JSON = Schema.string
    ) -> String? {
        let text = value(
            name, schema(), isRequired: isRequired, rule: "must be a string", convert: \.string)
        guard let text else { return nil }
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

    /// A string of any length.
    mutating func text(_ name: String) -> String? {
        value(name, Schema.string, rule: "must be a string", convert: \.string)
    }

    mutating func requiredString(
        _ name: String, limit: Int = 1_024, schema: @autoclosure () -> JSON = Schema.string
    ) -> String {
        string(name, limit: limit, isRequired: true, schema: schema()) ?? ""
    }

    mutating func choice(
        _ name: String, among words: [String], isRequired: Bool = false,
        schema: @autoclosure () -> JSON? = nil
    ) -> String? {
        guard
            let text = string(
                name, isRequired: isRequired, schema: schema() ?? Schema.choice(words))
        else { return nil }
        if words.contains(text) { return text }
        addError(name, "is \"\(text)\"; valid values: \(words.joined(separator: ", "))")
        return nil
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of: Choice.Type, isRequired: Bool = false
    ) -> Choice? {
        choice(
            name, among: Choice.allCases.map(\.rawValue), isRequired: isRequired,
            schema: Schema.choice(of: Choice.self)
        ).flatMap(Choice.init(rawValue:))
    }

    mutating func integer(_ name: String, schema: @autoclosure () -> JSON = Schema.integer) -> Int?
    { value(name, schema(), rule: "must be an integer") { $0.int.flatMap(Int.init(exactly:)) } }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        value(
            name, Schema.integer(in: range),
            rule: "must be an integer from \(range.lowerBound) to \(range.upperBound)"
        ) {
            $0.int.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A finite number.
    mutating func number(_ name: String, schema: @autoclosure () -> JSON = Schema.number) -> Double?
    {
        value(name, schema(), rule: "must be a number") { json in
            json.number.flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// A time in RFC 3339 format.
    mutating func time(_ name: String) -> Date? {
        guard let text = string(name, schema: Schema.time) else { return nil }
        if let date = Date(iso8601: text) { return date }
        addError(name, "must be a time such as 2026-11-21T14:35:15Z")
        return nil
    }

    mutating func bool(_ name: String, isRequired: Bool = false) -> Bool? {
        value(name, Schema.bool, isRequired: isRequired, rule: "must be a boolean", convert: \.bool)
    }

    /// An object whose members are strings.
    mutating func strings(_ name: String, isRequired: Bool = false) -> [String: String]? {
        map(
            name, of: Schema.string, typeName: "string", isRequired: isRequired, convert: \.string)
    }

    /// An object whose members are Booleans.
    mutating func flags(_ name: String) -> [String: Bool]? {
        map(name, of: Schema.bool, typeName: "boolean", convert: \.bool)
    }

    /// An object whose members are objects.
    mutating func objects(_ name: String) -> [String: [JSON.Member]]? {
        map(name, of: Schema.anyObject, typeName: "object") { json in
            guard case .object(let members) = json else { return nil }
            return members
        }
    }

    /// An array of strings.
    mutating func texts(_ name: String) -> [String]? {
        value(name, Schema.array(Schema.string), rule: "must be an array of strings") { json in
            guard case .array(let items) = json else { return nil }
            let texts = items.compactMap(\.string)
            return texts.count == items.count ? texts : nil
        }
    }

    private mutating func map<Value>(
        _ name: String, of schema: JSON, typeName: String, isRequired: Bool = false,
        convert: (JSON) -> Value?
    ) -> [String: Value]? {
        guard let value = value(name, Schema.map(schema), isRequired: isRequired) else {
            return nil
        }
        guard case .object(let members) = value else {
            addError(name, "must be an object of \(typeName)s")
            return nil
        }
        var values: [String: Value] = [:]
        for member in members {
            guard let value = convert(member.value) else {
                addError("\(name)/\(member.name)", "must be a \(typeName)")
                continue
            }
            values[member.name] = value
        }
        return values
    }

    /// A nested object, whose fields `read` reads.
    mutating func object<Value>(_ name: String, read: (inout BodyReader) -> Value) -> Value? {
        if schemas != nil {
            var part = BodyReader()
            _ = read(&part)
            _ = value(name, part.schema ?? Schema.anyObject)
            return nil
        }
        guard let value = value(name, Schema.anyObject) else { return nil }
        guard case .object(let members) = value else {
            addError(name, "must be an object")
            return nil
        }
        var part = BodyReader(members: members, pointerPrefix: "\(pointerPrefix)/\(name)")
        let result = read(&part)
        errors += part.errorsWithUnknownFields
        return result
    }

    /// One of `words`, as `convert` understands it, or an object whose fields `read` reads.
    mutating func choice<Value>(
        _ name: String, among words: [String], convert: (String) -> Value?,
        orObject read: (inout BodyReader) -> Value
    ) -> Value? {
        if member(name)?.string != nil { return choice(name, among: words).flatMap(convert) }
        let value = object(name, read: read)
        if let last = schemas?.indices.last, let object = schemas?[last].value {
            schemas?[last].value = Schema.anyOf([Schema.choice(words), object])
        }
        return value
    }

    mutating func addError(_ name: String, _ detail: String) {
        errors.append(.init(pointer: "\(pointerPrefix)/\(name)", detail: detail))
    }

    private var errorsWithUnknownFields: [Problem.FieldError] {
        let valid = names.sorted().joined(separator: ", ")
        return errors
            + members.filter { !names.contains($0.name) }.map { member in
                .init(
                    pointer: "\(pointerPrefix)/\(member.name)",
                    detail: valid.isEmpty
                        ? "is unknown; this call has no fields"
                        : "is unknown; valid fields: \(valid)")
            }
    }

    /// Throws if any field is invalid or unknown.
    func finish() throws(Problem) {
        let errors = errorsWithUnknownFields
        guard errors.isEmpty else { throw Problem(errors: errors) }
    }
}
