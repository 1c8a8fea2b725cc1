package import Web

/// Whose exchange it is, why it happens, and what in it is secret.
package struct ExchangeContext: Sendable {
    package var workspace: String
    package var app: String
    package var device: String
    /// The backend's id in the manifest.
    package var backend: String
    /// The call's name in the manifest.
    package var call: String
    package var cause: Cause
    /// The event that led to it.
    package var causeEvent: Int64?
    /// The exchange it retries or was refreshed for.
    package var causeExchange: String?
    /// From 1.
    package var attempt: Int
    /// Values that must never be stored, in any encoding: passwords.
    package var passwords: [String]
    /// Values stored only sealed: tokens the request carries.
    package var tokens: [String]
    /// Why the request's body is not kept; nil if it is.
    package var bodyWithheldReason: String?
    /// The access token the device holds, which the request may carry.
    package var accessToken: String?
    /// The refresh token a refresh presents; nil for every other call.
    package var refreshToken: String?
    /// Finds further tokens in an answer (the manifest's captures).
    package var extractTokens: @Sendable (UpstreamResponse) -> [String]
    /// What the sender itself does to the answer on purpose; nil if nothing.
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

    /// Why it was sent; the raw value is the API's word.
    package enum Cause: String, Sendable, CaseIterable {
        case launch, submit, load, refresh, retry, replay, probe
        case manual = "hand"
        case proxied = "through"
        /// It was not sent from here: an archive told of it.
        case imported
    }
}
