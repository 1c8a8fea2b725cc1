import Web

/// A manifest as it was written: values, the lines they stand on, and members
/// in the order they were given.
///
/// A decoder would lose the order and the lines, and a duplicate key with
/// them; the loader needs all three.
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

    /// A key and its value; the line is the key's.
    struct Member: Sendable, Equatable {
        var name: String
        var line: Int
        var value: JSON5Document
    }

    /// The line of the member or element at `path`, or of the nearest thing
    /// around it that was written.
    func line(at path: some Sequence<String>) -> Int {
        var here = self
        var line = self.line
        for step in path {
            guard let next = here.child(step) else { return line }
            (here, line) = (next.value, next.line)
        }
        return line
    }

    /// What stands at `path`; nil if nothing was written there.
    func node(at path: some Sequence<String>) -> JSON5Document? {
        var here = self
        for step in path {
            guard let next = here.child(step) else { return nil }
            here = next.value
        }
        return here
    }

    /// The member or the element called `name`, and the line it begins on.
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

    /// The same without lines, for the parts of a manifest that are JSON.
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

    /// What it is, in an error's words.
    var typeName: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .int, .double: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
