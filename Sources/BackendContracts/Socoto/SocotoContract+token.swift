import Backend
import Core
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// POST /token. The query names the grant type.
    func token(_ context: RequestContext) async throws -> Response {
        try checkRateLimit(context, Self.tokenRequestLimit)
        return switch context.target.queryValue("grant_type") {
        case "password": try await passwordGrant(context)
        case "refresh_token": try await refreshTokenGrant(context)
        case "pkce": try await pkceGrant(context)
        case "id_token": try await idTokenGrant(context)
        default: throw GoTrueFailure.unsupportedGrantType
        }
    }

    private func passwordGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + .credentials + [.accountActive, .emailVerified])
        let body = try GoTrueBody(context.request, as: "PasswordGrantParams")
        let email = try body.text("email").lowercased()
        let password = try body.text("password")
        guard !email.isEmpty else {
            throw try body.text("phone").isEmpty
                ? GoTrueFailure.invalid("missing email or phone")
                : GoTrueFailure.phoneLoginsDisabled
        }
        let account = try await authenticate(email: email, password: password).accepted.orThrow(
            GoTrueFailure.invalidCredentials)
        guard account.disabledAt == nil, !isLocked(account) else { throw GoTrueFailure.userBanned }
        guard account.emailVerifiedAt != nil else { throw GoTrueFailure.emailNotConfirmed }
        let grant = try await write { connection, now in
            // The password may have been changed while it was verified.
            guard let current = try connection.account(account.id, in: realm),
                current.passwordHash == account.passwordHash
            else { throw GoTrueFailure.invalidCredentials }
            return try signIn(current, SocotoUser(current), by: .password, on: connection, at: now)
        }
        return .plainJSON(try sessionJSON(grant))
    }

    private func refreshTokenGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + .refreshToken + [.accountActive])
        let body = try GoTrueBody(context.request, as: "RefreshTokenGrantParams")
        let token = try body.text("refresh_token")
        // The shortest tokens have 12 characters, like GoTrue's. Longer ones are derived by this
        // backend and begin with a zero byte.
        guard token.utf8.count >= 12, token.utf8.count == 12 || Base64URL.decode(token)?.first == 0
        else { throw GoTrueFailure.malformedRefreshToken }
        let outcome = try await refreshTokens.rotate(
            token, in: realm, at: now, database: services.database)
        switch outcome {
        case .unknown: throw GoTrueFailure.unknownRefreshToken
        case .rejected: throw GoTrueFailure.usedRefreshToken
        case .rotated(let session, let account, let refreshToken):
            guard !isBanned(account) else { throw GoTrueFailure.refreshUserBanned }
            return .plainJSON(
                try self.sessionJSON(
                    SignIn(
                        account: account, user: SocotoUser(account), session: session,
                        refreshToken: refreshToken ?? token)))
        }
    }
}

extension RequestTarget {
    /// The first nonempty value of `name`.
    func queryValue(_ name: String) -> String? {
        query.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}

/// PKCE (RFC 7636): sign-in with a mailed link and the client's own secret.
extension SocotoContract {
    static let pkceFlowLifetime: Duration = .seconds(300)

    /// Redeems a link for a code. Nil if the link does not work.
    func redeemLinkForCode(_ token: String, _ link: SocotoLink?) async throws -> String? {
        guard let link else { return nil }
        let code = RandomTokens.uuid(services.world)
        let codeDigest = Digest.sha256(code)
        let challenge = try await write { connection, now -> Challenge? in
            guard
                let challenge = try findChallenge(token: token, for: link.purpose, on: connection),
                let flow = try connection.pkceFlow(link: challenge.digest),
                try apply(challenge, on: connection, at: now) != nil
            else { return nil }
            try connection.recordLinkFollowed(flow, code: codeDigest, at: now)
            return challenge
        }
        guard let challenge else { return nil }
        services.mailbox.publishUsed(of: challenge)
        return code
    }

    /// POST /token?grant_type=pkce: exchanges the code and the verifier for a session.
    func pkceGrant(_ context: RequestContext) async throws -> Response {
        let body = try GoTrueBody(context.request, as: "PKCEGrantParams")
        let code = try body.text("auth_code")
        let verifier = try body.text("code_verifier")
        guard !code.isEmpty, !verifier.isEmpty else {
            throw GoTrueFailure.invalid(
                "invalid request: both auth code and code verifier should be non-empty")
        }
        let digest = Digest.sha256(code)
        let (grant, tokens) = try await write { connection, now in
            guard let flow = try connection.pkceFlow(code: digest), flow.usedAt == nil,
                let linkFollowedAt = flow.linkFollowedAt,
                let account = try connection.account(flow.accountID, in: realm), !isBanned(account)
            else { throw GoTrueFailure.flowNotFound }
            guard now < linkFollowedAt + Self.pkceFlowLifetime else {
                throw GoTrueFailure.flowExpired
            }
            guard Self.verifierMatches(verifier, flow) else { throw GoTrueFailure.wrongVerifier }
            try connection.markUsed(flow, at: now)
            let method = try Self.signInMethod(of: flow, on: connection)
            let tokens = try providerTokens(ofFlow: flow.linkDigest, on: connection)
            return (
                try signIn(account, SocotoUser(account), by: method, on: connection, at: now),
                tokens
            )
        }
        return .plainJSON(try sessionJSON(grant, adding: tokens))
    }

    private static func signInMethod(of flow: PKCEFlow, on connection: Connection) throws
        -> SignInRecord.Method
    {
        let purpose = try connection.text(
            "SELECT purpose FROM challenges WHERE digest = ?", [.text(flow.linkDigest)])
        if purpose == Challenge.Purpose.provider.rawValue { return .oauth }
        let link = SocotoLink.allCases.first { $0.purpose.rawValue == purpose }
        return link?.signInMethod ?? .otp
    }

    private static func verifierMatches(_ verifier: String, _ flow: PKCEFlow) -> Bool {
        let computedChallenge =
            flow.codeChallengeMethod == PKCEChallenge.Method.plain.rawValue
            ? verifier : Base64URL.encode(Hex.decode(Digest.sha256(verifier)))
        return ConstantTime.areEqual(computedChallenge, flow.codeChallenge)
    }
}

/// The code challenge of a client with its own secret (RFC 7636). The link's follower must present
/// the secret to be signed in.
struct PKCEChallenge: Sendable, Equatable {
    let value: String
    let method: Method

    /// The raw value is stored in the database.
    enum Method: String, Sendable { case plain, s256 }

    /// Nil if the body has neither member. Throws if it has only one.
    init?(_ body: GoTrueBody) throws(GoTrueFailure) {
        try self.init(
            try body.text("code_challenge"), try body.text("code_challenge_method"))
    }

    /// Nil if both texts are empty. Throws if one is.
    init?(_ text: String, _ method: String) throws(GoTrueFailure) {
        guard !text.isEmpty || !method.isEmpty else { return nil }
        guard !text.isEmpty, !method.isEmpty else { throw .incompleteCodeChallenge }
        guard let parsedMethod = Method(rawValue: method.lowercased()) else {
            throw .invalid("Invalid code_challenge_method: \(method.prefix(20))")
        }
        guard (43...128).contains(text.utf8.count) else {
            throw .invalid("code challenge has to be between 43 and 128 characters")
        }
        guard text.utf8.allSatisfy(PercentEncoding.isUnreserved) else {
            throw .invalid(
                "code challenge can only contain alphanumeric characters, "
                    + "hyphens, periods, underscores and tildes")
        }
        self.value = text
        self.method = parsedMethod
    }
}

extension SocotoContract {
    /// PUT /user: a new password, more metadata, or another address.
    func updateUser(_ context: RequestContext) async throws -> Response {
        let body = try GoTrueBody(context.request, as: "UserUpdateParams")
        let (account, session) = try await authenticateBearer(context)
        if body.has("password") || body.has("email") || body.has("phone") {
            try Self.requireSecondFactor(of: account, in: session)
        }
        guard !body.has("app_metadata") else { throw GoTrueFailure.notAdmin }
        let data = try body.object("data") ?? []
        try SocotoUser.checkSize(data)
        let email = try readNewEmail(body, of: account)
        let challenge = try PKCEChallenge(body)
        let password = try body.text("password")
        let hash = try await hashNewPassword(password, of: account)
        let mail: OutgoingMail? =
            if let email, isOn(Self.confirmEmail) {
                try self.makeMail(.emailChange, to: email, account: account, context, challenge)
            } else { nil }
        let (updated, sequence) = try await write { connection, now -> (UpdatedAccount?, Int64?) in
            // It may have been deleted, or its session ended, while the password was hashed.
            var (current, _) = try self.requireActive(account.id, session.id, on: connection)
            guard hash == nil || current.passwordHash == account.passwordHash else {
                throw GoTrueFailure.concurrentPasswordChange
            }
            if let email, try connection.account(email: email, in: current.realm) != nil {
                throw GoTrueFailure.emailExists
            }
            if let mail, try !isWithinMailLimit(mail, on: connection) {
                // Only records that the mail was held back.
                _ = try sendMail(mail, challenge, on: connection)
                return (nil, nil)
            }
            var user = SocotoUser(current)
            user.merge(data)
            try SocotoUser.checkSize(user.metadata)
            user.updatedAt = now
            if let hash {
                // Before the new mail, whose challenge it would otherwise invalidate.
                try connection.changePassword(
                    hash: hash, of: current, &user, keepingSession: session.id, at: now)
            }
            var sequence: Int64?
            if let mail {
                user.newEmail = email
                user.emailChangeSentAt = now
                sequence = try sendMail(mail, challenge, on: connection)
            } else if let email {
                try connection.setEmail(of: current.id, to: email, verifiedAt: now)
                current.email = email
                current.emailVerifiedAt = now
                user.newEmail = nil
                user.emailChangeSentAt = nil
                user.emailIdentityID = user.emailIdentityID ?? RandomTokens.uuid(services.world)
            }
            try connection.save(user, of: current)
            return ((current, user), sequence)
        }
        if let mail { try await announce(mail, at: sequence) }
        guard let (current, user) = updated else { throw GoTrueFailure.userNotFound }
        return .plainJSON(user.userObject(current))
    }

    private typealias UpdatedAccount = (account: Account, person: SocotoUser)

    private func readNewEmail(_ body: GoTrueBody, of account: Account) throws(GoTrueFailure)
        -> String?
    {
        let raw = try body.text("email")
        guard !raw.isEmpty else { return nil }
        let email = try GoTrueEmailAddress.parse(raw)
        return email == account.email ? nil : email
    }

    private func hashNewPassword(_ password: String, of account: Account) async throws -> String? {
        guard !password.isEmpty else { return nil }
        try PasswordPolicy.check(password)
        let isSame = try await services.hasher.verify(password, against: account.passwordHash)
        guard !isSame else { throw GoTrueFailure.samePassword }
        return try await services.hasher.hash(password)
    }
}

extension Connection {
    /// Sets a new password. Ends every other session, mailed link, code and PKCE flow, so that a
    /// previous owner loses access.
    func changePassword(
        hash: String, of account: Account, _ user: inout SocotoUser,
        keepingSession session: String?, at now: Timestamp
    ) throws {
        user.newEmail = nil
        user.emailChangeSentAt = nil
        user.updatedAt = now
        try setPassword(of: account.id, hash: hash)
        try invalidateChallenges(of: account.id, at: now)
        try endPKCEFlows(of: account.id, at: now)
        try revokeSessions(of: account.id, except: session, reason: .passwordChanged, at: now)
    }
}
