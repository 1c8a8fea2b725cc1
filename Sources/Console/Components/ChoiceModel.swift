/// One of a list to choose from (`parts/options`).
struct ChoiceModel: Encodable, Sendable {
    var value: String
    var label: String
    var chosen: Bool
}
