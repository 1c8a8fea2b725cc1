import SQLite
import Secrets
import Surroundings

/// The refresh tokens of a contract's sessions: opaque, used once, rotated.
///
/// A token is kept as its SHA-256 digest. Using one retires it and gives the
/// next generation in the same transaction; using a retired one again, later
/// than the reuse interval, ends its whole session (RFC 9700, 4.14.2). That
/// ending is committed although the answer is an error.
struct RefreshFamily: Sendable {
    let world: World
    /// For so long after its use a token may be used again, because the
    /// answer may have been lost or two requests left at once; zero for
    /// strictly once.
    var reuseInterval: Duration = .zero
    /// Whether such a second use gives a next token as well.
    var repeatsRotate = true
    /// For so long a token that is not used is worth something; nil for ever.
    var life: Duration?
    /// What a reuse ends.
    var reach = Reach.session
    var spelling = Spelling.prefixed

    /// A fresh token's text.
    func mint() -> String {
        switch spelling {
        case .prefixed: "rt_" + Opaque.secret(world)
        case .hex: Opaque.hex(world)
        }
    }

    /// Opens a session, with `token` as its first generation if there is one.
    func begin(
        _ account: Account, token: String?, facts: String = "{}", on connection: Connection,
        at now: Moment
    ) throws -> Session {
        let session = Session(
            id: Opaque.uuid(world), account: account.id, realm: account.realm,
            generation: token == nil ? 0 : 1, facts: facts, createdAt: now)
        try connection.add(session)
        if let token {
            try connection.addRefreshToken(
                digest: Digest.sha256(token), session: session.id, generation: 1, at: now)
        }
        return session
    }

    /// Exchanges `token` for the next one, in one write of its own; by the
    /// rules `of` its session, where a contract has several.
    ///
    /// `admit` throws for whom it is not exchanged now: the token stays good
    /// for when they may come again.
    func rotate(
        _ token: String, in realm: Realm, at now: Moment, database: TracedDatabase,
        admit: @escaping @Sendable (Account) throws -> Void = { _ in },
        of rules: (@Sendable (Session) -> RefreshFamily)? = nil
    ) async throws -> Outcome {
        let digest = Digest.sha256(token)
        let next = mint()
        let nextDigest = Digest.sha256(next)
        return try await database.write { connection in
            guard let found = try connection.session(ofRefreshToken: digest, in: realm) else {
                return .unknown
            }
            var session = found.session
            if found.usedAt != nil { try connection.noteReuse(ofRefreshToken: digest, at: now) }
            guard session.revokedAt == nil else { return .ended(session, .before) }
            let family = rules?(session) ?? self
            if let usedAt = found.usedAt {
                guard now.isWithin(family.reuseInterval, of: usedAt) else {
                    try family.end(&session, on: connection, at: now)
                    return .ended(session, .reuse)
                }
                try admit(found.account)
                guard family.repeatsRotate else {
                    return .rotated(session, found.account, token: nil)
                }
            } else if let life = family.life, now >= found.issuedAt + life {
                let since = found.issuedAt.span(to: now)
                Trail.note(.age, false, "given out \(since) ago")
                return .ended(session, .age)
            }
            try admit(found.account)
            session.generation += 1
            session.refreshedAt = now
            try connection.advance(session, retiring: digest, to: nextDigest, at: now)
            return .rotated(session, found.account, token: next)
        }
    }

    private func end(_ session: inout Session, on connection: Connection, at now: Moment) throws {
        switch reach {
        case .session: try connection.revoke(session: session.id, because: .reused, at: now)
        case .account: try connection.revokeSessions(of: session.account, because: .reused, at: now)
        }
        session.revokedAt = now
        session.revokedBecause = Session.End.reused.rawValue
    }
}

extension Moment {
    /// Whether a token used at `use` may be used again now. Of two requests
    /// that left at once the one that came first may be written last, so now
    /// may lie a little before the other's use; it lies far before it where
    /// the clock was put back.
    func isWithin(_ reuseInterval: Duration, of use: Moment) -> Bool {
        self < use + reuseInterval && use < self + reuseInterval
    }
}
