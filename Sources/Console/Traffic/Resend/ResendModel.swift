/// The form that resends a request (`traffic/resend`).
struct ResendModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    var exchangeURL: String
    /// `POST /auth/login`.
    var requestTitle: String
    /// The only server it can be sent to.
    var origin: String
    var method: String
    /// Path and query, with placeholders for tokens.
    var path: String
    /// One field per line.
    var headers: String
    var body: String
    /// A note if the body is no text, else nil.
    var bodyNote: String?
    /// Whether a password has to be entered again.
    var needsPassword: Bool
    var hasTokens: Bool
    /// The placeholders of tokens with their masked forms.
    var tokens: [Token]
    /// The error of each field; nil for none.
    var methodError: String?
    var pathError: String?
    var headersError: String?
    var bodyError: String?
    var passwordError: String?
    /// The error that belongs to no field; nil if there is none.
    var errorText: String?

    struct Token: Encodable, Sendable {
        var placeholder: String
        var masked: String
    }
}
