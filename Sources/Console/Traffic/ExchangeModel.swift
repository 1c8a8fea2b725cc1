import Traffic
import Web

/// One exchange in full (`traffic/exchange`). Its page has no parts.
struct ExchangeModel: Encodable, Sendable {
    /// `GET /auth/me`.
    var methodAndPath: String
    /// `401 Unauthorized` or `No response`, then cause, attempt, fault.
    var chips: [ChipModel]
    /// `har`, `resend`, `curl` (the command with unmasked tokens, for *Copy as cURL*), `raw` and
    /// `rawUnmasked` (logged on the timeline); if they exist, the adjacent exchanges `newer` and
    /// `older`, and `compare` with the previous exchange of the same call.
    var links: [String: String]

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
    /// DNS lookup, connect, TLS, waiting, download, in this order.
    var phases: [Phase]

    var request: Message
    /// `Response` or `No response`.
    var responseTitle: String
    /// Why there is no response; nil if there is one.
    var failureText: String?
    var response: Message
    /// A note on masked tokens and missing passwords in the command.
    var curlNote: String
    /// With masked tokens.
    var curl: String

    /// Why the server rejected the request; nil if it did not.
    var rejection: RejectionModel?
    /// All attempts of the call; empty if there was only one.
    var attempts: [Attempt]
    /// Cause, call, attempt, fault, session.
    var details: [DetailModel]
    /// This exchange, the ones it caused, and what the user saw.
    var followUpSteps: [Step]
    /// The event chain that contains this exchange.
    var eventChain: EventChainModel

    struct Message: Encodable, Sendable {
        /// `3 headers, application/json, 54 B`, and how much of the body is stored.
        var note: String
        var headers: [Header]
        /// As recorded, JSON indented; nil without a body.
        var body: String?
        /// The JWTs of the URL and of the body.
        var tokens: [TokenCard]
    }

    struct Attempt: Encodable, Sendable {
        /// `1 of 3, 503`, `2 of 3, resent, 200`.
        var attempt: String
        /// Nil for this exchange.
        var attemptURL: String?
    }

    struct Phase: Encodable, Sendable {
        /// `DNS lookup`.
        var phase: String
        /// `0.02 ms`, or why it did not happen: `Skipped (loopback)`.
        var duration: String
        /// `1`, `2`, `3` (TLS: `2`; body: `3`), `first` for the first byte, `none` if it did not
        /// happen.
        var shade: String
        var isDrawn: Bool
        /// Start and length in percent of the bar; nil when not drawn.
        var x: String?
        var share: String?
    }

    struct Header: Encodable, Sendable {
        var headerName: String
        /// Tokens are masked.
        var headerValue: String
        /// The decoded token in it; nil if there is none, or if it is neither a bearer token nor a
        /// JWT.
        var tokenCard: TokenCard?
    }

    struct TokenCard: Encodable, Sendable {
        /// Its position: `/session/access_token`; empty where the context shows it.
        var location = ""
        /// The URL of the unmasked token as plain text.
        var tokenURL = ""
        /// First 6 and last 4 characters.
        var tokenPrefix: String
        var tokenSuffix: String
        /// `612 B`.
        var tokenSize: String
        /// Signature, and expiry at the time of this request.
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
        /// `14:34:38, expired 12 s before this request`; may be empty.
        var meaning: String
        /// `bad` for the claim that caused the rejection, else empty.
        var tone: String
    }

    struct Step: Encodable, Sendable {
        /// The marker's style: `this` (this exchange, successful), `bad` (failed), `call` (caused
        /// by it), `end` (what the user saw).
        var kind: String
        /// `POST /auth/refresh`, `map shown`.
        var stepTitle: String
        /// Whether it is a call, set in monospace.
        var isCall: Bool
        /// Nil for this exchange and for the outcome.
        var stepURL: String?
        /// `200`, `No response`, empty.
        var status: String
        /// `ok`, `bad` or empty.
        var statusTone: String
        /// `Silent refresh, 4 ms later, retry 2`.
        var stepNote: String
    }
}

/// The attempts at one call, in order.
extension ExchangeModel {
    /// The exchanges among `related` with the same call as `exchange`, oldest first; empty if it is
    /// the only one.
    static func attempts(of exchange: Exchange, among related: [Exchange]) -> [Attempt] {
        let attempts = related.filter { $0.call == exchange.call && $0.method == exchange.method }
        guard attempts.count > 1 else { return [] }
        return zip(1..., attempts).map { number, item in
            var parts = ["\(number) of \(attempts.count)"]
            if let label = resendLabel(item.cause) { parts.append(label) }
            parts.append(item.status.map(String.init) ?? "no response")
            return Attempt(
                attempt: parts.joined(separator: ", "),
                attemptURL: item.id == exchange.id ? nil : Links.exchange(item.id))
        }
    }

    /// How it was sent from the console; such an exchange is no attempt by the app.
    private static func resendLabel(_ cause: ExchangeContext.Cause) -> String? {
        switch cause {
        case .replay: "resent"
        case .manual: "edited and resent"
        default: nil
        }
    }
}

/// The phases of an exchange.
extension ExchangeModel {
    /// DNS lookup, connect, TLS, waiting and download, each with its position in the bar or the
    /// reason why it did not happen.
    static func phases(_ exchange: Exchange) -> [Phase] {
        let timings = exchange.timings
        let url = URLParts(exchange.url)
        let isTLS = url.scheme == "https"
        let isReused = timings.connect == nil && exchange.status != nil
        let parts = [timings.nameLookup, timings.connect, timings.tls, timings.firstByte]
        let before = parts.compactMap(\.self).reduce(0, +)
        let body = timings.firstByte.map { _ in max(0, timings.total - before) }
        let skipReason = isReused ? "Reused connection" : "Not reached"
        let all: [(String, Double?, String, String)] = [
            (
                "DNS lookup", timings.nameLookup, "1",
                timings.connect == nil ? skipReason : "Skipped (IP address)"
            ), ("Connect", timings.connect, "2", skipReason),
            (
                "TLS", timings.tls, "2",
                isTLS ? skipReason : url.isLoopback ? "Skipped (loopback)" : "Skipped (http)"
            ), ("Waiting (TTFB)", timings.firstByte, "first", "None"),
            ("Content download", body, "3", "None"),
        ]
        let sum = max(all.compactMap { $0.1 }.reduce(0, +), 0.001)
        let gaps = Double(all.filter { $0.1 != nil }.count - 1) * gap
        var x = 0.0
        return all.map { name, duration, shade, reason in
            guard let duration else {
                return Phase(phase: name, duration: reason, shade: "none", isDrawn: false)
            }
            let share = duration / sum * (100 - max(0, gaps))
            defer { x += share + gap }
            return Phase(
                phase: name, duration: Format.phaseDuration(duration), shade: shade, isDrawn: true,
                x: x.twoDecimals, share: max(share, 0.2).twoDecimals)
        }
    }

    /// Percent of the bar: 2 px of about 790.
    private static let gap = 0.25

    static func makeTimingDescription(_ phases: [Phase], total: String) -> String {
        let parts = phases.filter(\.isDrawn).map { "\($0.phase) \($0.duration)" }
        return "\(total) total: " + parts.joined(separator: ", ")
    }
}
