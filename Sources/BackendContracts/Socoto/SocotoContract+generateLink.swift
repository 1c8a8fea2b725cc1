import Backend
import Core
import Crypto
import SQLite
import Web

/// Links for users, mailed or returned to an administrator.
extension SocotoContract {
    /// POST /invite: mails a link to a new user, or to one who has not confirmed the address.
    func invite(_ context: RequestContext) async throws -> Response {
        try await requireAdmin(context)
        let body = try GoTrueBody(context.request, as: "InviteParams")
        let email = try GoTrueEmailAddress.parse(body.text("email"))
        let metadata = try body.object("data") ?? []
        try SocotoUser.checkSize(metadata)
        let now = now
        let account = try await findOrCreateAccount(
            .email(email), hash: nil, metadata, by: .administrator, audience: audience(context),
            at: now)
        guard account.emailVerifiedAt == nil else { throw GoTrueFailure.emailExists }
        try checkMessageLimit(isTextMessage: false)
        let mail = try makeMail(.invite, to: email, account: account, context, nil)
        let (user, sequence) = try await write { connection, now in
            // Invitations are not limited by address.
            let sequence = try connection.sendLink(mail, limit: .unlimited)
            let user = try recordInvitation(of: account, on: connection, at: now)
            return (user, sequence)
        }
        services.mailbox.publishSent(mail, at: sequence)
        return .plainJSON(user.userObject(account))
    }

    private func recordInvitation(
        of account: Account, on connection: Connection, at now: Timestamp
    ) throws -> SocotoUser {
        try connection.invalidateChallenges(of: account.id, for: [.verify], at: now)
        var user = SocotoUser(try connection.account(account.id, in: realm) ?? account)
        user.details.invitedAt = now
        user.confirmationSentAt = now
        user.updatedAt = now
        try connection.save(user, of: account)
        try recordAdministration(
            .userInvited, of: account, ["user_email": .string(account.email ?? "")],
            on: connection, at: now)
        return user
    }

    /// POST /admin/generate_link: a link of any kind, which is returned instead of mailed.
    func generateLink(_ context: RequestContext) async throws -> Response {
        try await requireAdmin(context)
        let body = try GoTrueBody(context.request, as: "GenerateLinkParams")
        let email = try GoTrueEmailAddress.parse(body.text("email"))
        let named = try body.text("redirect_to")
        let policy = redirectPolicy
        let redirectURL = policy.allows(named) ? named : policy.redirectURL(context)
        let metadata = try body.object("data") ?? []
        try SocotoUser.checkSize(metadata)
        let found = try await findAccount(email: email)
        let type = try body.text("type")
        guard var kind = GeneratedLink(rawValue: type) else {
            throw GoTrueFailure.invalid(
                "Invalid email action link type requested: \(type.prefix(40))")
        }
        var hash: String?
        if found == nil {
            switch kind {
            case .magicLink: kind = .signup
            case .signup:
                let password = try body.text("password")
                guard !password.isEmpty else {
                    throw GoTrueFailure.invalid("Signup requires a valid password")
                }
                try passwordPolicy.check(password)
                hash = try await services.hasher.hash(password)
            case .invite: break
            case .recovery, .emailChangeCurrent, .emailChangeNew: throw GoTrueFailure.unknownEmail
            }
        }
        let newEmail = try kind.isEmailChange ? checkNewEmail(body, kind) : nil
        let address = kind == .emailChangeNew ? newEmail ?? email : email
        let issued = try issueLink(
            kind.link, to: address, redirectURL: redirectURL, isFlow: false)
        let account = try await findOrCreateAccount(
            .email(email), hash: hash, metadata, by: .administrator, audience: audience(context),
            at: now)
        let purpose = kind.purpose
        let request = (kind: kind, metadata: found == nil ? [] : metadata, newEmail: newEmail)
        let user = try await write { connection, now in
            let current = try connection.account(account.id, in: realm).orThrow(
                GoTrueFailure.unknownEmail)
            try connection.invalidateChallenges(
                of: current.id, for: [purpose] + purpose.replacedPurposes, at: now)
            try connection.add(
                Challenge(
                    digest: Digest.sha256(issued.secret), accountID: current.id, realm: realm,
                    purpose: purpose, email: address, mailID: issued.mailID, createdAt: now,
                    expiresAt: now + SocotoLink.lifetime))
            return try record(
                request.kind, request.metadata, newEmail: request.newEmail, of: current,
                on: connection, at: now)
        }
        guard case .object(let members) = user.userObject(account) else { return .plainJSON(.null) }
        return .plainJSON(
            .object(
                members + [
                    .init("action_link", .string(issued.url)),
                    .init("email_otp", .string(issued.code)),
                    .init("hashed_token", .string(issued.secret)),
                    .init("verification_type", .string(kind.rawValue)),
                    .init("redirect_to", .string(redirectURL)),
                ]))
    }

    private func checkNewEmail(_ body: GoTrueBody, _ kind: GeneratedLink) throws -> String {
        guard kind == .emailChangeNew || isOn(Self.confirmsChangesTwice) else {
            throw GoTrueFailure.invalid(
                "Enable secure email change to generate link for current email")
        }
        return try GoTrueEmailAddress.parse(body.text("new_email"))
    }

    /// Stores what a generated link is for, inside a write.
    private func record(
        _ kind: GeneratedLink, _ metadata: [JSON.Member], newEmail: String?, of account: Account,
        on connection: Connection, at now: Timestamp
    ) throws -> SocotoUser {
        var user = SocotoUser(account)
        switch kind {
        case .invite, .signup:
            guard account.emailVerifiedAt == nil else { throw GoTrueFailure.emailExists }
            if kind == .invite {
                return try recordInvitation(of: account, on: connection, at: now)
            }
            user.merge(metadata)
            try SocotoUser.checkSize(user.metadata)
            user.confirmationSentAt = now
        case .magicLink, .recovery:
            try record(.recoveryRequested, by: account, on: connection, at: now)
            user.recoverySentAt = now
        case .emailChangeCurrent, .emailChangeNew:
            if let newEmail, try connection.account(email: newEmail, in: realm) != nil {
                throw GoTrueFailure.emailExists
            }
            user.newEmail = newEmail
            user.emailChangeSentAt = now
            user.details.confirmationsLeft = isOn(Self.confirmsChangesTwice) ? 2 : 1
        }
        user.updatedAt = now
        try connection.save(user, of: account)
        return user
    }
}

/// A kind of link that an administrator can have made. The raw value is its `type`.
private enum GeneratedLink: String, Sendable {
    case signup, invite, recovery
    case magicLink = "magiclink"
    case emailChangeCurrent = "email_change_current"
    case emailChangeNew = "email_change_new"

    var isEmailChange: Bool { self == .emailChangeCurrent || self == .emailChangeNew }

    var link: SocotoLink {
        isEmailChange ? .emailChange : SocotoLink(rawValue: rawValue) ?? .magicLink
    }

    var purpose: Challenge.Purpose {
        self == .emailChangeCurrent ? .emailChangeCurrent : link.purpose
    }
}
