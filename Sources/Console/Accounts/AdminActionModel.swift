/// The confirmation of an administrator action, with its input (`accounts/act`, as a page
/// `accounts/actpage`).
struct AdminActionModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var adminAction: Action

    struct Action: Encodable, Sendable {
        var action: String
        var question: String
        /// The action's consequences.
        var consequence: String
        var confirmLabel: String
        var backURL: String
        var isDestructive: Bool
        /// A generated password when setting one, else nil.
        var password: String?
        /// Whether `lockDurations` are offered: for the lock action only.
        var anyLockDurations: Bool
        var lockDurations: [ChoiceModel]
        /// Nil if the input is valid.
        var error: String?
    }
}
