import Simulator
import Web

/// JSON Schemas (2020-12) of request and response bodies.
enum Schema {
    static let string: JSON = ["type": "string"]
    static let nullableString: JSON = ["type": ["string", "null"]]
    static let integer: JSON = ["type": "integer"]
    static let nullableInteger: JSON = ["type": ["integer", "null"]]
    static let number: JSON = ["type": "number"]
    static let nullableNumber: JSON = ["type": ["number", "null"]]
    static let bool: JSON = ["type": "boolean"]
    static let time: JSON = ["type": "string", "format": "date-time"]
    static let nullableTime: JSON = ["type": ["string", "null"], "format": "date-time"]

    /// `schema` with a description.
    static func withDescription(_ schema: JSON, _ description: String) -> JSON {
        guard case .object(var members) = schema else { return schema }
        members.append(.init("description", .string(description)))
        return .object(members)
    }

    static func choice(_ values: [String]) -> JSON {
        ["type": "string", "enum": .array(values.map(JSON.string))]
    }

    /// An object that requires all members except the optional ones, and allows no others.
    static func object(_ members: [(String, JSON)], optional: Set<String> = []) -> JSON {
        [
            "type": "object",
            "properties": .object(members.map { .init($0.0, $0.1) }),
            "required": .array(
                members.map(\.0).filter { !optional.contains($0) }
                    .map(JSON.string)),
            "additionalProperties": false,
        ]
    }

    static func array(_ element: JSON) -> JSON { ["type": "array", "items": element] }

    static func reference(_ name: String) -> JSON {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    static func list(of name: String) -> JSON {
        object([
            ("total", integer), ("totalIsExact", bool), ("items", array(reference(name))),
            ("next", nullableString),
        ])
    }

    static func nullable(_ schema: JSON) -> JSON { ["anyOf": [schema, ["type": "null"]]] }
}

extension Schema {
    /// The display settings of a device.
    static let displayMembers: [(String, JSON)] = [
        ("size", choice(DeviceSizes.all.map(\.id))),
        ("orientation", choice(Device.Display.Orientation.allCases.map(\.rawValue))),
        ("appearance", choice(Device.Display.Appearance.allCases.map(\.rawValue))),
        ("textSize", choice(Device.Display.TextSize.allCases.map(\.rawValue))),
    ]
}

/// Schema of an app's transition counts.
extension Schema {
    private static let testRun = object([
        ("number", integer), ("name", string), ("startedAt", time), ("lastActivityAt", time),
        ("workspaces", integer),
    ])

    static let transitionMap = object([
        ("app", string), ("run", nullable(testRun)),
        ("screens", array(object([("id", string), ("count", integer)]))),
        (
            "transitions",
            array(
                object([
                    ("from", string), ("to", string), ("labels", array(string)), ("declared", bool),
                    ("count", integer),
                ]))
        ),
    ])
}
