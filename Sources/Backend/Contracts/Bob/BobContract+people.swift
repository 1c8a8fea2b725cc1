import FoundationEssentials
import SQLite
import Secrets
import Web

/// What both dialects do with accounts.
extension BobContract {
    /// A sign-in and the first refresh token of its session.
    struct SignIn: Sendable {
        let account: Account
        let session: Session
        let refreshToken: String
    }

    /// The account of these credentials; nil for an unknown address and for a
    /// wrong password alike.
    func account(email: String, password: String, in realm: Realm) async throws -> Account? {
        let address = EmailAddress(email)?.text
        let found = try await premises.database.read { connection in
            try address.flatMap { try connection.account(email: $0, in: realm) }
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await premises.hasher.verify(password, against: found?.passwordHash)
        return isRight ? found : nil
    }

    func signIn(_ account: Account, _ dialect: BobDialect) async throws -> SignIn {
        guard account.disabledAt == nil else { throw BobFailure.inactive }
        let now = premises.now(in: account.realm)
        guard !account.isLocked(at: now), !premises.isLockedOut else {
            throw BobFailure.tooManyLogins
        }
        let family = family(dialect)
        let token = family.mint()
        let session = try await premises.database.write { connection in
            try connection.noteLogin(of: account.id, at: now)
            return try family.begin(
                account, token: token, facts: dialect.facts, on: connection, at: now)
        }
        return SignIn(account: account, session: session, refreshToken: token)
    }

    func add(_ address: EmailAddress, _ password: String, _ profile: BobProfile, in realm: Realm)
        async throws -> Account
    {
        let isTaken = try await premises.database.read { connection in
            try connection.account(email: address.text, in: realm) != nil
        }
        guard !isTaken else { throw BobFailure.emailExists }
        let account = Account(
            id: Opaque.uuid(premises.world), realm: realm, email: address.text,
            passwordHash: try await premises.hasher.hash(password), profile: profile.text,
            createdAt: premises.now(in: realm))
        let added = try await premises.database.write { connection in try connection.add(account) }
        // Somebody else was quicker with the same address.
        guard added else { throw BobFailure.emailExists }
        return account
    }

    func accessToken(_ account: Account, _ session: Session, _ dialect: BobDialect) throws -> String
    {
        let now = premises.now(in: account.realm)
        return try tokens.sign(
            [
                "iss": .string(premises.base(of: account.realm)),
                "aud": .string(Self.audience(dialect, account.realm)),
                "sub": .string(account.id),
                "email": JSON(account.email),
                "role": .string(BobProfile(account).role),
                "session_id": .string(session.id),
                "iat": .int(now.seconds),
                "exp": .int(
                    (now + tokens.life(dialect.accessLife, of: account))
                        .seconds),
            ], as: .access)
    }

    /// Who a bearer token speaks for, at the door it was given out for; the
    /// token alone decides until it ends, whatever became of its session.
    func bearer(_ visit: Visit) throws(BobFailure) -> AccessTokens.Claims {
        let dialect = BobDialect(visit.request)
        guard let token = Bearer(visit.request).token,
            case .valid(let claims) = tokens.read(token, at: premises.now(in: realm(visit)))
        else { throw .invalidAccessToken }
        let isMeant = claims.audience == Self.audience(dialect, realm(visit))
        Trail.note(.audience, isMeant, claims.audience ?? "none named")
        guard isMeant else { throw .invalidAccessToken }
        return claims
    }

    /// Where a token is good: one dialect in one workspace. Without the host,
    /// whose port may be another after a restart.
    private static func audience(_ dialect: BobDialect, _ realm: Realm) -> String {
        "/\(realm.workspace)/\(realm.contract)\(dialect.root)"
    }
}
