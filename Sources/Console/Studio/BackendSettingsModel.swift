/// The base URL and settings of a real backend: a dialog (`studio/backend`) over a page
/// (`studio/backendpage`).
struct BackendSettingsModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var backend: Backend

    struct Backend: Encodable, Sendable {
        /// `Where does Local answer?`
        var question: String
        var explanation: String
        /// POST, with one value per field.
        var saveAction: String
        var backURL: String
        var fields: [Field]
    }

    struct Field: Encodable, Sendable {
        /// `base`, or a setting's name.
        var fieldName: String
        var label: String
        /// `url`, `text`, or `password` for a secret, whose `value` is empty: submitting an empty
        /// secret leaves it unchanged.
        var type: String
        var value: String
        var placeholder: String
        /// The validation error; nil initially.
        var error: String?
    }
}
