import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// POST /auth/register (F-07, API Requirements 1).
    ///
    /// The response contains a session at once, as specified. Nothing accepts it until the mailed
    /// link was followed.
    func register(_ context: RequestContext) async throws -> Response {
        let (email, password) = try readCredentials(context)
        guard let address = EmailAddress(email) else { throw MysticaFailure.invalidEmail }
        // UTF-16 code units, as the real server counts: never stricter than the app.
        guard password.utf16.count >= Self.minPasswordLength else {
            throw MysticaFailure.weakPassword
        }
        let isTaken = try await findAccount(email: address.text) != nil
        guard !isTaken else { throw MysticaFailure.emailExists }
        let hash = try await services.hasher.hash(password)
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: hash, createdAt: now)
        let mail = try makeMail(for: .verify, to: address.text, account: account.id)
        let refreshToken = refreshFamily.makeToken()
        let added = try await database.write {
            [family = refreshFamily, mailLimit] connection -> (
                session: BackendSession, mail: Int64?
            )? in
            guard try connection.add(account) else { return nil }
            let mailSequence = try connection.sendLink(mail, limit: mailLimit)
            let session = try family.startSession(
                account, token: refreshToken, on: connection, at: account.createdAt)
            return (session, mailSequence)
        }
        // Another request registered the same address first.
        guard let (session, mailSequence) = added else { throw MysticaFailure.emailExists }
        services.mailbox.publishSent(mail, at: mailSequence)
        return try signInResponse(account, session, refreshToken)
    }

    /// POST /auth/login (F-07, API Requirements 2).
    func login(_ context: RequestContext) async throws -> Response {
        let (email, password) = try readCredentials(context)
        let address = EmailAddress(email)?.text
        let account = try await authenticate(
            email: address, password: password, limit: Self.failedLoginLimit, of: address ?? "",
            failure: MysticaFailure.tooManyLogins
        ).accepted.orThrow(MysticaFailure.invalidCredentials)
        services.rateLimits.clear(Self.failedLoginLimit, of: address ?? "", in: realm)
        guard !services.isAccountLockSimulated else {
            throw MysticaFailure.accountLocked(seconds: 900)
        }
        try checkSignInAllowed(account)
        guard account.isVerified else { throw MysticaFailure.emailNotVerified }
        let refreshToken = refreshFamily.makeToken()
        let session = try await startSession(
            account, token: refreshToken, of: refreshFamily,
            failure: MysticaFailure.invalidCredentials)
        return try signInResponse(account, session, refreshToken)
    }

    static let minPasswordLength = 8

    /// Throws if the account is disabled or locked, whatever the credentials.
    func checkSignInAllowed(_ account: Account) throws(MysticaFailure) {
        guard account.disabledAt == nil else { throw .accountDisabled }
        let now = now
        if let lockedUntil = account.lockedUntil, now < lockedUntil {
            throw .accountLocked(seconds: max(1, lockedUntil.seconds - now.seconds))
        }
    }

    private func readCredentials(_ context: RequestContext) throws -> (
        email: String, password: String
    ) {
        let body = try JSONBody(context.request)
        let email = try body.email()
        let password = try body.password()
        guard let email, let password else { throw MysticaFailure.missingCredentials }
        return (email, password)
    }

    private func signInResponse(
        _ account: Account, _ session: BackendSession, _ refreshToken: String
    ) throws -> Response {
        .json([
            "user": ["id": .string(account.id), "email": JSON(account.email)],
            "session": [
                "access_token": .string(try makeAccessToken(account, session)),
                "refresh_token": .string(refreshToken),
            ],
        ])
    }

    /// POST /auth/register-device: instant play. The first request of a device creates an anonymous
    /// account (201), every later one signs in to it (200).
    func registerDevice(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let text = try body.text("device_id", limit: 256).orThrow(MysticaFailure.missingDeviceID)
        let device = try RandomTokens.uuid(parsing: text).orThrow(
            MysticaFailure.field(
                "device_id", "Device ID must be a valid UUID", code: "invalid_string"))
        let now = now
        let newAccount = Account(
            id: RandomTokens.uuid(services.world), realm: realm, deviceID: device, createdAt: now,
            lastLoginAt: now)
        let (account, session, isNew) = try await database.write {
            [family = refreshFamily] connection in
            let isNew = try connection.add(newAccount)
            guard let account = try connection.account(deviceID: device, in: realm) else {
                preconditionFailure("a device just added is not there")
            }
            if !isNew { try connection.recordLogin(of: account.id, at: now) }
            let session = try family.startSession(account, token: nil, on: connection, at: now)
            return (account, session, isNew)
        }
        try checkSignInAllowed(account)
        let lifetime = accessTokens.lifetime(Self.deviceTokenLifetime, of: account)
        let expiresAt = (now + lifetime).seconds
        return .json(
            [
                "user": userJSON(account, at: now),
                "session": [
                    "access_token": .string(
                        try signToken(
                            [
                                "iss": .string(baseURL), "sub": .string(account.id),
                                "device_id": .string(device), "account_type": "anonymous",
                                "session_id": .string(session.id),
                            ], of: account, lifetime: Self.deviceTokenLifetime, as: .device)),
                    "refresh_token": .null, "expires_in": .int(lifetime.components.seconds),
                    "expires_at": .int(expiresAt), "token_type": "bearer",
                ],
                "message": .string(
                    isNew ? "Device registered successfully" : "Device login successful"),
            ], status: isNew ? 201 : 200)
    }

    /// The real server's format, with a new player's values.
    private func userJSON(_ account: Account, at now: Timestamp) -> JSON {
        [
            "id": .string(account.id), "email": .null, "device_id": JSON(account.deviceID),
            "account_type": "anonymous", "username": .null, "vanity_level": 0, "avg_item_level": 0,
            "gold": 500, "gems": 0,
            "total_stats": ["atkPower": 0, "atkAccuracy": 0, "defPower": 0, "defAccuracy": 0],
            "level": 1, "xp": 0, "created_at": .string(account.createdAt.iso8601Seconds),
            "last_login": .string(now.iso8601Seconds),
        ]
    }
}
