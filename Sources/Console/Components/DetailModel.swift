import Web

/// A name and a value, one line of a list of facts.
struct DetailModel: Encodable, Sendable {
    var label: String
    var value: String
    /// `value` uncut, for its tooltip.
    var fullValue: String
    /// Whether it is set in mono.
    var isCode: Bool
    /// Where the value leads; nil for plain text.
    var valueURL: String?
}

extension DetailModel {
    init(_ fact: String, _ value: String, isCode: Bool = false) {
        self.init(label: fact, value: value, fullValue: value, isCode: isCode)
    }

    /// What a token's header tells; a stranger's may tell any number.
    static func list(_ object: JSON?) -> [DetailModel] {
        guard case .object(let members)? = object else { return [] }
        return members.prefix(24).map { DetailModel($0.name, $0.value.displayText, isCode: true) }
    }
}
