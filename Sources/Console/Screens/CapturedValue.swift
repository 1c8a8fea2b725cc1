import Web

/// A captured value for templates: text, a list, or values by name.
enum CapturedValue: Encodable, Sendable, Equatable {
    /// Numbers are converted to text, so that templates show 0.
    case text(String)
    case list([CapturedValue])
    case object([String: CapturedValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// A captured scalar value with its path: `user.email`.
struct CapturedText: Encodable, Sendable, Equatable {
    var name: String
    var text: String
}

extension CapturedValue {
    /// Nil for null, so that a template shows nothing for it.
    init?(_ json: JSON) {
        switch json {
        case .null: return nil
        case .array(let elements): self = .list(elements.compactMap(CapturedValue.init))
        case .object(let members):
            var values: [String: CapturedValue] = [:]
            for member in members { values[member.name] = CapturedValue(member.value) }
            self = .object(values)
        case .bool, .int, .double, .string: self = .text(json.scalarText ?? "")
        }
    }
}

extension CapturedValue {
    /// The scalar values by path, sorted by name.
    func texts(at path: String) -> [CapturedText] {
        switch self {
        case .text(let text): text.isEmpty ? [] : [CapturedText(name: path, text: text)]
        case .list(let values):
            values.enumerated().flatMap { $0.element.texts(at: "\(path).\($0.offset)") }
        case .object(let values):
            values.sorted { $0.key < $1.key }.flatMap { $0.value.texts(at: "\(path).\($0.key)") }
        }
    }
}
