import Backend
import Core
import Crypto
import SQLite
import Web

/// Codes by text message, and sign-in with them.
extension ClarityContract {
    /// How long a code from a text message works.
    private static let phoneCodeLifetime: Duration = .seconds(300)
    private static let proofLifetime: Duration = .seconds(3_600)
    /// How many wrong codes end the session of a text message.
    static let maxPhoneCodeAttempts = 5

    /// `accounts:sendVerificationCode`.
    func sendVerificationCode(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        guard isOn(Self.phoneSignIn) else { throw GoogleFailure.operationNotAllowed }
        let phone = try readPhoneNumber(body).orThrow(GoogleFailure.invalidPhoneNumber)
        let account = try await database.read { connection in
            try connection.account(phone: phone, in: realm)
        }
        guard account?.factors.isEmpty ?? true else {
            throw GoogleFailure.phoneOfSecondFactorUser
        }
        let sessionInfo = try await sendPhoneCode(to: phone, for: .phone, account: account?.id)
        return .json(["sessionInfo": .string(sessionInfo)])
    }

    /// Sends a code to a number. Returns the session info that the code is entered with.
    func sendPhoneCode(to phone: String, for purpose: Challenge.Purpose, account: String?)
        async throws -> String
    {
        let entry = PhoneCode(
            sessionInfo: RandomTokens.secret(services.world) + RandomTokens.secret(services.world),
            code: accessTokens.keyring.makeCode())
        let content: JSON = [
            "code": .string(entry.code), "sessionInfo": .string(entry.sessionInfo),
        ]
        let message = try services.makeTextMessage(
            TextMessageTemplate(
                appName: "CLARITY Pulse", text: "\(entry.code) is your CLARITY Pulse code.",
                code: entry.code),
            digest: entry.digest, purpose: purpose, lifetime: Self.phoneCodeLifetime, to: phone,
            account: account, codeDigest: try codeDigest(entry),
            contractData: try services.seal(content.description), in: realm)
        _ = try await sendCode(message)
        return entry.sessionInfo
    }

    private func codeDigest(_ entry: PhoneCode) throws -> String {
        try accessTokens.keyring.digest("phone code \(entry.sessionInfo) \(entry.code)")
    }

    /// `accounts:signInWithPhoneNumber`: signs in or up, or adds the number to the account of an ID
    /// token.
    func signInWithPhoneNumber(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        guard isOn(Self.phoneSignIn) else { throw GoogleFailure.operationNotAllowed }
        let signIn = ClaritySignIn(ClaritySignIn.phoneProvider, projectID: request.projectID)
        if let proof = try body.token("temporaryProof") {
            let phone = try readPhoneNumber(body).orThrow(GoogleFailure.missingPhoneNumber)
            let bearer = try await optionalBearer(body)
            return try phoneResponse(
                try await write { connection, now in
                    let digest = Digest.sha256(proof)
                    guard
                        let challenge = try connection.challenge(
                            digest, for: .phoneChange, in: realm),
                        challenge.email == phone, challenge.state(at: now) == .valid
                    else { throw GoogleFailure.invalidTemporaryProof }
                    return try use(
                        phone, for: bearer, signIn, hasProof: true, on: connection, at: now)
                })
        }
        let sessionInfo = try body.text("sessionInfo").orThrow(GoogleFailure.missingSessionInfo)
        let code = try body.text("code").orThrow(GoogleFailure.missingPhoneCode)
        let entry = PhoneCode(sessionInfo: sessionInfo, code: code)
        let bearer = try await optionalBearer(body)
        let result = try await writeCode { connection, now in
            let challenge = try redeem(entry, for: .phone, on: connection, at: now)
            return try use(
                challenge.email, for: bearer, signIn, hasProof: false, on: connection, at: now)
        }
        try await publishUse(of: entry, for: .phone)
        return try phoneResponse(result)
    }

    private func optionalBearer(_ body: GoogleBody) async throws -> Account? {
        guard let token = try body.idToken() else { return nil }
        return try await authenticateBearer(token).account
    }

    /// What a verified number led to.
    private enum PhoneResult: Sendable {
        case signedIn(ClaritySignInResult, phone: String, isNew: Bool)
        /// Another account has the number: proof that it was verified.
        case taken(phone: String, proof: String)
    }

    private func phoneResponse(_ result: PhoneResult) throws -> Response {
        switch result {
        case .taken(let phone, let proof):
            .json([
                "phoneNumber": .string(phone), "temporaryProof": .string(proof),
                "temporaryProofExpiresIn":
                    .string(String(Self.proofLifetime.components.seconds)),
            ])
        case .signedIn(let result, let phone, let isNew):
            .json(
                .object(
                    [
                        .init("isNewUser", .bool(isNew)), .init("phoneNumber", .string(phone)),
                        .init("localId", .string(result.account.localID)),
                    ] + (try tokenMembers(result.account, result.session, result.refreshToken))))
        }
    }

    /// Signs in with a verified number, inside a write.
    private func use(
        _ phone: String, for bearer: Account?, _ signIn: ClaritySignIn, hasProof: Bool,
        on connection: Connection, at now: Timestamp
    ) throws -> PhoneResult {
        let owner = try connection.account(phone: phone, in: realm)
        let bearer = try bearer.map {
            try connection.account($0.id, in: realm).orThrow(GoogleFailure.userNotFound)
        }
        if let owner, let bearer, owner.id != bearer.id {
            guard !hasProof else { throw GoogleFailure.phoneNumberExists }
            let proof = RandomTokens.secret(services.world)
            try connection.addCode(
                Challenge(
                    digest: Digest.sha256(proof), accountID: nil, realm: realm,
                    purpose: .phoneChange, email: phone, createdAt: now,
                    expiresAt: now + Self.proofLifetime))
            return .taken(phone: phone, proof: proof)
        }
        let known = bearer ?? owner
        guard known?.disabledAt == nil else { throw GoogleFailure.userDisabled }
        guard known?.factors.isEmpty ?? true else { throw GoogleFailure.phoneOfSecondFactorUser }
        let account = try known ?? addAccount(nil, on: connection, at: now)
        try connection.setPhone(of: account.id, to: phone, verifiedAt: now)
        let changed = try connection.account(account.id, in: realm) ?? account
        return .signedIn(
            try startSession(changed, signIn, on: connection, at: now), phone: phone,
            isNew: known == nil)
    }

    // MARK: Entering a code

    /// A write in which a code is entered. A wrong code is counted, although the response is an
    /// error.
    func writeCode<Value: Sendable>(
        _ body: @escaping @Sendable (Connection, Timestamp) throws -> Value
    ) async throws -> Value {
        let result = try await write { connection, now -> Result<Value, WrongCode> in
            do { return .success(try body(connection, now)) } catch let error as WrongCode {
                return .failure(error)
            }
        }
        guard case .success(let value) = result else { throw GoogleFailure.wrongCode }
        return value
    }

    /// The challenge of a code, which is used up. Throws `WrongCode` after counting a wrong one.
    func redeem(
        _ entry: PhoneCode, for purpose: Challenge.Purpose, on connection: Connection,
        at now: Timestamp
    ) throws -> Challenge {
        guard let challenge = try connection.challenge(entry.digest, for: purpose, in: realm),
            let digest = challenge.codeDigest
        else { throw GoogleFailure.invalidSessionInfo }
        try requireValid(challenge, at: now)
        guard ConstantTime.areEqual(try codeDigest(entry), digest) else {
            try connection.recordFailedAttempt(at: challenge)
            throw WrongCode()
        }
        guard entry.faultTicket?.triggers(.codeExpired) != true else {
            throw GoogleFailure.sessionExpired
        }
        try connection.markUsed(challenge, at: now)
        return challenge
    }

    /// Throws if a code can no longer be entered.
    func requireValid(_ challenge: Challenge, at now: Timestamp) throws {
        switch challenge.state(at: now) {
        case .valid: break
        case .expired: throw GoogleFailure.sessionExpired
        default: throw GoogleFailure.invalidSessionInfo
        }
        guard challenge.failedAttempts < Self.maxPhoneCodeAttempts else {
            throw GoogleFailure.tooManyCodeAttempts
        }
    }

    /// Publishes that a text message's code was used.
    func publishUse(of entry: PhoneCode, for purpose: Challenge.Purpose) async throws {
        let challenge = try await database.read { connection in
            try connection.challenge(entry.digest, for: purpose, in: realm)
        }
        if let challenge { services.mailbox.publishUsed(of: challenge) }
    }
}

/// A wrong code, which was counted.
struct WrongCode: Error {}

/// A code as entered, with what it belongs to.
struct PhoneCode: Sendable {
    let sessionInfo: String
    let code: String
    let faultTicket = FaultTicket.current

    /// The digest of its challenge.
    var digest: String { Digest.sha256(sessionInfo) }
}
