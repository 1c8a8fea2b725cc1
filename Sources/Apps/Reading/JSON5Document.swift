import Web

/// A parsed manifest with line numbers and the original member order.
///
/// A decoder would lose the order, the lines and duplicate keys; the loader needs all three.
struct JSON5Document: Sendable, Equatable {
    var value: Value
    /// From 1.
    var line: Int

    indirect enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case int(Int64)
        case double(Double)
        case string(String)
        case array([JSON5Document])
        case object([Member])
    }

    /// A key and its value; `line` is the key's.
    struct Member: Sendable, Equatable {
        var name: String
        var line: Int
        var value: JSON5Document
    }

    /// The line of the member or element at `path`, or of its nearest ancestor in the file.
    func line(at path: some Sequence<String>) -> Int {
        var current = self
        var line = self.line
        for step in path {
            guard let next = current.child(step) else { return line }
            (current, line) = (next.value, next.line)
        }
        return line
    }

    /// The member or element `name` and its first line.
    private func child(_ name: String) -> (value: JSON5Document, line: Int)? {
        switch value {
        case .object(let members):
            return members.first { $0.name == name }.map { ($0.value, $0.line) }
        case .array(let elements):
            guard let index = Int(name), elements.indices.contains(index) else { return nil }
            return (elements[index], elements[index].line)
        default: return nil
        }
    }

    /// The value without lines, for the parts of a manifest that are JSON.
    var json: JSON {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members): .object(members.map { JSON.Member($0.name, $0.value.json) })
        }
    }

    /// The type's name in error messages.
    var typeName: String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
