/// A real backend's address and settings: a dialog (`studio/backend`) over a
/// page (`studio/backendpage`).
struct BackendSettingsModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var backend: Backend

    struct Backend: Encodable, Sendable {
        /// `Where does Local answer?`
        var question: String
        var explanation: String
        /// POST, a field each.
        var saveAction: String
        var backURL: String
        var fields: [Field]
    }

    struct Field: Encodable, Sendable {
        /// `base`, or a setting's name.
        var fieldName: String
        var label: String
        /// `url`, `text`, or `password` for a secret, whose `value` stays
        /// empty: an empty one is kept as it is.
        var type: String
        var value: String
        var placeholder: String
        /// Why it was refused; nil at first.
        var error: String?
    }
}
