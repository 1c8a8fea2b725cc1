/// An option of a select list (`parts/options`).
struct ChoiceModel: Encodable, Sendable {
    var value: String
    var label: String
    var chosen: Bool
}
