import Web

/// A name and a value, one line of a list of facts.
struct FactModel: Encodable, Sendable {
    var fact: String
    var value: String
    /// `value` uncut, for its tooltip.
    var full: String
    /// Whether it is set in mono.
    var code: Bool
    /// Where the value leads; nil for plain text.
    var factURL: String?
}

extension FactModel {
    init(_ fact: String, _ value: String, code: Bool = false) {
        self.init(fact: fact, value: value, full: value, code: code)
    }

    /// What a token's header tells; a stranger's may tell any number.
    static func list(_ object: JSON?) -> [FactModel] {
        guard case .object(let members)? = object else { return [] }
        return members.prefix(24).map { FactModel($0.name, $0.value.said, code: true) }
    }
}
