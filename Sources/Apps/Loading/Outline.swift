import Web

/// A manifest as it was written: values, the lines they stand on, and members
/// in the order they were given.
///
/// A decoder would lose the order and the lines, and a duplicate key with
/// them; the loader needs all three.
struct Outline: Sendable, Equatable {
    var value: Value
    /// From 1.
    var line: Int

    indirect enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case int(Int64)
        case double(Double)
        case string(String)
        case array([Outline])
        case object([Member])
    }

    /// A key and its value; the line is the key's.
    struct Member: Sendable, Equatable {
        var name: String
        var line: Int
        var value: Outline
    }

    /// The line of the member or element at `path`, or of the nearest thing
    /// around it that was written.
    func line(at path: some Sequence<String>) -> Int {
        var here = self
        var line = self.line
        for step in path {
            switch here.value {
            case .object(let members):
                guard let member = members.first(where: { $0.name == step })
                else { return line }
                here = member.value
                line = member.line
            case .array(let elements):
                guard let index = Int(step), elements.indices.contains(index)
                else { return line }
                here = elements[index]
                line = here.line
            default: return line
            }
        }
        return line
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
        case .object(let members):
            .object(members.map { JSON.Member($0.name, $0.value.json) })
        }
    }

    /// What it is, in an error's words.
    var kind: String {
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
