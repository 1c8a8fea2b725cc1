extension Fault {
    /// What goes wrong; the raw value is the API's word.
    package enum Kind: String, Sendable, CaseIterable {
        case offline, slow, timeout, reset, status, rateLimited
        case accessTokenExpired, wrongAudience, wrongKey, refreshTokenReused
        case accountLocked, codeExpired, clockSkew, mailLost

        /// Who makes it happen.
        package var layer: Layer {
            switch self {
            case .offline, .slow, .timeout, .reset, .status, .rateLimited: .network
            case .accessTokenExpired, .wrongAudience, .wrongKey, .refreshTokenReused: .token
            case .accountLocked, .codeExpired, .clockSkew, .mailLost: .backend
            }
        }

        /// Whether it can strike when the backend has done its work.
        package var supportsAfterPhase: Bool { layer == .network }

        /// The settings that mean something to it.
        package var settingNames: Set<String> {
            switch self {
            case .slow, .timeout: ["delay"]
            case .status: ["status", "body", "headers"]
            case .rateLimited: ["retryAfter", "body"]
            case .clockSkew: ["skew"]
            default: []
            }
        }

        /// Whether an exchange it strikes before the backend ends with it.
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
        /// A token on its way; only calls that carry one.
        case token
        /// The embedded backend, over its real socket.
        case backend
    }
}
