/// One exchange in full (`traffic/exchange`). It has no parts of its own.
struct ExchangeModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    /// `GET /auth/me`.
    var methodAndPath: String
    /// `401 Unauthorized` or `no answer`, then cause, attempt, condition.
    var chips: [ChipModel]
    /// The neighbours; nil at either end.
    var newerURL: String?
    var olderURL: String?
    var harURL: String
    var resendURL: String
    /// Compares with the one before of the same call; nil if there is none.
    var comparePreviousURL: String?
    /// Plain text, whole: what *Copy as cURL* copies.
    var curlURL: String

    var glyph: GlyphModel
    var appName: String
    var device: String
    var fullURL: String
    /// ISO 8601, `14:34:50.118`, `37 s ago`.
    var at: String
    var time: String
    var ago: String
    /// `3.10 ms`.
    var total: String
    /// The timing in one sentence, for a screen reader.
    var timingDescription: String
    /// Name look-up, connect, TLS, first byte, body, in this order.
    var phases: [Phase]

    /// `5 headers, no body`; `3 headers, application/json, 54 B`.
    var requestNote: String
    var requestHeaders: [Header]
    /// As recorded, JSON indented; nil without one.
    var requestBody: String?
    /// The JWTs of the address and of the body.
    var requestTokens: [TokenCard]
    /// `Answer` or `No answer`.
    var responseTitle: String
    /// `3 headers, application/json, 118 B`, and how much of it is kept.
    var responseNote: String
    /// Why there is none; nil with an answer.
    var failureText: String?
    var responseBody: String?
    var responseTokens: [TokenCard]
    var hasResponseHeaders: Bool
    var responseHeaders: [Header]
    /// `masked here, whole when copied`, or that nothing is masked.
    var curlNote: String
    /// Masked.
    var curl: String

    /// Why the server said no; nil if it did not.
    var rejection: RejectionModel?
    /// The attempts of the call this is one of; empty if it was the only one.
    var attempts: [Attempt]
    var hasAttempts: Bool
    /// The whole exchange as text, tokens masked; and whole, which is noted.
    var rawURL: String
    var rawUnmaskedURL: String?
    /// Cause, call, attempt, condition, session.
    var details: [DetailModel]
    /// This exchange, what followed, and what the user saw.
    var followUpSteps: [Step]
    /// Everything on the timeline that hangs together with it.
    var eventChain: EventChainModel

    struct Attempt: Encodable, Sendable {
        /// `1 of 3, 503`, `2 of 3, sent again, 200`.
        var attempt: String
        /// Nil for this one.
        var attemptURL: String?
    }

    struct Phase: Encodable, Sendable {
        /// `name look-up`.
        var phase: String
        /// `0.02 ms`; why it did not happen: `none, loopback`, `kept`.
        var duration: String
        /// `1`, `2`, `3` (TLS: `2`; body: `3`), `first` for the first byte,
        /// `none` if it did not happen.
        var shade: String
        var isDrawn: Bool
        /// Start and length in per cent of the bar; nil when not drawn.
        var x: String?
        var share: String?
    }

    struct Header: Encodable, Sendable {
        var headerName: String
        /// Masked where it holds a token.
        var headerValue: String
        /// The token in it, taken apart; nil if there is none or it is no
        /// bearer and no JWT.
        var tokenCard: TokenCard?
    }

    struct TokenCard: Encodable, Sendable {
        /// Where it stands: `/session/access_token`; empty where that shows.
        var location = ""
        /// The whole token as plain text, asked for by name.
        var tokenURL = ""
        /// First 6 and last 4 characters.
        var tokenPrefix: String
        var tokenSuffix: String
        /// `612 B`.
        var tokenSize: String
        /// Signature, and expiry at the time of this call.
        var verdicts: [ChipModel]
        /// Nil for an opaque token.
        var decoded: DecodedToken?
    }

    struct DecodedToken: Encodable, Sendable {
        var tokenHeaders: [DetailModel]
        var tokenClaims: [Claim]
    }

    struct Claim: Encodable, Sendable {
        var claimName: String
        var value: String
        var fullValue: String
        var isCode: Bool
        /// `14:34:38, 12 s before this call`; may be empty.
        var meaning: String
        /// `bad` for what made it refused, else empty.
        var tone: String
    }

    struct Step: Encodable, Sendable {
        /// Its dot: `this` (this exchange, fine), `bad` (refused), `call`
        /// (followed), `end` (what the user saw).
        var kind: String
        /// `POST /auth/refresh`, `map shown`.
        var stepTitle: String
        /// A call: set in mono.
        var isCall: Bool
        /// Nil for this exchange and for the end.
        var stepURL: String?
        /// `200`, `no answer`, empty.
        var status: String
        /// `ok`, `bad` or empty.
        var statusTone: String
        /// `silent refresh, 4 ms later, 1 flight for 1 caller`.
        var stepNote: String
    }
}
