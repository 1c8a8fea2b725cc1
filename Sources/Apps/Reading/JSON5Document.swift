import Web

/// A parsed manifest with the lines of its parts.
///
/// A decoder would lose the order, the lines and duplicate keys; the loader needs all three.
struct JSON5Document: Sendable {
    let json: JSON
    /// The lines of members' keys and of elements, from 1, by path.
    let lines: [[String]: Int]

    /// The line of the member or element at `path`, or of its nearest ancestor in the file.
    func line(at path: [String]) -> Int {
        (0...path.count).lazy.compactMap { lines[Array(path.dropLast($0))] }.first ?? 1
    }
}

extension JSON {
    /// The type's name in error messages.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
