import Web

/// A label and a value, one line of a list of details.
struct DetailModel: Encodable, Sendable {
    var label: String
    var value: String
    /// The untruncated `value`, for its tooltip.
    var fullValue: String
    /// Whether it is set in a monospaced font.
    var isCode: Bool
    /// The value's link; nil for plain text.
    var valueURL: String?
}

extension DetailModel {
    init(_ label: String, _ value: String, isCode: Bool = false) {
        self.init(label: label, value: value, fullValue: value, isCode: isCode)
    }

    /// The members of a token's header; at most 24, because a foreign token may have any number.
    static func list(_ object: JSON?) -> [DetailModel] {
        guard case .object(let members)? = object else { return [] }
        return members.prefix(24).map { DetailModel($0.name, $0.value.displayText, isCode: true) }
    }
}
