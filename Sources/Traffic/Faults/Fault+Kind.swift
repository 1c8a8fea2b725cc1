extension Fault {
    /// The type of failure; the raw value is its API name.
    package enum Kind: String, Sendable, CaseIterable {
        case offline, slow, timeout, reset, status, rateLimited
        case accessTokenExpired, wrongAudience, wrongKey, refreshTokenReused
        case accountLocked, codeExpired, clockSkew, mailLost

        /// The component that produces the failure.
        package var layer: Layer {
            switch self {
            case .offline, .slow, .timeout, .reset, .status, .rateLimited: .network
            case .accessTokenExpired, .wrongAudience, .wrongKey, .refreshTokenReused: .token
            case .accountLocked, .codeExpired, .clockSkew, .mailLost: .backend
            }
        }

        /// Whether it can be applied after the backend has processed the request.
        package var supportsAfterPhase: Bool { layer == .network }

        /// The draft settings it uses.
        package var settingNames: Set<String> {
            switch self {
            case .slow, .timeout: ["delay"]
            case .status: ["status", "body", "headers"]
            case .rateLimited: ["retryAfter", "body"]
            case .clockSkew: ["skew"]
            default: []
            }
        }

        /// Whether it ends the exchange when applied before the backend.
        var endsExchange: Bool {
            switch self {
            case .offline, .timeout, .reset, .status, .rateLimited: true
            default: false
            }
        }
    }

    package enum Layer: Sendable {
        /// The network between device and backend; any call, any backend.
        case network
        /// A token in the request; only calls that carry one.
        case token
        /// The embedded backend, over its real socket.
        case backend
    }
}
