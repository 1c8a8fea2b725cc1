import FoundationEssentials

@testable import Backend

extension EmbeddedBackend.KnownSession {
    static func mock(at now: Date) -> Self {
        Self(
            Backend.Session(
                id: "ses", account: "usr_1", realm: Realm(workspace: "main", contract: "mystica"),
                generation: 1, createdAt: Moment(now)), account(now))
    }

    fileprivate static func account(_ now: Date) -> Account {
        Account(
            id: "usr_1", realm: Realm(workspace: "main", contract: "mystica"),
            email: "nora@example.com", createdAt: Moment(now))
    }
}

extension EmbeddedBackend.KnownPerson {
    static func mock(at now: Date) -> Self { Self(EmbeddedBackend.KnownSession.account(now)) }
}

extension Truth {
    /// An open session of a verified person with one refresh token.
    static func mock(at now: Date) -> Truth {
        Truth(
            session: .mock(at: now), account: .mock(at: now), asked: [.mock(at: now)],
            issued: [.mock(at: now)])
    }
}

extension EmbeddedBackend.KnownRefreshToken {
    static func mock(at now: Date, used: Date? = nil) -> Self {
        Self(generation: 1, issuedAt: now, usedAt: used)
    }
}
