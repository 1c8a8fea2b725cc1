import SQLite
import Secrets
import Web

/// Accounts and sessions as the database keeps them, whichever server asked.
extension ClarityContract {
    func refuseTaken(_ address: EmailAddress, in realm: Realm) async throws {
        let isTaken = try await premises.database.read { connection in
            try connection.account(email: address.text, in: realm) != nil
        }
        guard !isTaken else { throw ClarityFailure.emailExists }
    }

    /// A new account, signed in unless it must wait. `password` was checked.
    func join(
        _ address: EmailAddress, _ password: String, name: String?, waits: Bool = false,
        in realm: Realm
    ) async throws -> (account: Account, session: Session?, token: String) {
        let hash = try await premises.hasher.hash(password)
        let now = premises.now(in: realm)
        var person = ClarityPerson(passwordSetAt: now)
        person.displayName = name
        let account = Account(
            id: Opaque.uuid(premises.world), realm: realm, email: address.text, passwordHash: hash,
            profile: person.profile, createdAt: now, lastLoginAt: waits ? nil : now)
        let token = try mintRefreshToken()
        let session = try await premises.database.write { connection -> Session? in
            // Somebody else may have been quicker with the same address.
            guard try connection.add(account) else { throw ClarityFailure.emailExists }
            return waits ? nil : try begin(account, token: token, on: connection, at: now)
        }
        return (account, session, token)
    }

    /// A new session of somebody who showed the password.
    func enter(_ account: Account) async throws -> (session: Session, token: String) {
        let now = premises.now(in: account.realm)
        let token = try mintRefreshToken()
        let session = try await premises.database.write { connection -> Session? in
            // The password may have been changed while it was checked.
            let current = try connection.account(account.id, in: account.realm)
            guard current?.passwordHash == account.passwordHash else { return nil }
            try connection.noteLogin(of: account.id, at: now)
            return try begin(account, token: token, on: connection, at: now)
        }
        guard let session else { throw ClarityFailure.invalidCredentials }
        return (session, token)
    }

    /// Does all of `change`; if it ends what was issued before, there is a new
    /// session. `account` is as it was when its token was judged: if another
    /// password, address or standing came meanwhile, nothing is done.
    func apply(_ change: ClarityChange, to account: Account) async throws -> (
        account: Account, session: Session?, token: String
    ) {
        let hash: String?
        if let password = change.password {
            hash = try await premises.hasher.hash(password)
        } else {
            hash = nil
        }
        let now = premises.now(in: account.realm)
        let token = try mintRefreshToken()
        return try await premises.database.write { connection in
            guard let current = try connection.account(account.id, in: account.realm) else {
                throw ClarityFailure.userNotFound
            }
            guard current.passwordHash == account.passwordHash, current.email == account.email,
                current.disabledAt == account.disabledAt
            else { throw ClarityFailure.tokenExpired }
            let changed = try change.made(to: current, hash: hash, on: connection, at: now)
            let session =
                change.endsSessions
                ? try begin(changed, token: token, on: connection, at: now) : nil
            return (changed, session, token)
        }
    }
}
