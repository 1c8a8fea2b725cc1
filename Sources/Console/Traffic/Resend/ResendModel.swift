/// The form that sends a request again (`traffic/resend`).
struct ResendModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    var exchangeURL: String
    /// `POST /auth/login`.
    var requestTitle: String
    /// The only server it can go to.
    var origin: String
    var method: String
    /// Path and query, tokens as placeholders.
    var path: String
    /// A field a line.
    var headers: String
    var body: String
    /// Nil for a text.
    var bodyNote: String?
    /// Whether a password has to be typed again.
    var needsPassword: Bool
    var hasTokens: Bool
    /// What each placeholder stands for.
    var tokens: [Token]
    /// What is wrong with a field; nil for nothing.
    var methodError: String?
    var pathError: String?
    var headersError: String?
    var bodyError: String?
    var passwordError: String?
    /// Why else it was not sent; nil before it was tried.
    var errorText: String?

    struct Token: Encodable, Sendable {
        var placeholder: String
        var masked: String
    }
}
