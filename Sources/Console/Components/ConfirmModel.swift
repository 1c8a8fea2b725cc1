/// The confirmation of an action that cannot be undone: a page or, for a script that requests
/// `part=dialog`, a dialog (`parts/confirm`).
struct ConfirmModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var confirm: Confirm

    struct Confirm: Encodable, Sendable {
        /// The URL the form is posted to.
        var action: String
        /// The action as a question with its count: `Forget 128 exchanges?`
        var question: String
        /// What remains true afterwards.
        var consequence: String
        /// `Forget 128`.
        var confirmLabel: String
        /// `Keep them`.
        var cancelLabel: String
        /// The cancel button's URL.
        var backURL: String
        /// Whether the confirm button is red and the cancel button has the focus.
        var isDestructive: Bool
    }
}
