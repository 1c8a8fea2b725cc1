import Backend
import FoundationEssentials
import Web

extension SocotoUser {
    /// The server's User object. Absent times are left out, never empty.
    func userObject(_ account: Account) -> JSON {
        func time(_ timestamp: Timestamp?) -> JSON? { (timestamp?.date.iso8601).map(JSON.string) }
        // A ban always has an end there. An indefinite one lasts a hundred years.
        let bannedUntil = account.disabledAt.map { $0 + .seconds(3_153_600_000) }
        let confirmedAt = [account.emailVerifiedAt, account.phoneVerifiedAt].compactMap(\.self)
            .min()
        let factors = account.factors.map(\.goTrueObject)
        return .omittingNil([
            "id": .string(account.id), "aud": .string(details.audience), "role": .string(role),
            "email": .string(account.email ?? ""),
            "email_confirmed_at": time(account.emailVerifiedAt),
            "invited_at": time(details.invitedAt), "phone": .string(account.goTruePhone),
            "phone_confirmed_at": time(account.phoneVerifiedAt),
            "confirmation_sent_at": time(confirmationSentAt),
            "confirmed_at": time(confirmedAt), "recovery_sent_at": time(recoverySentAt),
            "new_email": newEmail.map(JSON.string), "email_change_sent_at": time(emailChangeSentAt),
            "new_phone": details.newPhone.map { .string(GoTruePhoneNumber.withoutPlus($0)) },
            "phone_change_sent_at": time(details.phoneChangeSentAt),
            "reauthentication_sent_at": time(details.reauthenticationSentAt),
            "last_sign_in_at": time(account.lastLoginAt),
            "app_metadata": appMetadataObject(account), "user_metadata": .object(metadata),
            "factors": factors.isEmpty ? nil : .array(factors),
            "identities": .array(identityObjects(account)), "created_at": time(account.createdAt),
            "updated_at": time(updatedAt), "banned_until": time(bannedUntil ?? account.lockedUntil),
            "deleted_at": time(details.deletedAt),
            "is_anonymous": .bool(account.isAnonymous),
        ])
    }

    /// The response to a sign-up that must be confirmed. It has no data that an administrator gave
    /// an account, because the request may be that of a person who does not own the address.
    func objectForSignUp(_ account: Account) -> JSON {
        guard details.origin == .administrator || details.invitedAt != nil else {
            return userObject(account)
        }
        var user = self
        user.metadata = []
        user.appMetadata = []
        guard details.invitedAt != nil, case .object(var members) = user.userObject(account),
            let index = members.firstIndex(where: { $0.name == "identities" })
        else { return user.userObject(account) }
        members[index].value = []
        return .object(members)
    }

    /// The response to a sign-up with a confirmed address: a made-up user, so that it reveals
    /// nothing.
    static func decoyUserObject(
        id: String, email: String, phone: String = "", metadata: [JSON.Member], at now: Timestamp
    ) -> JSON {
        let provider: JSON = phone.isEmpty ? "email" : "phone"
        let user = SocotoUser(metadata: metadata, at: now)
        let time: JSON = .string(now.date.iso8601)
        return [
            "id": .string(id), "aud": "authenticated", "role": "", "email": .string(email),
            "phone": .string(phone), "confirmation_sent_at": time,
            "app_metadata": ["provider": provider, "providers": [provider]],
            "user_metadata": .object(user.metadata), "identities": [], "created_at": time,
            "updated_at": time, "is_anonymous": false,
        ]
    }

    /// What the server stores for the app: the providers of the account's identities, and what
    /// administrators set.
    func appMetadataObject(_ account: Account) -> JSON {
        var providers: [String] = []
        for provider in goTrueIdentities(of: account).map(\.provider)
        where !providers.contains(provider) { providers.append(provider) }
        guard let first = providers.first else { return .object(appMetadata) }
        let members: [JSON.Member] = [
            .init("provider", .string(first)),
            .init("providers", .array(providers.map(JSON.string))),
        ]
        return .object(members.merging(appMetadata))
    }

    /// The account's identities, oldest first: that of its e-mail address, and those at providers.
    func goTrueIdentities(of account: Account) -> [Identity] {
        guard let emailIdentity else { return account.identities }
        let index = account.identities.firstIndex { $0.createdAt >= emailIdentity.createdAt }
        var identities = account.identities
        identities.insert(emailIdentity, at: index ?? identities.endIndex)
        return identities
    }

    func identityObjects(_ account: Account) -> [JSON] {
        goTrueIdentities(of: account).map { $0.goTrueObject(of: account) }
    }
}

extension Account {
    /// Whether it has neither an address nor a number nor an identity at a provider.
    var isAnonymous: Bool { email == nil && phone == nil && identities.isEmpty }

    /// The number without its `+`, as the server writes it; empty if there is none.
    var goTruePhone: String { GoTruePhoneNumber.withoutPlus(phone) }
}

extension Identity {
    func goTrueObject(of account: Account) -> JSON {
        let data = (try? JSON(parsing: data)) ?? .object([])
        return .omittingNil([
            "identity_id": .string(id), "id": .string(subject), "user_id": .string(account.id),
            "identity_data": data, "provider": .string(provider),
            "last_sign_in_at": (lastSignInAt?.date.iso8601).map(JSON.string),
            "created_at": .string(createdAt.date.iso8601),
            "updated_at": .string(updatedAt.date.iso8601),
            "email": (data["email"]?.string).map { .string($0.lowercased()) },
        ])
    }
}

extension Factor {
    /// Whether its enrollment is complete.
    var status: JSON { verifiedAt == nil ? "unverified" : "verified" }

    /// How its codes are made.
    var type: JSON { .string(kind.rawValue) }

    /// The factor in the server's User object, without its secret.
    var goTrueObject: JSON {
        .omittingNil([
            "id": .string(id), "created_at": .string(createdAt.date.iso8601),
            "updated_at": .string(updatedAt.date.iso8601),
            "status": status, "friendly_name": name.isEmpty ? nil : .string(name),
            "factor_type": type, "phone": .string(GoTruePhoneNumber.withoutPlus(phone)),
            "last_challenged_at": (lastChallengedAt?.date.iso8601).map(JSON.string) ?? .null,
        ])
    }
}
