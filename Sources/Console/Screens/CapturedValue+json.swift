import Web

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
