import Backend
import SQLite
import Web

extension MysticaContract {
    /// POST /auth/register-device: instant play. The first request of a device creates an anonymous
    /// account (201), every later one signs in to it (200).
    @Sendable func registerDevice(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        guard let text = try body.text("device_id", limit: 256) else {
            throw MysticaFailure.missingDeviceID
        }
        guard let device = RandomTokens.uuid(parsing: text) else {
            throw MysticaFailure.field(
                "device_id", "Device ID must be a valid UUID", code: "invalid_string")
        }
        let realm = realm(context)
        let now = services.now(in: realm)
        let newAccount = Account(
            id: RandomTokens.uuid(services.world), realm: realm, deviceID: device, createdAt: now,
            lastLoginAt: now)
        let (account, session, isNew) = try await services.database.write {
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
                                "iss": .string(services.baseURL(of: realm)),
                                "sub": .string(account.id), "device_id": .string(device),
                                "account_type": "anonymous", "session_id": .string(session.id),
                            ], of: account, lifetime: Self.deviceTokenLifetime, as: .device)),
                    "refresh_token": .null,
                    "expires_in": .int(lifetime.components.seconds),
                    "expires_at": .int(expiresAt),
                    "token_type": "bearer",
                ],
                "message": .string(
                    isNew ? "Device registered successfully" : "Device login successful"),
            ], status: isNew ? 201 : 200)
    }

    /// The real server's format, with a new player's values.
    private func userJSON(_ account: Account, at now: Timestamp) -> JSON {
        [
            "id": .string(account.id),
            "email": .null,
            "device_id": JSON(account.deviceID),
            "account_type": "anonymous",
            "username": .null,
            "vanity_level": 0,
            "avg_item_level": 0,
            "gold": 500,
            "gems": 0,
            "total_stats": [
                "atkPower": 0, "atkAccuracy": 0, "defPower": 0,
                "defAccuracy": 0,
            ],
            "level": 1,
            "xp": 0,
            "created_at": .string(account.createdAt.iso8601Seconds),
            "last_login": .string(now.iso8601Seconds),
        ]
    }
}
