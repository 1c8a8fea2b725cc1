/// A question before an act on an account, with what it needs to know
/// (`accounts/act`, as a page `accounts/actpage`).
struct AccountActModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var act: Act

    struct Act: Encodable, Sendable {
        var action: String
        var question: String
        /// What follows and what ends with it.
        var consequence: String
        var yes: String
        var backURL: String
        var destroys: Bool
        /// Nil but for setting a password: one that was made up.
        var password: String?
        /// For how long, when somebody is locked out.
        var anyLocks: Bool
        var locks: [ChoiceModel]
        /// Nil if nothing is wrong with what was typed.
        var error: String?
    }
}
