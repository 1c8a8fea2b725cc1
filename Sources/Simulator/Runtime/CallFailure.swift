import Apps
import Web

/// Why a call failed, with the message for the user.
struct CallFailure: Sendable {
    /// `offline`, `timeout`, `connection`, `invalidResponse`, a failure row's own kind, or
    /// `failed`: the kinds that a launch table's `onFailure` rows match.
    var kind: String
    var message: String
    /// Messages below single fields, instead of the message.
    var fieldMessages: [String: String] = [:]
    /// The screen it opens.
    var targetScreen: String?
    var exchange: String?
    /// The manifest's row that the response matched.
    var matchedFailure: Call.Failure?

    /// No usable response.
    init(_ failure: TransportFailure, app: App, exchange: String?) {
        let messages = app.network.messages
        self.exchange = exchange
        switch failure.kind {
        case .nameLookup:
            kind = "offline"
            message = messages.offline
        case .connection:
            // For a phone, an unreachable server is the same as no network, unless its app
            // distinguishes the two.
            kind = "offline"
            message = messages.connectionRefused ?? messages.offline
        case .timeout:
            kind = "timeout"
            message = messages.timeout
        case .invalidResponse, .tooLarge:
            kind = "invalidResponse"
            message = messages.invalidResponse
        case .refusedURL, .refusedAddress, .tls, .requestTooLarge, .cancelled:
            kind = "connection"
            message = messages.connection
        }
    }

    /// An unreadable response.
    init(invalidResponseFor app: App, exchange: String?) {
        kind = "invalidResponse"
        message = app.network.messages.invalidResponse
        self.exchange = exchange
    }

    /// An error response. `fieldMessages` are the response's messages for single fields, used
    /// without a failure row.
    init(
        _ failure: Call.Failure?, message: String, fieldMessages: [String: String] = [:],
        exchange: String?
    ) {
        kind = failure?.kind ?? "failed"
        self.message = message
        if let field = failure?.field {
            self.fieldMessages = [field: message]
        } else if failure == nil, !fieldMessages.isEmpty {
            self.fieldMessages = fieldMessages
            self.message = fieldMessages.sorted { $0.key < $1.key }.map(\.value).joined(
                separator: " ")
        }
        targetScreen = failure?.destination
        matchedFailure = failure
        self.exchange = exchange
    }

    /// A failure before a request was sent.
    init(kind: String = "failed", message: String) {
        self.kind = kind
        self.message = message
    }
}

extension AppStatus.Failure {
    /// A failure shown on the screen it leads to.
    init(_ failure: CallFailure) {
        self.init(
            message: failure.message, title: nil, presentation: .inline, exchange: failure.exchange)
    }
}
