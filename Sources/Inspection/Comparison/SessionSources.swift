package import Apps
package import Backend
package import FoundationEssentials
package import Simulator
package import Web

/// The data that a session comparison is computed from.
package struct SessionSources: Sendable {
    package let session: Session
    package let app: App?
    /// The stored captured values by name.
    var storedValues: [String: JSON] = [:]
    package var hasAccessToken = false
    package var hasRefreshToken = false
    package var verdict: SignatureVerification?
    /// The named refresh tokens, in the order of `serverState.requestedTokens`.
    package var generations: TokenGenerations
    /// The embedded backend's state; nil for another backend.
    package var serverState: ServerSessionState?
    /// The backend's last response to a call with the token.
    package var lastResponse: SessionObservation?
    package let now: Date

    package init(session: Session, app: App?, now: Date) {
        self.session = session
        self.app = app
        self.now = now
        generations = TokenGenerations(session)
    }

    /// The generations with the server's information about each.
    package var lineage: Lineage { Lineage(generations, sessionState: serverState) }

    package var isLive: Bool { session.endedAt == nil }
    /// Whether it ended on its device or, as far as known, at its server.
    package var hasEnded: Bool {
        guard isLive, let sessionState = serverState else { return !isLive }
        guard let serverSession = sessionState.session else { return true }
        return serverSession.revokedAt != nil || sessionState.account?.disabledAt != nil
    }
    /// Whether the server no longer accepts the session although the device holds it; nil if
    /// unknown.
    package var isRevoked: Bool? {
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
    package var currentTokenResponse: SessionObservation? {
        lastResponse.flatMap { $0.maskedToken == session.accessToken?.maskedValue ? $0 : nil }
    }
    package var claims: JSON? { session.accessToken?.claims }

    /// The value of the first of these names that exists, searched at the top level, then in
    /// objects.
    static func firstValue(_ names: [String], in values: [String: JSON]) -> JSON? {
        let members = values.sorted { $0.key < $1.key }.lazy.flatMap { _, value in
            names.compactMap { value[$0] }
        }
        return names.lazy.compactMap { values[$0] }.first { $0.scalarText != nil }
            ?? members.first { $0 != .null }
    }

    package func deviceValue(_ names: [String]) -> JSON? {
        Self.firstValue(names, in: storedValues)
    }

    package func tokenValue(_ names: [String]) -> JSON? {
        let members = (claims?.members ?? []).map { ($0.name, $0.value) }
        return Self.firstValue(names, in: Dictionary(members) { first, _ in first })
    }

    package func lastResponse(_ names: [String]) -> JSON? {
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
