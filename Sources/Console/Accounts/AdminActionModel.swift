/// A question before an act on an account, with what it needs to know
/// (`accounts/act`, as a page `accounts/actpage`).
struct AdminActionModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var adminAction: Action

    struct Action: Encodable, Sendable {
        var action: String
        var question: String
        /// What follows and what ends with it.
        var consequence: String
        var confirmLabel: String
        var backURL: String
        var isDestructive: Bool
        /// Nil but for setting a password: one that was made up.
        var password: String?
        /// For how long, when somebody is locked out.
        var anyLockDurations: Bool
        var lockDurations: [ChoiceModel]
        /// Nil if nothing is wrong with what was typed.
        var error: String?
    }
}
