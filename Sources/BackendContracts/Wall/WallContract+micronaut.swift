import Backend
import Crypto
import Core
import SQLite
import Web

/// The Micronaut server's dialect: mailed codes.
extension WallContract {
    /// POST /api/v1/auth/email/send-code. Codes sent before stay valid.
    func micronautSendCode(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let purpose = try readMicronautPurpose(body)
        let email = try readMicronautEmail(body).orThrow(WallFailure.micronautInvalidEmail)
        guard let address = EmailAddress(email) else {
            // The real server does not check the format. No account has such an address, and a
            // registration could not be sent a mail.
            throw purpose == .register ? WallFailure.micronautInvalidEmail : .emailNotFound
        }
        let account = try await findAccount(email: address.text)
        switch (purpose, account?.isVerified == true) {
        case (.register, true): throw WallFailure.emailExists
        case (.login, false), (.reset, false): throw WallFailure.emailNotFound
        default: break
        }
        try await sendMicronautCode(purpose, to: address, account: account?.id)
        return .plainJSON(["message": "Verification code sent to email"])
    }

    /// The mail domains whose addresses may register.
    private static let schoolDomains: Set<String> = Set(
        [
            "harvard", "yale", "princeton", "upenn", "dartmouth", "brown", "columbia", "cornell",
            "mit", "stanford", "berkeley", "caltech", "cmu", "nyu", "northwestern", "duke",
            "chicago", "jhu", "penn",
        ].map { $0 + ".edu" } + ["ox", "cam", "lse", "ucl", "ic"].map { $0 + ".ac.uk" })

    /// POST /api/v1/auth/register/email. The domain is checked only here.
    func micronautRegister(_ context: RequestContext) async throws -> Response {
        let (address, attempt) = try readMicronautCodeAttempt(context, for: .register).orThrow(
            WallFailure(400, "Registration failed"))
        guard let domain = address.text.split(separator: "@").last,
            Self.schoolDomains.contains(String(domain))
        else {
            throw WallFailure(
                400, "Only school/educational email addresses are allowed for registration")
        }
        let newAccount = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            createdAt: attempt.now)
        return try await signIn(status: 201) { connection in
            let existing = try connection.account(email: address.text, in: realm)
            guard existing?.isVerified != true else { throw WallFailure.emailExists }
            let challenge = try requireChallenge(attempt, on: connection)
            if existing == nil { _ = try connection.add(newAccount) }
            return (existing ?? newAccount, challenge)
        }
    }

    /// POST /api/v1/auth/login/email.
    func micronautLogin(_ context: RequestContext) async throws -> Response {
        let (address, attempt) = try readMicronautCodeAttempt(context, for: .login).orThrow(
            WallFailure.authenticationFailed)
        return try await signIn { connection in
            let challenge = try requireChallenge(attempt, on: connection)
            let account = try connection.account(email: address.text, in: realm).orThrow(
                WallFailure.authenticationFailed)
            return (account, challenge)
        }
    }

    /// Signs in with the challenge and the account that `redeem` returns inside the write.
    private func signIn(
        status: Int = 200, redeem: @escaping @Sendable (Connection) throws -> (Account, Challenge)
    ) async throws -> Response {
        let (account, session, challenge) = try await write { connection, now in
            let (account, challenge) = try redeem(connection)
            let session = try signIn(account, with: challenge, on: connection, at: now)
            return (account, session, challenge)
        }
        services.mailbox.publishUsed(of: challenge)
        return try micronautSignInResponse(account, session, status: status)
    }

    /// The entered code. Nil if the address or the code is blank.
    private func readMicronautCodeAttempt(_ context: RequestContext, for purpose: Challenge.Purpose)
        throws -> (EmailAddress, CodeAttempt)?
    {
        let body = try JSONBody(context.request)
        let code = try body.text("code")
        guard let email = try readMicronautEmail(body), let code, let address = EmailAddress(email)
        else { return nil }
        return (
            address,
            try makeCodeAttempt(
                code, of: address.text, for: [purpose], dialect: WallDialect.micronaut.rawValue)
        )
    }

    func requireChallenge(
        _ attempt: CodeAttempt, on connection: Connection, expired: WallFailure = .codeHasExpired,
        invalid: WallFailure = .invalidOrExpiredCode
    ) throws -> Challenge {
        switch try attempt.check(on: connection) {
        case .valid(let challenge): return challenge
        case .expired: throw expired
        case .invalid: throw invalid
        }
    }

    private func readMicronautPurpose(_ body: JSONBody) throws -> Challenge.Purpose {
        switch try body.text("purpose") {
        case "register": return .register
        case "login": return .login
        case "reset_password": return .reset
        default:
            throw WallFailure.framework(
                400, "Invalid JSON: purpose must be one of register, login, reset_password")
        }
    }
}

/// Operations shared by the Micronaut server's endpoints.
extension WallContract {
    func sendMicronautCode(_ purpose: Challenge.Purpose, to address: EmailAddress, account: String?)
        async throws
    {
        let mail = try makeMail(for: purpose, .micronaut, to: address, account: account)
        _ = try await sendCode(mail)
    }

    /// The address as sent. Nil if it is blank.
    func readMicronautEmail(_ body: JSONBody) throws -> String? {
        let email = try body.email()
        return email?.trimming(" \t\r\n").isEmpty == false ? email : nil
    }

    func micronautSignInResponse(_ account: Account, _ session: WallSession, status: Int = 200)
        throws -> Response
    {
        .plainJSON(
            [
                "accessToken": .string(try makeAccessToken(account, session.session)),
                "refreshToken": .string(session.refreshToken), "user": micronautUserJSON(account),
            ], status: status)
    }

    /// The real server never fills `passwordSet`.
    func micronautUserJSON(_ account: Account) -> JSON {
        [
            "id": .string(account.id), "email": JSON(account.email), "isVerified": true,
            "createdAt": .string(account.createdAt.iso8601Seconds),
        ]
    }

    /// The account of the bearer token, which `X-User-Id` must name as well.
    func authenticateMicronautBearer(_ context: RequestContext) async throws -> Account {
        let failure = WallFailure.unauthorized
        let claims = try bearerClaims(context)
        let userID = try context.request.headers["X-User-Id"].orThrow(
            WallFailure.framework(400, "Required Header [X-User-Id] not specified"))
        guard RandomTokens.uuid(parsing: userID) == claims.subject,
            let account = try await findAccount(claims.subject)
        else { throw failure }
        return account
    }
}

/// The Micronaut server's dialect: passwords.
extension WallContract {
    /// POST /api/v1/auth/login/password.
    func micronautPasswordLogin(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try readMicronautEmail(body).flatMap { EmailAddress($0)?.text }
        let password = try body.password()
        let (found, accepted) = try await authenticate(email: email ?? "", password: password ?? "")
        guard let account = found, account.isVerified, password != nil else {
            throw WallFailure.wrongEmailOrPassword
        }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard accepted != nil else { throw WallFailure.wrongEmailOrPassword }
        let session = try await write { connection, now in
            try connection.recordLogin(of: account.id, at: now)
            return try startSession(account, on: connection, at: now)
        }
        return try micronautSignInResponse(account, session)
    }

    /// POST /api/v1/auth/password/set, for accounts without a password.
    func micronautSetPassword(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateMicronautBearer(context)
        let body = try JSONBody(context.request)
        let password = try body.password().orThrow(WallFailure.missingPassword)
        guard account.passwordHash == nil else { throw WallFailure.passwordAlreadySet }
        try await setPassword(account, to: password)
        return .plainJSON(micronautUserJSON(account))
    }

    /// POST /api/v1/auth/password/change.
    func micronautChangePassword(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateMicronautBearer(context)
        let body = try JSONBody(context.request)
        let oldPassword = try body.password("oldPassword")
        let newPassword = try body.password("newPassword")
        guard let oldPassword, let newPassword else { throw WallFailure.passwordChangeFailed }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard try await services.hasher.verify(oldPassword, against: account.passwordHash) else {
            throw WallFailure.wrongOldPassword
        }
        try await setPassword(account, to: newPassword)
        return .plainJSON(micronautUserJSON(account))
    }

    /// POST /api/v1/auth/password/reset-request.
    func micronautRequestReset(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try readMicronautEmail(body).orThrow(
            WallFailure(400, "Failed to process request"))
        guard let address = EmailAddress(email),
            let account = try await findAccount(email: address.text), account.isVerified
        else { throw WallFailure.noAccountToReset }
        try await sendMicronautCode(.reset, to: address, account: account.id)
        return .plainJSON(["message": "Password reset code sent to email"])
    }

    /// POST /api/v1/auth/password/reset. It also signs in.
    func micronautReset(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let code = try body.text("code")
        let password = try body.password("newPassword")
        let email = try readMicronautEmail(body).flatMap { EmailAddress($0)?.text }
        guard let email, try await findAccount(email: email)?.isVerified == true else {
            throw WallFailure.emailNotFound
        }
        guard let password else { throw WallFailure.missingPassword }
        let hash = try await services.hasher.hash(password)
        let attempt = try makeCodeAttempt(
            code ?? "", of: email, for: [.reset], dialect: WallDialect.micronaut.rawValue)
        return try await signIn { connection in
            let challenge = try requireChallenge(
                attempt, on: connection, expired: .resetCodeHasExpired,
                invalid: .invalidOrExpiredResetCode)
            var account = try connection.account(email: email, in: realm).orThrow(
                WallFailure.emailNotFound)
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            return (account, challenge)
        }
    }

    /// Hashes outside the write. If the password was changed meanwhile, the first change wins.
    private func setPassword(_ account: Account, to password: String) async throws {
        let hash = try await services.hasher.hash(password)
        try await database.write { connection in
            let current = try connection.account(account.id, in: realm)
            guard current?.passwordHash == account.passwordHash else {
                throw WallFailure.passwordChangeFailed
            }
            try connection.setPassword(of: account.id, hash: hash)
        }
    }
}
