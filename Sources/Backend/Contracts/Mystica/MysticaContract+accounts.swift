import FoundationEssentials
import SQLite
import Secrets
import Web

extension MysticaContract {
    /// POST /auth/register (F-07, API Requirements 1).
    ///
    /// The session is handed out at once, as specified; nothing accepts it
    /// until the mail's link was followed.
    @Sendable func register(_ visit: Visit) async throws -> Response {
        let (email, password) = try credentials(visit)
        guard let address = EmailAddress(email) else { throw MysticaFailure.invalidEmail }
        // As the real server counts, in UTF-16: never stricter than a phone.
        guard password.utf16.count >= Self.shortestPassword else {
            throw MysticaFailure.weakPassword
        }
        let realm = realm(visit)
        let isTaken = try await premises.database.read { connection in
            try connection.account(email: address.text, in: realm) != nil
        }
        guard !isTaken else { throw MysticaFailure.emailExists }
        let hash = try await premises.hasher.hash(password)
        let account = Account(
            id: Opaque.uuid(premises.world), realm: realm, email: address.text, passwordHash: hash,
            createdAt: premises.now(in: realm))
        let letter = try verificationLetter(to: address.text, account: account.id, in: realm)
        let refreshToken = family.mint()
        let added = try await premises.database.write {
            [family, premises, mailLimit] connection -> (session: Session, place: Int64?)? in
            guard try connection.add(account) else { return nil }
            let place = try letter.post(from: premises.mailbox, limit: mailLimit, on: connection)
            let session = try family.begin(
                account, token: refreshToken, on: connection, at: account.createdAt)
            return (session, place)
        }
        // Somebody else was quicker with the same address.
        guard let (session, place) = added else { throw MysticaFailure.emailExists }
        premises.mailbox.announce(letter.envelope, at: place)
        return try signedIn(account, session, refreshToken)
    }

    /// POST /auth/login (F-07, API Requirements 2).
    @Sendable func login(_ visit: Visit) async throws -> Response {
        let (email, password) = try credentials(visit)
        let realm = realm(visit)
        let address = EmailAddress(email)?.text
        let found = try await premises.database.read { connection in
            try address.flatMap { try connection.account(email: $0, in: realm) }
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await premises.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let account = found else { throw MysticaFailure.invalidCredentials }
        guard !premises.isLockedOut else { throw MysticaFailure.accountLocked(seconds: 900) }
        try checkStanding(account)
        guard account.isVerified else { throw MysticaFailure.emailNotVerified }
        let now = premises.now(in: realm)
        let refreshToken = family.mint()
        let session = try await premises.database.write { [family] connection -> Session? in
            // The password may have been changed while it was checked.
            let current = try connection.account(account.id, in: realm)
            guard current?.passwordHash == account.passwordHash else { return nil }
            try connection.noteLogin(of: account.id, at: now)
            return try family.begin(account, token: refreshToken, on: connection, at: now)
        }
        guard let session else { throw MysticaFailure.invalidCredentials }
        return try signedIn(account, session, refreshToken)
    }

    static let shortestPassword = 8

    /// Refuses who may not sign in whatever they know.
    @Sendable func checkStanding(_ account: Account) throws(MysticaFailure) {
        guard account.disabledAt == nil else { throw .accountDisabled }
        let now = premises.now(in: account.realm)
        if let end = account.lockedUntil, now < end {
            throw .accountLocked(seconds: max(1, end.seconds - now.seconds))
        }
    }

    private func credentials(_ visit: Visit) throws -> (email: String, password: String) {
        let body = try JSONBody(visit.request)
        let email = try body.text("email", limit: JSONBody.emailLimit)
        let password = try body.text("password", limit: JSONBody.passwordLimit)
        guard let email, let password else { throw MysticaFailure.missingCredentials }
        return (email, password)
    }

    private func signedIn(_ account: Account, _ session: Session, _ refreshToken: String) throws
        -> Response
    {
        .json([
            "user": ["id": .string(account.id), "email": JSON(account.email)],
            "session": [
                "access_token": .string(try accessToken(account, session)),
                "refresh_token": .string(refreshToken),
            ],
        ])
    }
}
