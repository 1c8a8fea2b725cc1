import Backend
import Core
import Crypto
import SQLite
import Web

/// Accounts of people from providers, by the real server's rules of automatic linking.
extension SocotoContract {
    /// The account that a person signs in to, inside the write.
    enum ProviderSignIn: Sendable {
        case account(Account, SocotoUser)
        /// The address must be verified first, by the mail that was sent.
        case unverified(GoTrueFailure, OutgoingMail?, Int64?)
    }

    /// Throws if the provider reported no address and the project requires one.
    func checkEmail(of person: ProviderUser) throws(GoTrueFailure) {
        guard person.email != nil || isOn(Self.acceptsProvidersWithoutEmail) else {
            throw .missingProviderEmail
        }
    }

    /// Finds or creates the account of a person, or adds the identity to the account `target`.
    func signInResult(
        of person: ProviderUser, linkingTo target: String?, _ context: RequestContext,
        on connection: Connection, at now: Timestamp
    ) throws -> ProviderSignIn {
        if let target {
            return try link(person, to: target, context, on: connection, at: now)
        }
        let provider = person.provider.rawValue
        let traits: KeyValuePairs<String, JSON> = ["provider": .string(provider)]
        let isTrusted = person.isEmailVerified || !isOn(Self.confirmEmail)
        var account: Account
        var user: SocotoUser
        // The address that counts below: that of an existing identity's account, or the person's.
        var email = person.email
        if let found = try connection.account(
            provider: provider, subject: person.subject, in: realm)
        {
            account = found
            user = SocotoUser(found)
            email = found.email
            try saveIdentity(person, of: account, on: connection, at: now)
            user.merge(person.data)
        } else if isTrusted, let email = person.email,
            let found = try linkableAccount(email, on: connection)
        {
            account = found
            user = SocotoUser(found)
            let identity = try saveIdentity(person, of: account, on: connection, at: now)
            user.merge(person.data)
            try record(
                .identityLinked, of: identity, by: account, from: context.request.peer,
                on: connection, at: now)
        } else {
            guard isOn(Self.signups) else { throw GoTrueFailure.signupsDisabled }
            if let address = email, try connection.account(email: address, in: realm) != nil {
                // An address that is not verified links to nothing.
                email = nil
            }
            (account, user) = try addAccount(person, email: email, on: connection, at: now)
        }
        try SocotoUser.checkSize(user.metadata)
        guard !isBanned(account) else { throw GoTrueFailure.providerUserBanned }
        guard account.emailVerifiedAt == nil,
            email != nil || !isOn(Self.acceptsProvidersWithoutEmail)
        else {
            let current = try reload(account, user, on: connection)
            try record(.login, by: current, traits, on: connection, at: now)
            return .account(current, user)
        }
        try removeUnconfirmedIdentities(of: account, &user, keeping: person, on: connection)
        guard !isTrusted else {
            try connection.save(user, of: account)
            let confirmed = try Self.confirm(
                try reload(account, user, on: connection), on: connection, at: now)
            try record(.userSignedUp, by: confirmed.0, traits, on: connection, at: now)
            return .account(confirmed.0, confirmed.1)
        }
        guard let email else {
            try connection.save(user, of: account)
            return .unverified(
                .providerEmailUnverified(person.provider, isMailed: false), nil, nil)
        }
        return try sendConfirmation(
            to: email, of: account, user, context,
            .providerEmailUnverified(person.provider, isMailed: true), on: connection, at: now)
    }

    /// The account as it is now, inside the write, after `user` is saved.
    private func reload(_ account: Account, _ user: SocotoUser, on connection: Connection) throws
        -> Account
    {
        try connection.save(user, of: account)
        return try connection.account(account.id, in: realm) ?? account
    }

    /// Mails a link that verifies the address.
    private func sendConfirmation(
        to email: String, of account: Account, _ user: SocotoUser, _ context: RequestContext,
        _ failure: GoTrueFailure, on connection: Connection, at now: Timestamp
    ) throws -> ProviderSignIn {
        var user = user
        let mail = try makeMail(.signup, to: email, account: account, context, nil)
        let sequence = try sendMail(mail, nil, on: connection)
        if sequence != nil { user.confirmationSentAt = now }
        try connection.save(user, of: account)
        return .unverified(failure, mail, sequence)
    }

    /// The one account with this address, or with an identity that has it.
    private func linkableAccount(_ email: String, on connection: Connection) throws -> Account? {
        let byEmail = try connection.account(email: email, in: realm)
        var ids = Set(try accountIDs(withIdentityEmail: email, on: connection))
        if let byEmail, SocotoUser(byEmail).emailIdentity != nil { ids.insert(byEmail.id) }
        guard ids.count < 2 else { throw GoTrueFailure.severalLinkableAccounts }
        return try ids.first.flatMap { try connection.account($0, in: realm) } ?? byEmail
    }

    /// The ids of the accounts that have an identity with this address at a provider.
    func accountIDs(withIdentityEmail email: String, on connection: Connection) throws -> [String] {
        try connection.rows(
            """
            SELECT DISTINCT account FROM identities WHERE workspace = ? AND contract = ?
                AND json_extract(data, '$.email') = ?
            """, [.text(realm.workspace), .text(realm.contract), .text(email)]
        ) { $0.text(0) }
    }

    private func addAccount(
        _ person: ProviderUser, email: String?, on connection: Connection, at now: Timestamp
    ) throws -> (Account, SocotoUser) {
        var account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: email, createdAt: now)
        let user = SocotoUser(metadata: person.data, at: now)
        account.profile = user.jsonText
        guard try add(account, on: connection) != nil else { throw GoTrueFailure.emailExists }
        try saveIdentity(person, of: account, on: connection, at: now)
        return (account, user)
    }

    @discardableResult private func saveIdentity(
        _ person: ProviderUser, of account: Account, on connection: Connection, at now: Timestamp
    ) throws -> Identity {
        var identity =
            account.identities.first {
                $0.provider == person.provider.rawValue && $0.subject == person.subject
            }
            ?? Identity(
                id: RandomTokens.uuid(services.world), provider: person.provider.rawValue,
                subject: person.subject, data: "", createdAt: now)
        identity.data = JSON.object(person.data).description
        identity.updatedAt = now
        identity.lastSignInAt = now
        guard try connection.save(identity, of: account) else {
            throw GoTrueFailure.identityOfAnotherUser
        }
        return identity
    }

    /// Removes what an unconfirmed account had before: its creator need not own the address, so
    /// its password, metadata and other identities must not stay.
    private func removeUnconfirmedIdentities(
        of account: Account, _ user: inout SocotoUser, keeping person: ProviderUser,
        on connection: Connection
    ) throws {
        try connection.removePassword(of: account.id)
        user.metadata = person.data
        user.emailIdentity = nil
        for identity in account.identities
        where identity.provider != person.provider.rawValue || identity.subject != person.subject {
            try connection.remove(identity: identity.id)
        }
    }

    // MARK: Manual linking

    private func link(
        _ person: ProviderUser, to id: String, _ context: RequestContext,
        on connection: Connection, at now: Timestamp
    ) throws -> ProviderSignIn {
        guard let account = try connection.account(id, in: realm) else {
            throw GoTrueFailure.linkingUserNotFound
        }
        guard !isBanned(account) else { throw GoTrueFailure.providerUserBanned }
        let owner = try connection.account(
            provider: person.provider.rawValue, subject: person.subject, in: realm)
        guard owner == nil else {
            throw owner?.id == id
                ? GoTrueFailure.identityAlreadyLinked : GoTrueFailure.identityOfAnotherUser
        }
        try SocotoUser.checkSize(person.data)
        let identity = try saveIdentity(person, of: account, on: connection, at: now)
        try record(
            .identityLinked, of: identity, by: account, from: context.request.peer,
            on: connection, at: now)
        var user = SocotoUser(account)
        user.updatedAt = now
        var linked = try reload(account, user, on: connection)
        guard account.email == nil, let email = person.email else {
            return .account(linked, user)
        }
        guard try adoptEmail(of: linked, &user, on: connection, at: now) else {
            throw GoTrueFailure.identityEmailTaken
        }
        linked = try reload(linked, user, on: connection)
        guard person.isEmailVerified else {
            return try sendConfirmation(
                to: email, of: linked, user, context, .linkedEmailUnverified(person.provider),
                on: connection, at: now)
        }
        let confirmed = try Self.confirm(linked, on: connection, at: now)
        return .account(confirmed.0, confirmed.1)
    }

    /// Gives the account the address of one of its identities, unless one has the account's own:
    /// a verified address before others, older identities before newer ones. False if every one
    /// belongs to another account.
    private func adoptEmail(
        of account: Account, _ user: inout SocotoUser, on connection: Connection, at now: Timestamp
    ) throws -> Bool {
        let candidates = user.goTrueIdentities(of: account).map { identity in
            let data = try? JSON(parsing: identity.data)
            return (
                email: (data?["email"]?.string).map { $0.lowercased() },
                isVerified: data?["email_verified"] == true
            )
        }
        guard !candidates.contains(where: { $0.email == account.email }) else { return true }
        let ranked =
            candidates.filter { $0.email != nil && $0.isVerified }
            + candidates.filter { $0.email != nil && !$0.isVerified }
            + candidates.filter { $0.email == nil }
        for (email, isVerified) in ranked {
            guard let email else {
                try connection.removeEmail(of: account.id)
                user.metadata = user.metadata.merging([.init("email_verified", false)])
                break
            }
            guard try connection.account(email: email, in: realm) == nil else { continue }
            let isConfirmed = isVerified || !isOn(Self.confirmEmail)
            try connection.setEmail(
                of: account.id, to: email,
                verifiedAt: isConfirmed ? account.emailVerifiedAt ?? now : nil)
            if !isConfirmed { user.merge([.init("email_verified", false)]) }
            user.newEmail = nil
            user.emailChangeSentAt = nil
            try connection.invalidateChallenges(of: account.id, at: now)
            return true
        }
        return candidates.contains { $0.email == nil }
    }

    /// DELETE /user/identities/{id}.
    func unlinkIdentity(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await authenticateBearer(context)
        guard isOn(Self.manualLinking) else { throw GoTrueFailure.manualLinkingDisabled }
        guard let id = RandomTokens.uuid(parsing: context.parameters["identity"] ?? "") else {
            throw GoTrueFailure.malformedIdentityID
        }
        let ipAddress = context.request.peer
        try await write { connection, now in
            let (account, _) = try requireActive(account.id, session.id, on: connection)
            var user = SocotoUser(account)
            let identities = user.goTrueIdentities(of: account)
            guard identities.count > 1 else { throw GoTrueFailure.onlyIdentity }
            let identity = try identities.first { $0.id == id }.orThrow(
                GoTrueFailure.identityNotFound)
            try record(
                .identityUnlinked, of: identity, by: account, from: ipAddress, on: connection,
                at: now)
            user.updatedAt = now
            if id == user.emailIdentity?.id {
                user.emailIdentity = nil
            } else {
                try connection.remove(identity: id)
            }
            if identity.provider == "phone" {
                try connection.setPhone(of: account.id, to: nil, verifiedAt: nil)
                try connection.save(user, of: account)
            } else {
                let rest = try reload(account, user, on: connection)
                guard try adoptEmail(of: rest, &user, on: connection, at: now) else {
                    throw GoTrueFailure.identityEmailConflict
                }
                try connection.save(user, of: account)
            }
        }
        return .plainJSON(.object([]))
    }
}
