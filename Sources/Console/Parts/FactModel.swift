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
