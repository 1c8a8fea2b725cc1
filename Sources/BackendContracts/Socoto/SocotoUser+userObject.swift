import Backend
import FoundationEssentials
import Web

extension SocotoUser {
    /// The server's User object. Absent times are left out, never empty.
    func userObject(_ account: Account) -> JSON {
        let email = account.email ?? ""
        var members: [JSON.Member] = [
            .init("id", .string(account.id)), .init("aud", "authenticated"),
            .init("role", "authenticated"), .init("email", .string(email)),
        ]
        members.appendTime("email_confirmed_at", account.emailVerifiedAt)
        members.append(.init("phone", ""))
        members.appendTime("confirmation_sent_at", confirmationSentAt)
        members.appendTime("confirmed_at", account.emailVerifiedAt)
        members.appendTime("recovery_sent_at", recoverySentAt)
        if let newEmail { members.append(.init("new_email", .string(newEmail))) }
        members.appendTime("email_change_sent_at", emailChangeSentAt)
        members.appendTime("last_sign_in_at", account.lastLoginAt)
        members += [
            .init("app_metadata", Self.appMetadata), .init("user_metadata", .object(metadata)),
            .init("identities", [identityObject(account)]),
            .init("created_at", .string(account.createdAt.date.iso8601)),
            .init("updated_at", .string(updatedAt.date.iso8601)),
        ]
        // A ban always has an end there. An indefinite one lasts a hundred years.
        members.appendTime(
            "banned_until",
            account.disabledAt.map { $0 + .seconds(3_153_600_000) } ?? account.lockedUntil)
        members.append(.init("is_anonymous", false))
        return .object(members)
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

extension [JSON.Member] {
    fileprivate mutating func appendTime(_ name: String, _ time: Timestamp?) {
        guard let time else { return }
        append(.init(name, .string(time.date.iso8601)))
    }
}
