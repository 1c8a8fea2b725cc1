import Backend
import SQLite
import Web

/// The metadata of an account as GoTrue's administrators change it.
extension SocotoContract {
    static func metadata(of account: Account) -> [AccountMetadata] {
        let user = SocotoUser(account)
        return [
            AccountMetadata(
                name: "user_metadata", text: "Changed by the user and administrators; in tokens.",
                members: user.metadata),
            AccountMetadata(
                name: "app_metadata",
                text: "Changed by administrators only; in tokens, with provider and providers.",
                members: user.appMetadata),
        ]
    }

    static func setMetadata(
        _ name: String, to members: [JSON.Member], of account: Account, on connection: Connection,
        at now: Timestamp
    ) throws {
        guard JSON.object(members).bytes.count <= SocotoUser.maxByteCount else {
            throw Problem(
                status: 422, code: "invalid-account", title: "Invalid account",
                detail: "/metadata/\(name) is longer than \(SocotoUser.maxByteCount) bytes.",
                errors: [
                    .init(
                        pointer: "/metadata/\(name)",
                        detail: "is longer than \(SocotoUser.maxByteCount) bytes")
                ])
        }
        var user = SocotoUser(account)
        if name == "user_metadata" { user.metadata = members } else { user.appMetadata = members }
        user.updatedAt = now
        try connection.save(user, of: account)
    }
}
