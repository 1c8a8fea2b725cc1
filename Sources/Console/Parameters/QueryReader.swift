import FoundationEssentials
import Web

/// Reads the query of a URL parameter by parameter and collects all errors.
struct QueryReader {
    /// What is known of a parameter, from reading it.
    struct Parameter {
        let name: String
        let schema: JSON
        let description: String
    }

    private var items: [Form.Item]
    private let isDescribing: Bool
    private(set) var parameters: [Parameter] = []
    private var names: Set<String> = []
    private var errors: [Problem.FieldError] = []

    /// A reader that describes.
    init() {
        items = []
        isDescribing = true
    }

    /// `names` are allowed too; they are read elsewhere.
    init(_ context: RequestContext, allowing names: [String] = []) {
        items = context.target.query
        isDescribing = false
        self.names = Set(names)
    }

    /// The first value of each parameter.
    var values: [String: String] {
        Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// A reader of values whose names were already checked.
    init(_ values: [String: String]) {
        items = values.map { .init(name: $0.key, value: $0.value) }
        isDescribing = false
        names = Set(values.keys)
    }

    /// The value of a parameter, nil if it is absent.
    mutating func string(
        _ name: String, _ description: String, schema: @autoclosure () -> JSON = Schema.string
    ) -> String? {
        names.insert(name)
        if isDescribing {
            parameters.append(.init(name: name, schema: schema(), description: description))
        }
        return items.first { $0.name == name }?.value
    }

    /// Converts the value of a parameter; a value that `convert` rejects is an error with `rule`.
    mutating func value<Value>(
        _ name: String, _ description: String, schema: @autoclosure () -> JSON,
        rule: @autoclosure () -> String, convert: (String) -> Value?
    ) -> Value? {
        guard let text = string(name, description, schema: schema()) else { return nil }
        if let value = convert(text) { return value }
        addError(name, rule())
        return nil
    }

    mutating func choice(
        _ name: String, _ description: String, among words: [String],
        schema: @autoclosure () -> JSON? = nil
    ) -> String? {
        value(
            name, description, schema: schema() ?? Schema.choice(words),
            rule: "must be "
                + (words.count < 3
                    ? words.joined(separator: " or ") : "one of " + words.joined(separator: ", "))
        ) { words.contains($0) ? $0 : nil }
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ description: String, of: Choice.Type
    ) -> Choice? {
        choice(
            name, description, among: Choice.allCases.map(\.rawValue),
            schema: Schema.choice(of: Choice.self)
        ).flatMap(Choice.init(rawValue:))
    }

    /// A time in RFC 3339 format.
    mutating func time(_ name: String, _ description: String) -> Date? {
        value(
            name, description, schema: Schema.time,
            rule: "must be a time such as 2026-11-21T14:35:15Z"
        ) { Date(iso8601: $0) }
    }

    mutating func addError(_ name: String, _ detail: String) {
        errors.append(.init(pointer: "?\(name)", detail: detail))
    }

    /// Throws if any parameter is invalid, unknown or given twice.
    func finish() throws(Problem) {
        let errors = errors + items.errors(allowing: names)
        guard errors.isEmpty else { throw .invalidParameters(errors) }
    }
}

/// JSON Schemas (2020-12).
enum Schema {
    static let string: JSON = ["type": "string"]
    static let integer: JSON = ["type": "integer"]
    static let number: JSON = ["type": "number"]
    static let bool: JSON = ["type": "boolean"]
    static let time: JSON = ["type": "string", "format": "date-time"]
    /// An object with any members.
    static let anyObject: JSON = ["type": "object"]

    static func integer(in range: ClosedRange<Int>) -> JSON {
        ["type": "integer", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound)]
    }

    /// With `name`, the OpenAPI document has it as a component.
    static func choice(_ values: [String], named name: String? = nil) -> JSON {
        .omittingNil([
            "title": name.map(JSON.string), "type": "string",
            "enum": .array(values.map(JSON.string)),
        ])
    }

    /// Named after the type: `ExchangeContextCause`.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(of: Choice.Type) -> JSON {
        let path = String(reflecting: Choice.self).split(separator: ".").dropFirst()
        return choice(
            Choice.allCases.map(\.rawValue),
            // A private type's path contains `(unknown context at $…)`.
            named: path.filter { !$0.contains("(") && !$0.contains(")") }.joined())
    }

    /// An object that allows no other members. Nil for `required` requires all.
    static func object(_ members: [JSON.Member], required: [String]? = nil) -> JSON {
        [
            "type": "object", "properties": .object(members),
            "required": .array((required ?? members.map(\.name)).map(JSON.string)),
            "additionalProperties": false,
        ]
    }

    static func array(_ element: JSON) -> JSON { ["type": "array", "items": element] }

    /// An object with any names.
    static func map(_ value: JSON) -> JSON { ["type": "object", "additionalProperties": value] }

    static func reference(_ name: String) -> JSON {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// The name to which a schema refers; nil for any other schema.
    static func referencedName(_ schema: JSON) -> String? {
        schema["$ref"]?.string.flatMap { $0.split(separator: "/").last.map { String($0) } }
    }

    static func anyOf(_ schemas: [JSON]) -> JSON { ["anyOf": .array(schemas)] }

    static func nullable(_ schema: JSON) -> JSON {
        guard case .object(var members) = schema, schema["enum"] == nil,
            let index = members.firstIndex(where: { $0.name == "type" })
        else { return anyOf([schema, ["type": "null"]]) }
        members[index].value = [members[index].value, "null"]
        return .object(members)
    }

    static func described(_ schema: JSON, _ description: String?) -> JSON {
        guard let description, case .object(let members) = schema else { return schema }
        return .object(members + [.init("description", .string(description))])
    }
}
