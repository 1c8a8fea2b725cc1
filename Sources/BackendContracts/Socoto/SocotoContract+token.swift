import Backend
import Core
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// POST /token. The query names the grant type.
    func token(_ context: RequestContext) async throws -> Response {
        let type = context.target.queryValue("grant_type") ?? ""
        guard ["password", "refresh_token", "pkce", "id_token", "web3"].contains(type) else {
            throw GoTrueFailure.unsupportedGrantType
        }
        try checkRequestLimit(context, Self.tokenRequestLimit)
        return switch type {
        case "password": try await passwordGrant(context)
        case "refresh_token": try await refreshTokenGrant(context)
        case "pkce": try await pkceGrant(context)
        case "id_token": try await idTokenGrant(context)
        default: throw GoTrueFailure.web3Disabled
        }
    }

    private func passwordGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + .credentials + [.accountActive, .emailVerified])
        let body = try GoTrueBody(context.request, as: "PasswordGrantParams")
        let email = try body.text("email").lowercased()
        let phone = try body.text("phone")
        let password = try body.text("password")
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueFailure.invalid(
                "Only an email address or phone number should be provided on login.")
        }
        guard !email.isEmpty || !phone.isEmpty else {
            throw GoTrueFailure.invalid("missing email or phone")
        }
        guard email.isEmpty || isOn(Self.emailSignIns) else {
            throw GoTrueFailure.emailLoginsDisabled
        }
        guard phone.isEmpty || isOn(Self.phoneSignIns) else {
            throw GoTrueFailure.phoneLoginsDisabled
        }
        let recipient: Recipient =
            phone.isEmpty ? .email(email) : .phone(GoTruePhoneNumber.normalized(phone))
        try checkGuessLimit(recipient, Self.passwordLimit)
        let audience = audience(context)
        let found = try await database.read { connection in
            try findAccount(recipient, on: connection)
        }
        // As at the server, a ban is reported whether or not the password is right.
        if let found, found.passwordHash != nil,
            SocotoUser(found).details.audience == audience, isBanned(found)
        {
            throw GoTrueFailure.userBanned
        }
        // Verifying takes equally long for an unknown user, so that timing reveals nothing.
        guard
            try await services.hasher.verify(password, against: found?.passwordHash),
            let account = found, SocotoUser(account).details.audience == audience
        else { throw GoTrueFailure.invalidCredentials }
        guard !services.isAccountLockSimulated else { throw GoTrueFailure.userBanned }
        guard account.isConfirmed(recipient) else {
            throw phone.isEmpty ? GoTrueFailure.emailNotConfirmed : .phoneNotConfirmed
        }
        let grant = try await write { connection, now in
            // The password may have been changed while it was verified.
            guard let current = try connection.account(account.id, in: realm),
                current.passwordHash == account.passwordHash
            else { throw GoTrueFailure.invalidCredentials }
            try record(
                .login, by: current, ["provider": .string(recipient.provider)], on: connection,
                at: now)
            return try signIn(current, SocotoUser(current), by: .password, on: connection, at: now)
        }
        return .plainJSON(
            try sessionJSON(grant, adding: passwordPolicy.weakPasswordMember(of: password)))
    }

    private func refreshTokenGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + .refreshToken + [.accountActive])
        let body = try GoTrueBody(context.request, as: "RefreshTokenGrantParams")
        let token = try body.text("refresh_token")
        // The shortest tokens have 12 characters, like GoTrue's. Longer ones are derived by this
        // backend and begin with a zero byte.
        guard token.utf8.count >= 12, token.utf8.count == 12 || Base64URL.decode(token)?.first == 0
        else { throw GoTrueFailure.malformedRefreshToken }
        let now = now
        let outcome = try await refreshTokens.rotate(
            token, in: realm, at: now, database: services.database
        ) { session, account, connection in
            try requireRefreshable(session, of: account, on: connection, at: now)
        } completion: { account, isIssued, connection in
            try record(.tokenRefreshed, by: account, on: connection, at: now)
            if isIssued { try record(.tokenRevoked, by: account, on: connection, at: now) }
        }
        switch outcome {
        case .unknown: throw GoTrueFailure.unknownRefreshToken
        case .rejected: throw GoTrueFailure.usedRefreshToken
        case .rotated(let session, let account, let refreshToken):
            return .plainJSON(
                try self.sessionJSON(
                    SignIn(
                        account: account, user: SocotoUser(account), session: session,
                        refreshToken: refreshToken ?? token)))
        }
    }

    /// Throws if the user is banned, or the project's settings have ended the session.
    private func requireRefreshable(
        _ session: BackendSession, of account: Account, on connection: Connection,
        at now: Timestamp
    ) throws {
        guard !isBanned(account) else { throw GoTrueFailure.refreshUserBanned }
        if isOn(Self.limitsSessionsToOneDay), now > session.createdAt + Self.sessionTimebox {
            throw GoTrueFailure.expiredSession
        }
        if isOn(Self.endsInactiveSessions), now > session.lastActiveAt + Self.inactivityLimit {
            throw GoTrueFailure.inactiveSession
        }
        if isOn(Self.allowsOneSession),
            try connection.activeSessions(of: account.id).contains(where: {
                $0.lastActiveAt > session.lastActiveAt
            })
        {
            throw GoTrueFailure.replacedSession
        }
    }

    private static let sessionTimebox: Duration = .seconds(86_400)
    private static let inactivityLimit: Duration = .seconds(3_600)
}

extension BackendSession {
    /// When a token of it was last issued.
    fileprivate var lastActiveAt: Timestamp { refreshedAt ?? createdAt }
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

    /// What a link of a PKCE flow did.
    enum FlowRedemption: Sendable {
        case code(String, Account)
        case firstConfirmation
    }

    /// Redeems a link for a code. Nil if the link does not work.
    func redeemLinkForCode(_ token: String, _ type: VerificationType) async throws
        -> FlowRedemption?
    {
        let code = RandomTokens.uuid(services.world)
        let codeDigest = Digest.sha256(code)
        let redeemed = try await write { connection, now -> (FlowRedemption, Challenge)? in
            guard
                let challenge = try findChallenge(
                    token: token, for: type.purposes, on: connection),
                let flow = try connection.pkceFlow(link: challenge.digest),
                let applied = try apply(challenge, on: connection, at: now)
            else { return nil }
            guard case .account(let account, _) = applied else {
                return (.firstConfirmation, challenge)
            }
            try connection.recordLinkFollowed(flow, code: codeDigest, at: now)
            return (.code(code, account), challenge)
        }
        guard let redeemed else { return nil }
        services.mailbox.publishUsed(of: redeemed.1)
        return redeemed.0
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
                let account = try connection.account(flow.accountID, in: realm)
            else { throw GoTrueFailure.flowNotFound }
            guard now < linkFollowedAt + Self.pkceFlowLifetime else {
                throw GoTrueFailure.flowExpired
            }
            guard Self.verifierMatches(verifier, flow) else { throw GoTrueFailure.wrongVerifier }
            guard !isBanned(account) else { throw GoTrueFailure.userBanned }
            try connection.markUsed(flow, at: now)
            let (method, providerType) = try Self.signInMethod(of: flow, on: connection)
            try record(
                .login, by: account, ["provider_type": .string(providerType)], on: connection,
                at: now)
            let tokens = try providerTokens(ofFlow: flow.linkDigest, on: connection)
            return (
                try signIn(account, SocotoUser(account), by: method, on: connection, at: now),
                tokens
            )
        }
        return .plainJSON(try sessionJSON(grant, adding: tokens))
    }

    /// The method of the session that a flow leads to, and what the audit log calls its provider.
    private static func signInMethod(of flow: PKCEFlow, on connection: Connection) throws -> (
        SignInRecord.Method, providerType: String
    ) {
        let found = try connection.row(
            "SELECT purpose, email FROM challenges WHERE digest = ?", [.text(flow.linkDigest)]
        ) { ($0.text(0), $0.text(1)) }
        let (purpose, recipient) = found ?? ("", "")
        if purpose == Challenge.Purpose.provider.rawValue { return (.oauth, recipient) }
        let method = Challenge.Purpose(rawValue: purpose).map(SocotoLink.signInMethod) ?? .otp
        return (method, method == .signup ? "email" : method.rawValue)
    }

    private static func verifierMatches(_ verifier: String, _ flow: PKCEFlow) -> Bool {
        let computedChallenge =
            flow.codeChallengeMethod == PKCEChallenge.Method.plain.rawValue
            ? verifier : Digest.codeChallenge(of: verifier)
        return ConstantTime.areEqual(computedChallenge, flow.codeChallenge)
    }
}
