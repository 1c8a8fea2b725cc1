package import FoundationEssentials

@testable package import Backend

extension BackendSession {
    package static func mock(at now: Date) -> Self {
        Self(
            id: "ses", accountID: "usr_1", realm: Realm(workspace: "main", contract: "mystica"),
            generation: 1, createdAt: Timestamp(now))
    }
}

extension Account {
    package static func mock(at now: Date) -> Self {
        Self(
            id: "usr_1", realm: Realm(workspace: "main", contract: "mystica"),
            email: "nora@example.com", createdAt: Timestamp(now))
    }
}

extension ServerSessionState {
    /// An active session of a verified account with one refresh token.
    package static func mock(at now: Date) -> ServerSessionState {
        ServerSessionState(
            session: .mock(at: now), account: .mock(at: now), requestedTokens: [.mock(at: now)],
            issuedTokens: [.mock(at: now)], isAccessTokenRecognized: true)
    }

    /// Neither session nor account exist any more.
    package static let deleted = ServerSessionState(
        session: nil, account: nil, requestedTokens: [], issuedTokens: [],
        isAccessTokenRecognized: true)
}

extension EmbeddedBackend.RefreshTokenInfo {
    package static func mock(at now: Date, used: Date? = nil) -> Self {
        Self(generation: 1, issuedAt: now, usedAt: used)
    }
}
