import Web

extension HeldValue {
    /// Nil for null, so that a template shows nothing for it.
    init?(_ json: JSON) {
        switch json {
        case .null:
            return nil
        case .array(let elements):
            self = .list(elements.compactMap(HeldValue.init))
        case .object(let members):
            var values: [String: HeldValue] = [:]
            for member in members {
                values[member.name] = HeldValue(member.value)
            }
            self = .object(values)
        case .bool, .int, .double, .string:
            self = .text(json.text ?? "")
        }
    }
}
