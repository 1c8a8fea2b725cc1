/// A question before something that cannot be undone: a page, or a dialog
/// when a script asked for `part=dialog` (`parts/confirm`).
struct ConfirmModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var confirm: Confirm

    struct Confirm: Encodable, Sendable {
        /// Where it is posted.
        var action: String
        /// The act as a question with its number: `Forget 128 exchanges?`
        var question: String
        /// What stays true after.
        var consequence: String
        /// `Forget 128`.
        var confirmLabel: String
        /// `Keep them`.
        var cancelLabel: String
        /// Where No leads.
        var backURL: String
        /// Red button, and focus on No.
        var isDestructive: Bool
    }
}
