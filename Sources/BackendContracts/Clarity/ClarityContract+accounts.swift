import Backend
import Crypto
import SQLite
import Web

/// Account and session operations shared by all of Clarity's servers.
extension ClarityContract {
    func checkEmailAvailable(_ address: EmailAddress, in realm: Realm) async throws {
        let isTaken = try await services.account(email: address.text, in: realm) != nil
        guard !isTaken else { throw ClarityGoogleFailure.emailExists }
    }

    /// Creates an account and, unless it awaits verification, signs it in. `password` is already
    /// checked.
    func createAccount(
        _ address: EmailAddress, _ password: String, name: String?,
        awaitsVerification: Bool = false,
        in realm: Realm
    ) async throws -> (account: Account, session: BackendSession?, token: String) {
        let hash = try await services.hasher.hash(password)
        let now = services.now(in: realm)
        var profile = ClarityProfile(passwordSetAt: now)
        profile.displayName = name
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: hash,
            profile: profile.jsonText, createdAt: now, lastLoginAt: awaitsVerification ? nil : now)
        let token = try makeRefreshToken()
        let session = try await services.database.write { connection -> BackendSession? in
            // Another request may have registered the same address first.
            guard try connection.add(account) else { throw ClarityGoogleFailure.emailExists }
            return awaitsVerification
                ? nil : try startSession(account, token: token, on: connection, at: now)
        }
        return (account, session, token)
    }

    /// Starts a session for an account whose password was verified.
    func createSession(_ account: Account) async throws -> (session: BackendSession, token: String)
    {
        let now = services.now(in: account.realm)
        let token = try makeRefreshToken()
        let session = try await services.database.write { connection -> BackendSession? in
            // The password may have been changed while it was verified.
            let current = try connection.account(account.id, in: account.realm)
            guard current?.passwordHash == account.passwordHash else { return nil }
            try connection.recordLogin(of: account.id, at: now)
            return try startSession(account, token: token, on: connection, at: now)
        }
        guard let session else { throw ClarityGoogleFailure.invalidCredentials }
        return (session, token)
    }

    /// Applies all of `change`. If that ends the existing sessions, a new one begins.
    ///
    /// `account` is as it was when its token was validated. If its password, address or disabled
    /// state has changed since, nothing is applied and `tokenExpired` is thrown.
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
