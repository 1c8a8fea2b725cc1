/// The form that adds an account (`accounts/add`), or many
/// (`accounts/many`); as pages `accounts/addpage` and `accounts/manypage`.
struct AddAccountModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var form: Fields

    struct Fields: Encodable, Sendable {
        var action: String
        var backURL: String
        var apps: [ChoiceModel]
        var email: String
        var name: String
        /// Whether any app's people have names.
        var hasNameField: Bool
        /// `kept by Atlas, Harbour`; nil where all do.
        var nameNote: String?
        var domain: String
        var count: String
        /// One that was made up, to be seen before it is used.
        var password: String
        var states: [ChoiceModel]
        /// Nil if nothing is wrong with what was typed.
        var error: String?
    }
}
