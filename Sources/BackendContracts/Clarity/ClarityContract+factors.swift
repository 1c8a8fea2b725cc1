import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

/// Second factors: `v2/accounts/mfaEnrollment` and `mfaSignIn`, with text messages and with
/// authenticator apps.
extension ClarityContract {
    var factorRoutes: [Route] {
        let bearerChecks = [RequestCheck.apiKey] + .json + .token + [.tokenAccount, .accountActive]
        let codeChecks: [RequestCheck] = [.apiKey] + .json + .code
        func post(_ name: String, _ handler: @escaping Handler, _ checks: [RequestCheck]) -> Route {
            route(.post, "\(Self.identityToolkitV2Path)/accounts/\(name)", handler, checks)
        }
        return [
            post("mfaEnrollment:start", Self.startEnrollment, bearerChecks),
            post("mfaEnrollment:finalize", Self.finalizeEnrollment, bearerChecks + .code),
            post("mfaEnrollment:withdraw", Self.withdrawEnrollment, bearerChecks),
            post("mfaSignIn:start", Self.startFactorSignIn, codeChecks),
            post("mfaSignIn:finalize", Self.finalizeFactorSignIn, codeChecks),
        ]
    }

    /// How long an authenticator app can be set up.
    private static let enrollmentLifetime: Duration = .seconds(300)

    /// The user of an ID token, if a second factor can be added to how it signed in.
    private func authenticateEnrollment(_ body: GoogleBody) async throws -> TokenUser {
        guard isOn(Self.secondFactors) else { throw GoogleFailure.secondFactorsDisabled }
        let user = try await authenticateBearer(try body.idToken())
        guard Self.supportsSecondFactor(user.signIn.provider) else {
            throw GoogleFailure.unsupportedFirstFactor
        }
        return user
    }

    // MARK: Enrollment

    /// `mfaEnrollment:start`: sends a code to a number, or creates the secret of an app.
    func startEnrollment(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        let user = try await authenticateEnrollment(body)
        guard user.account.email != nil, user.account.isVerified else {
            throw GoogleFailure.unverifiedEmail
        }
        if body.has("totpEnrollmentInfo") { return try await startTOTPEnrollment(user.account) }
        let info = try body.object("phoneEnrollmentInfo").orThrow(
            GoogleFailure.invalidArgument("((Missing phoneEnrollmentInfo.))"))
        let phone = try readPhoneNumber(info).orThrow(GoogleFailure.invalidPhoneNumber)
        guard !user.account.factors.contains(where: { $0.phone == phone }) else {
            throw GoogleFailure.secondFactorExists
        }
        let sessionInfo = try await sendPhoneCode(
            to: phone, for: .factor, account: user.account.id)
        return .json(["phoneSessionInfo": ["sessionInfo": .string(sessionInfo)]])
    }

    private func startTOTPEnrollment(_ account: Account) async throws -> Response {
        guard !account.factors.contains(where: { $0.kind == .totp }) else {
            throw GoogleFailure.secondFactorExists
        }
        let sessionInfo = RandomTokens.secret(services.world)
        let secret = services.world.randomBytes(TOTP.secretByteCount)
        let sealedSecret = try services.seal(Hex.encode(secret))
        let now = now
        let challenge = Challenge(
            digest: Digest.sha256(sessionInfo), accountID: account.id, realm: realm,
            purpose: .factor, email: account.id, createdAt: now,
            expiresAt: now + Self.enrollmentLifetime, contractData: sealedSecret)
        try await database.write { connection in try connection.addCode(challenge) }
        return .json([
            "totpSessionInfo": [
                "sharedSecretKey": .string(Base32.encode(secret)), "verificationCodeLength": 6,
                "hashingAlgorithm": "SHA1", "periodSec": .int(TOTP.period),
                "sessionInfo": .string(sessionInfo),
                "finalizeEnrollmentTime": .string(challenge.expiresAt.date.iso8601),
            ]
        ])
    }

    /// `mfaEnrollment:finalize`: adds the factor, proven by its first code.
    func finalizeEnrollment(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        let user = try await authenticateEnrollment(body)
        let name = try body.displayName() ?? ""
        let entry: FactorEntry
        if let info = try body.object("totpVerificationInfo") {
            entry = .app(try readCode(info, "verificationCode"))
        } else {
            let info = try body.object("phoneVerificationInfo").orThrow(
                GoogleFailure.invalidArgument("((Missing phoneVerificationInfo.))"))
            entry = .phone(try readCode(info, "code"))
        }
        let world = services.world
        let result = try await writeCode { connection, now in
            let current = try requireUnchanged(user.account, on: connection)
            var factor: Factor
            switch entry {
            case .phone(let code):
                let challenge = try redeem(code, for: .factor, on: connection, at: now)
                guard !current.factors.contains(where: { $0.phone == challenge.email }) else {
                    throw GoogleFailure.secondFactorExists
                }
                factor = Factor(
                    id: RandomTokens.uuid(world), kind: .phone, name: name,
                    phone: challenge.email, createdAt: now, verifiedAt: now)
            case .app(let code):
                guard !current.factors.contains(where: { $0.kind == .totp }) else {
                    throw GoogleFailure.secondFactorExists
                }
                let (sealed, step) = try redeemAppSecret(
                    code, of: current, on: connection, at: now)
                factor = Factor(
                    id: RandomTokens.uuid(world), kind: .totp, name: name, sealedSecret: sealed,
                    createdAt: now, verifiedAt: now)
                factor.lastStep = step
            }
            guard current.factors.count < Self.maxFactorCount else {
                throw GoogleFailure.tooManyFactors
            }
            try connection.add(factor, to: current)
            if factor.lastStep != nil { try connection.save(factor) }
            var signIn = user.signIn
            signIn.factor = ClaritySignIn.SecondFactor(factor)
            return try startSession(
                try requireUnchanged(user.account, on: connection), signIn, on: connection, at: now)
        }
        return try factorResponse(result, isTOTP: entry.isApp)
    }

    /// Google's own limit.
    private static let maxFactorCount = 5

    /// `mfaEnrollment:withdraw`: removes a factor.
    func withdrawEnrollment(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        let user = try await authenticateBearer(try body.idToken())
        let id = try body.text("mfaEnrollmentId") ?? ""
        let result = try await write { connection, now in
            let current = try requireUnchanged(user.account, on: connection)
            guard current.factors.contains(where: { $0.id == id }) else {
                throw GoogleFailure.factorNotFound
            }
            try connection.remove(factor: id)
            var signIn = user.signIn
            if signIn.factor?.id == id { signIn.factor = nil }
            return try startSession(
                try requireUnchanged(user.account, on: connection), signIn, on: connection, at: now)
        }
        return try factorResponse(result)
    }

    private func factorResponse(_ result: ClaritySignInResult, isTOTP: Bool = false) throws
        -> Response
    {
        var members = try tokenMembers(result.account, result.session, result.refreshToken)
            .filter { $0.name != "expiresIn" }
        if isTOTP { members.append(.init("totpAuthInfo", .object([]))) }
        return .json(.object(members))
    }

    // MARK: Sign-in

    /// `mfaSignIn:start`: sends a code to the number of a factor.
    func startFactorSignIn(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        guard isOn(Self.secondFactors) else { throw GoogleFailure.secondFactorsDisabled }
        let credential = try body.token("mfaPendingCredential").orThrow(
            GoogleFailure.missingPendingCredential)
        let id = try body.text("mfaEnrollmentId").orThrow(GoogleFailure.missingEnrollmentID)
        let (_, account) = try await read { connection, now in
            try pendingSignIn(credential, on: connection, at: now)
        }
        let factor = try account.factors.first { $0.id == id }.orThrow(
            GoogleFailure.factorNotFound)
        let phone = try factor.phone.orThrow(
            GoogleFailure.invalidArgument("MFA provider not supported!"))
        let sessionInfo = try await sendPhoneCode(to: phone, for: .factor, account: account.id)
        return .json(["phoneResponseInfo": ["sessionInfo": .string(sessionInfo)]])
    }

    /// `mfaSignIn:finalize`: completes a sign-in with the code of its second factor.
    func finalizeFactorSignIn(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        guard isOn(Self.secondFactors) else { throw GoogleFailure.secondFactorsDisabled }
        let credential = try body.token("mfaPendingCredential").orThrow(
            GoogleFailure.missingCredential)
        let entry: FactorEntry
        let id = try body.text("mfaEnrollmentId")
        if let info = try body.object("totpVerificationInfo") {
            guard id != nil else { throw GoogleFailure.missingEnrollmentID }
            let code = try info.text("verificationCode").orThrow(GoogleFailure.missingPhoneCode)
            entry = .app(PhoneCode(sessionInfo: "", code: code))
        } else {
            let info = try body.object("phoneVerificationInfo").orThrow(
                GoogleFailure.invalidArgument("MFA provider not supported!"))
            entry = .phone(try readCode(info, "code"))
        }
        let result = try await writeCode { connection, now in
            let (pending, account) = try pendingSignIn(credential, on: connection, at: now)
            let factor: Factor
            switch entry {
            case .phone(let code):
                let challenge = try redeem(code, for: .factor, on: connection, at: now)
                factor = try account.factors.first { $0.phone == challenge.email }.orThrow(
                    GoogleFailure.factorNotFound)
            case .app(let code):
                factor = try redeemAppCode(
                    code.code, factor: id ?? "", of: account, pending, on: connection, at: now)
            }
            guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
            try connection.markUsed(pending, at: now)
            var signIn = ClaritySignIn(text: pending.contractData)
            signIn.factor = ClaritySignIn.SecondFactor(factor)
            return try startSession(account, signIn, on: connection, at: now)
        }
        return try factorResponse(result, isTOTP: entry.isApp)
    }

    /// The challenge and account of a pending credential.
    private func pendingSignIn(
        _ credential: String, on connection: Connection, at now: Timestamp
    ) throws -> (Challenge, Account) {
        guard
            let found = try connection.linkedAccount(
                Digest.sha256(credential), for: .pendingSignIn, in: realm)
        else { throw GoogleFailure.invalidPendingCredential }
        switch found.challenge.state(at: now) {
        case .valid: break
        case .expired: throw GoogleFailure.sessionExpired
        default: throw GoogleFailure.invalidPendingCredential
        }
        // A change of password ends what was begun with the old one.
        let validSince = ClarityProfile(found.account).validSince ?? 0
        guard found.challenge.createdAt.seconds >= validSince else {
            throw GoogleFailure.tokenExpired
        }
        return (found.challenge, found.account)
    }

    // MARK: Codes

    /// What was entered to prove a factor.
    private enum FactorEntry: Sendable {
        case phone(PhoneCode)
        case app(PhoneCode)

        var isApp: Bool { if case .app = self { true } else { false } }
    }

    private func readCode(_ info: GoogleBody, _ name: String) throws -> PhoneCode {
        let code = try info.text(name).orThrow(GoogleFailure.missingPhoneCode)
        let sessionInfo = try info.text("sessionInfo").orThrow(GoogleFailure.missingSessionInfo)
        return PhoneCode(sessionInfo: sessionInfo, code: code)
    }

    /// The account as it is inside a write, if its token is still valid.
    private func requireUnchanged(_ account: Account, on connection: Connection) throws -> Account {
        let current = try connection.account(account.id, in: realm).orThrow(
            GoogleFailure.userNotFound)
        guard current.passwordHash == account.passwordHash, current.email == account.email,
            current.disabledAt == account.disabledAt
        else { throw GoogleFailure.tokenExpired }
        return current
    }

    /// The sealed secret of an app that is being set up, and the step of its first code.
    private func redeemAppSecret(
        _ entry: PhoneCode, of account: Account, on connection: Connection, at now: Timestamp
    ) throws -> (sealed: String, step: Int64) {
        let digest = Digest.sha256(entry.sessionInfo)
        guard let challenge = try connection.challenge(digest, for: .factor, in: realm),
            challenge.accountID == account.id, challenge.codeDigest == nil,
            let sealed = challenge.contractData
        else { throw GoogleFailure.invalidSessionInfo }
        try requireValid(challenge, at: now)
        let secret = Hex.decode(try services.open(sealed))
        guard let step = TOTP.step(of: entry.code, secret: secret, at: now.seconds) else {
            try connection.recordFailedAttempt(at: challenge)
            throw WrongCode()
        }
        try connection.markUsed(challenge, at: now)
        return (sealed, step)
    }

    /// The factor whose app made the code. A code works once.
    private func redeemAppCode(
        _ code: String, factor id: String, of account: Account, _ pending: Challenge,
        on connection: Connection, at now: Timestamp
    ) throws -> Factor {
        guard var factor = account.factors.first(where: { $0.id == id }),
            let sealed = factor.sealedSecret
        else { throw GoogleFailure.factorNotFound }
        try requireValid(pending, at: now)
        let secret = Hex.decode(try services.open(sealed))
        guard let step = TOTP.step(of: code, secret: secret, at: now.seconds),
            step > factor.lastStep ?? 0
        else {
            try connection.recordFailedAttempt(at: pending)
            throw WrongCode()
        }
        factor.lastStep = step
        try connection.save(factor)
        return factor
    }
}
