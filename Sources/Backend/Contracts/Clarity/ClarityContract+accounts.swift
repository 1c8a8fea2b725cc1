import Crypto
import SQLite
import Web

/// Accounts and sessions as the database keeps them, whichever server asked.
extension ClarityContract {
    func checkEmailAvailable(_ address: EmailAddress, in realm: Realm) async throws {
        let isTaken = try await services.database.read { connection in
            try connection.account(email: address.text, in: realm) != nil
        }
        guard !isTaken else { throw ClarityGoogleFailure.emailExists }
    }

    /// A new account, signed in unless it must wait. `password` was checked.
    func createAccount(
        _ address: EmailAddress, _ password: String, name: String?,
        awaitsVerification: Bool = false,
        in realm: Realm
    ) async throws -> (account: Account, session: BackendSession?, token: String) {
        let hash = try await services.hasher.hash(password)
        let now = services.now(in: realm)
        var person = ClarityProfile(passwordSetAt: now)
        person.displayName = name
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: hash,
            profile: person.jsonText, createdAt: now, lastLoginAt: awaitsVerification ? nil : now)
        let token = try makeRefreshToken()
        let session = try await services.database.write { connection -> BackendSession? in
            // Somebody else may have been quicker with the same address.
            guard try connection.add(account) else { throw ClarityGoogleFailure.emailExists }
            return awaitsVerification
                ? nil : try startSession(account, token: token, on: connection, at: now)
        }
        return (account, session, token)
    }

    /// A new session of somebody who showed the password.
    func createSession(_ account: Account) async throws -> (session: BackendSession, token: String)
    {
        let now = services.now(in: account.realm)
        let token = try makeRefreshToken()
        let session = try await services.database.write { connection -> BackendSession? in
            // The password may have been changed while it was checked.
            let current = try connection.account(account.id, in: account.realm)
            guard current?.passwordHash == account.passwordHash else { return nil }
            try connection.recordLogin(of: account.id, at: now)
            return try startSession(account, token: token, on: connection, at: now)
        }
        guard let session else { throw ClarityGoogleFailure.invalidCredentials }
        return (session, token)
    }

    /// Does all of `change`; if it ends what was issued before, there is a new
    /// session. `account` is as it was when its token was judged: if another
    /// password, address or standing came meanwhile, nothing is done.
    func apply(_ change: ClarityAccountUpdate, to account: Account) async throws -> (
        account: Account, session: BackendSession?, token: String
    ) {
        let hash: String?
        if let password = change.password {
            hash = try await services.hasher.hash(password)
        } else {
            hash = nil
        }
        let now = services.now(in: account.realm)
        let token = try makeRefreshToken()
        return try await services.database.write { connection in
            guard let current = try connection.account(account.id, in: account.realm) else {
                throw ClarityGoogleFailure.userNotFound
            }
            guard current.passwordHash == account.passwordHash, current.email == account.email,
                current.disabledAt == account.disabledAt
            else { throw ClarityGoogleFailure.tokenExpired }
            let changed = try change.apply(to: current, passwordHash: hash, on: connection, at: now)
            let session =
                change.endsSessions
                ? try startSession(changed, token: token, on: connection, at: now) : nil
            return (changed, session, token)
        }
    }
}
