import SQLite
import Web

extension MysticaContract {
    /// POST /auth/register-device: instant play. A device's first time makes
    /// an anonymous account (201), every other finds it (200).
    @Sendable func registerDevice(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        guard let sent = try body.text("device_id", limit: 256) else {
            throw MysticaFailure.missingDevice
        }
        guard let device = Opaque.uuid(reading: sent) else {
            throw MysticaFailure.field(
                "device_id", "Device ID must be a valid UUID", code: "invalid_string")
        }
        let realm = realm(visit)
        let now = premises.now(in: realm)
        let fresh = Account(
            id: Opaque.uuid(premises.world), realm: realm, deviceID: device, createdAt: now,
            lastLoginAt: now)
        let (account, session, isNew) = try await premises.database.write { [family] connection in
            let isNew = try connection.add(fresh)
            guard let account = try connection.account(deviceID: device, in: realm) else {
                preconditionFailure("a device just added is not there")
            }
            if !isNew { try connection.noteLogin(of: account.id, at: now) }
            let session = try family.begin(account, token: nil, on: connection, at: now)
            return (account, session, isNew)
        }
        try checkStanding(account)
        let life = tokens.life(Self.deviceLife, of: account)
        let end = (now + life).seconds
        return .json(
            [
                "user": user(account, at: now),
                "session": [
                    "access_token": .string(
                        try deviceToken(account, session, device, at: now)),
                    "refresh_token": .null,
                    "expires_in": .int(life.components.seconds),
                    "expires_at": .int(end),
                    "token_type": "bearer",
                ],
                "message": .string(
                    isNew ? "Device registered successfully" : "Device login successful"),
            ], status: isNew ? 201 : 200)
    }

    private func deviceToken(
        _ account: Account, _ session: Session, _ device: String, at now: Moment
    ) throws -> String {
        try tokens.sign(
            [
                "iss": .string(premises.base(of: account.realm)),
                "sub": .string(account.id),
                "device_id": .string(device),
                "account_type": "anonymous",
                "session_id": .string(session.id),
                "iat": .int(now.seconds),
                "exp": .int(
                    (now + tokens.life(Self.deviceLife, of: account)).seconds),
            ], as: .device)
    }

    /// The real server's shape, with what a new player has.
    private func user(_ account: Account, at now: Moment) -> JSON {
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
