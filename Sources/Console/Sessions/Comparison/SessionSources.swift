import Apps
import Backend
import FoundationEssentials
import Simulator
import Web

/// The data that a session comparison is computed from.
struct SessionSources: Sendable {
    let session: Session
    let app: App?
    /// The stored captured values by name.
    var storedValues: [String: JSON] = [:]
    var hasAccessToken = false
    var hasRefreshToken = false
    var verdict: SignatureVerification?
    /// The named refresh tokens, in the order of `serverState.requestedTokens`.
    var generations: TokenGenerations
    /// The embedded backend's state; nil for another backend.
    var serverState: ServerSessionState?
    /// The backend's last response to a call with the token.
    var lastResponse: SessionObservation?
    let now: Date

    init(session: Session, app: App?, now: Date) {
        self.session = session
        self.app = app
        self.now = now
        generations = TokenGenerations(session)
    }

    /// The generations with the server's information about each.
    var lineage: Lineage { Lineage(generations, sessionState: serverState) }

    var isLive: Bool { session.endedAt == nil }
    /// Whether it ended on its device or, as far as known, at its server.
    var hasEnded: Bool {
        guard isLive, let sessionState = serverState else { return !isLive }
        guard let serverSession = sessionState.session else { return true }
        return serverSession.revokedAt != nil || sessionState.account?.disabledAt != nil
    }
    /// Whether the server no longer accepts the session although the device holds it; nil if
    /// unknown.
    var isRevoked: Bool? {
        guard isLive, hasAccessToken else { return nil }
        if let sessionState = serverState {
            if let serverSession = sessionState.session { return serverSession.revokedAt != nil }
            return sessionState.isAccessTokenRecognized ? true : nil
        }
        guard let isAccepted = currentTokenResponse?.isAccepted else { return nil }
        // The rejection of an expired token does not mean that the session was revoked.
        let isExpired = session.accessToken?.expiresAt.map { $0 <= now } ?? false
        return !isAccepted && isExpired ? nil : !isAccepted
    }
    /// The last response, if it was to the current access token.
    var currentTokenResponse: SessionObservation? {
        lastResponse.flatMap { $0.maskedToken == session.accessToken?.maskedValue ? $0 : nil }
    }
    var claims: JSON? { session.accessToken?.claims }

    /// The value of the first of these names that exists, searched at the top level, then in
    /// objects.
    static func firstValue(_ names: [String], in values: [String: JSON]) -> JSON? {
        for name in names {
            if let value = values[name], value.scalarText != nil || value.bool != nil {
                return value
            }
        }
        for (_, value) in values.sorted(by: { $0.key < $1.key }) {
            guard case .object(let members) = value else { continue }
            for name in names {
                if let found = members.first(where: { $0.name == name })?.value, found != .null {
                    return found
                }
            }
        }
        return nil
    }

    func deviceValue(_ names: [String]) -> JSON? { Self.firstValue(names, in: storedValues) }

    func tokenValue(_ names: [String]) -> JSON? {
        guard case .object(let members)? = claims else { return nil }
        return Self.firstValue(
            names,
            in: Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { a, _ in a }))
    }

    func lastResponse(_ names: [String]) -> JSON? {
        lastResponse.flatMap { Self.firstValue(names, in: $0.capturedValues) }
    }
}

/// Names under which apps, tokens and servers store the same value.
enum ClaimAliases {
    static let user = ["userID", "user_id", "id", "uid", "localId", "sub"]
    static let claimedUser = ["sub", "user_id", "uid"]
    static let email = ["email", "userEmail"]
    static let verified = [
        "emailVerified", "email_verified", "isEmailVerified", "is_email_verified", "verified",
    ]
    static let session = ["session_id", "sid"]
}
