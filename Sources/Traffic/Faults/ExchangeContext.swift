package import Web

/// The origin of an exchange: its app and device, its cause, and the secrets it contains.
package struct ExchangeContext: Sendable {
    package var workspace: String
    package var app: String
    package var device: String
    /// The backend's id in the manifest.
    package var backend: String
    /// The base URL that the request's path was appended to; empty if it is not known.
    package var baseURL = ""
    /// The call's name in the manifest.
    package var call: String
    package var cause: Cause
    /// The event that caused it.
    package var causeEvent: Int64?
    /// The exchange it retries, or for which the token was refreshed.
    package var causeExchange: String?
    /// Starts at 1.
    package var attempt: Int
    /// Values that must never be stored, in any encoding: passwords.
    package var passwords: [String]
    /// Values stored only sealed: tokens the request carries.
    package var tokens: [String]
    /// Why the request body is not stored; nil if it is.
    package var bodyWithheldReason: String?
    /// Whether it is recorded while recording is paused: a developer sent it to see the response.
    package var isAlwaysRecorded = false
    /// The access token the device holds, which the request may carry.
    package var accessToken: String?
    /// The refresh token that a refresh presents; nil for every other call.
    package var refreshToken: String?
    /// Finds further tokens in a response (the manifest's captures).
    package var extractTokens: @Sendable (UpstreamResponse) -> [String]
    /// A fault the sender itself applies to the response; nil for none.
    package var fault: Fault.Draft?

    package init(
        workspace: String, app: String, device: String, backend: String, call: String, cause: Cause,
        causeEvent: Int64? = nil, causeExchange: String? = nil, attempt: Int = 1,
        passwords: [String] = [], tokens: [String] = [],
        extractTokens: @escaping @Sendable (UpstreamResponse) -> [String] = { _ in [] },
        fault: Fault.Draft? = nil
    ) {
        self.workspace = workspace
        self.app = app
        self.device = device
        self.backend = backend
        self.call = call
        self.cause = cause
        self.causeEvent = causeEvent
        self.causeExchange = causeExchange
        self.attempt = attempt
        self.passwords = passwords
        self.tokens = tokens
        self.extractTokens = extractTokens
        self.fault = fault
    }

    /// Why it was sent; the raw value is its API name.
    package enum Cause: String, Sendable, CaseIterable {
        case launch, submit, load, refresh, retry
        /// Sent by a refresh test: a refresh token again, or an access token to learn its state.
        case replay, probe
        /// Started by a developer: a request sent again, a refresh, a sign-out.
        case manual
        case proxied
        /// Imported from an archive, not sent by Foyer.
        case imported

        /// The name that pages show.
        package var label: String {
            switch self {
            case .load: "Screen load"
            case .refresh: "Silent refresh"
            case .probe: "Token check"
            default: rawValue.capitalizedFirst
            }
        }
    }
}
