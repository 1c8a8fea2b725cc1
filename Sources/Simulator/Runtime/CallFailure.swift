import Apps
import Web

/// Why a call came to nothing, in the words its user reads.
struct CallFailure: Sendable {
    /// `offline`, `timeout`, `connection`, `invalidResponse`, a failure row's
    /// own, or `failed`: what a launch table's `otherwise` speaks of.
    var kind: String
    var message: String
    /// What is said below single fields, instead of the message.
    var fieldMessages: [String: String] = [:]
    /// The screen it leads to.
    var targetScreen: String?
    var exchange: String?
    /// The manifest's row that the answer matched.
    var matchedFailure: Call.Failure?

    /// No usable answer.
    init(_ failure: TransportFailure, app: App, exchange: String?) {
        let messages = app.network.messages
        self.exchange = exchange
        switch failure.kind {
        case .nameLookup:
            kind = "offline"
            message = messages.offline
        case .connection:
            // Nobody answers: to a phone this is what having no network
            // looks like, unless its app tells the two apart.
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

    /// An answer that cannot be read.
    init(invalidResponseFor app: App, exchange: String?) {
        kind = "invalidResponse"
        message = app.network.messages.invalidResponse
        self.exchange = exchange
    }

    /// An answer that says no. `told` is what it says of single fields, where
    /// the manifest says nothing.
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

    /// Something that went wrong before anything was sent.
    init(kind: String = "failed", message: String) {
        self.kind = kind
        self.message = message
    }
}
