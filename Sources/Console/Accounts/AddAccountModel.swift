/// The form that adds one account (`accounts/add`) or a batch (`accounts/many`); as pages
/// `accounts/addpage` and `accounts/manypage`.
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
        /// Whether any app's accounts have names.
        var hasNameField: Bool
        /// `kept by Atlas, Harbour`; nil if all apps store names.
        var nameNote: String?
        var domain: String
        var count: String
        /// A generated suggestion, shown before it is used.
        var password: String
        var states: [ChoiceModel]
        /// Nil if the input is valid.
        var error: String?
    }
}
