import Web

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

    static func choice(_ values: [String]) -> JSON {
        ["type": "string", "enum": .array(values.map(JSON.string))]
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(of: Choice.Type) -> JSON {
        choice(Choice.allCases.map(\.rawValue))
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
