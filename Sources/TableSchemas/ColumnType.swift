/// A PostgreSQL type of a column: a scalar, or an array of one.
package struct ColumnType: Sendable, Hashable {
    package var scalar: Scalar
    package var isArray: Bool
    /// Of `varchar(n)`.
    package var maxLength: Int?

    package init(_ scalar: Scalar, isArray: Bool = false, maxLength: Int? = nil) {
        self.scalar = scalar
        self.isArray = isArray
        self.maxLength = maxLength
    }

    /// The raw value is the name in PostgreSQL's messages.
    package enum Scalar: String, Sendable, CaseIterable {
        case uuid, text
        case varchar = "character varying"
        case smallint, integer, bigint, numeric, real
        case double = "double precision"
        case boolean
        case timestamptz = "timestamp with time zone"
        case timestamp = "timestamp without time zone"
        case date, json, jsonb
    }

    private static let aliases: [String: Scalar] = [
        "varchar": .varchar, "char": .varchar, "int2": .smallint, "int": .integer,
        "int4": .integer, "int8": .bigint, "decimal": .numeric, "float4": .real, "float": .double,
        "float8": .double, "double": .double, "bool": .boolean, "timestamptz": .timestamptz,
        "timestamp": .timestamp,
    ]

    /// The names that a manifest lists in an error.
    package static let names = [
        "uuid", "text", "varchar", "smallint", "integer", "bigint", "numeric", "real",
        "double precision", "boolean", "timestamptz", "timestamp", "date", "json", "jsonb",
    ]

    /// Parses `text`, `varchar(20)`, `int8[]`.
    package init?(_ name: String) {
        var name = name.lowercased()[...]
        let isArray = name.hasSuffix("[]")
        if isArray { name = name.dropLast(2) }
        var maxLength: Int?
        if name.hasSuffix(")"), let open = name.firstIndex(of: "(") {
            guard let length = Int(name[name.index(after: open)...].dropLast()), length > 0 else {
                return nil
            }
            maxLength = length
            name = name[..<open]
        }
        guard let scalar = Scalar(rawValue: String(name)) ?? Self.aliases[String(name)],
            maxLength == nil || scalar == .varchar
        else { return nil }
        self.init(scalar, isArray: isArray, maxLength: maxLength)
    }

    /// Whether the type's values are ordered in time.
    package var isTime: Bool {
        !isArray && [.timestamptz, .timestamp, .date].contains(scalar)
    }

    /// The type without its length, to which an operand of a filter is converted.
    package var unbounded: ColumnType { ColumnType(scalar, isArray: isArray) }

    /// As in PostgreSQL's messages, without the length.
    package var name: String { scalar.rawValue + (isArray ? "[]" : "") }

    /// Whether LIKE and regular expressions apply.
    package var isText: Bool { !isArray && [.text, .varchar].contains(scalar) }

    package var isJSON: Bool { !isArray && [.json, .jsonb].contains(scalar) }

    package var isInteger: Bool {
        !isArray && [.smallint, .integer, .bigint].contains(scalar)
    }

    package var isNumber: Bool {
        isInteger || !isArray && [.numeric, .real, .double].contains(scalar)
    }
}

/// Why a value is not of a type, as PostgreSQL reports it.
package struct ValueError: Error, Sendable, Equatable {
    /// The SQLSTATE.
    package let code: String
    package let message: String
    package let details: String?
    package let hint: String?

    package init(
        _ code: String, _ message: String, details: String? = nil, hint: String? = nil
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
    }

    /// The value of a column of arrays is another one in JSON.
    package static let noArray = ValueError("22P02", "expected JSON array")

    static func syntax(_ type: ColumnType, _ text: String) -> ValueError {
        let isTime = [.timestamptz, .timestamp, .date].contains(type.scalar)
        let name = type.scalar == .timestamp ? "timestamp" : type.scalar.rawValue
        return ValueError(
            isTime ? "22007" : "22P02",
            "invalid input syntax for type \(name): \"\(text.prefix(60))\"")
    }
}
