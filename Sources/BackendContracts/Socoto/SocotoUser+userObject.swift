import Backend
import FoundationEssentials
import Web

extension SocotoUser {
    /// The server's User object. Absent times are left out, never empty.
    func userObject(_ account: Account) -> JSON {
        func time(_ timestamp: Timestamp?) -> JSON? { (timestamp?.date.iso8601).map(JSON.string) }
        // A ban always has an end there. An indefinite one lasts a hundred years.
        let bannedUntil = account.disabledAt.map { $0 + .seconds(3_153_600_000) }
        return .omittingNil([
            "id": .string(account.id), "aud": "authenticated", "role": "authenticated",
            "email": .string(account.email ?? ""),
            "email_confirmed_at": time(account.emailVerifiedAt), "phone": "",
            "confirmation_sent_at": time(confirmationSentAt),
            "confirmed_at": time(account.emailVerifiedAt),
            "recovery_sent_at": time(recoverySentAt), "new_email": newEmail.map(JSON.string),
            "email_change_sent_at": time(emailChangeSentAt),
            "last_sign_in_at": time(account.lastLoginAt),
            "app_metadata": Self.appMetadata, "user_metadata": .object(metadata),
            "identities": [identityObject(account)],
            "created_at": time(account.createdAt), "updated_at": time(updatedAt),
            "banned_until": time(bannedUntil ?? account.lockedUntil), "is_anonymous": false,
        ])
    }

    /// The response to a sign-up with a confirmed address: a made-up user, so that it reveals
    /// nothing.
    static func decoyUserObject(
        id: String, email: String, metadata: [JSON.Member], at now: Timestamp
    )
        -> JSON
    {
        let user = SocotoUser(identityID: id, metadata: metadata, at: now)
        let time: JSON = .string(now.date.iso8601)
        return [
            "id": .string(id), "aud": "authenticated", "role": "",
            "email": .string(email), "phone": "",
            "confirmation_sent_at": time, "app_metadata": appMetadata,
            "user_metadata": .object(user.metadata), "identities": [],
            "created_at": time, "updated_at": time, "is_anonymous": false,
        ]
    }

    static let appMetadata: JSON = ["provider": "email", "providers": ["email"]]

    private func identityObject(_ account: Account) -> JSON {
        let email = JSON.string(account.email ?? "")
        var data = SocotoUser(identityID: identityID, metadata: metadata, at: updatedAt)
        data.merge([
            .init("email", email), .init("email_verified", .bool(account.emailVerifiedAt != nil)),
            .init("phone_verified", false), .init("sub", .string(account.id)),
        ])
        let createdAt: JSON = .string(account.createdAt.date.iso8601)
        return [
            "identity_id": .string(identityID), "id": .string(account.id),
            "user_id": .string(account.id),
            "identity_data": .object(data.metadata), "provider": "email",
            "last_sign_in_at": createdAt, "created_at": createdAt,
            "updated_at": createdAt, "email": email,
        ]
    }
}
