extension Condition {
    /// What goes wrong; the raw value is the API's word.
    package enum Kind: String, Sendable, CaseIterable {
        case offline, slow, timeout, reset, status, rateLimited
        case accessTokenExpired, wrongAudience, wrongKey, refreshTokenReused
        case accountLocked, codeExpired, clockSkew, mailLost

        /// Who makes it happen.
        package var side: Side {
            switch self {
            case .offline, .slow, .timeout, .reset, .status, .rateLimited: .wire
            case .accessTokenExpired, .wrongAudience, .wrongKey, .refreshTokenReused: .token
            case .accountLocked, .codeExpired, .clockSkew, .mailLost: .backend
            }
        }

        /// Whether it can strike when the backend has done its work.
        package var hasAfter: Bool { side == .wire }

        /// The settings that mean something to it.
        package var settings: Set<String> {
            switch self {
            case .slow, .timeout: ["delay"]
            case .status: ["status", "body", "headers"]
            case .rateLimited: ["retryAfter", "body"]
            case .clockSkew: ["skew"]
            default: []
            }
        }

        /// Whether an exchange it strikes before the backend ends with it.
        var ends: Bool {
            switch self {
            case .offline, .timeout, .reset, .status, .rateLimited: true
            default: false
            }
        }
    }

    package enum Side: Sendable {
        /// The network between device and backend; any call, any backend.
        case wire
        /// A token on its way; only calls that carry one.
        case token
        /// The embedded backend, over its real socket.
        case backend
    }
}
