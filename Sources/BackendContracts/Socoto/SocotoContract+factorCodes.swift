import Backend
import Core
import Crypto
import SQLite
import Web

/// Challenges of second factors, and the codes that answer them.
extension SocotoContract {
    /// As at the real server. An unfinished enrollment is removed after the same time.
    static let factorChallengeLifetime: Duration = .seconds(300)
    /// How many wrong codes end a challenge.
    static let maxFactorAttempts = 10
    /// Per account, for challenges and for codes.
    private static let factorRequestLimit = RateLimit(
        name: "factor", count: 15, window: .seconds(60), burst: 30)

    /// POST /factors/{id}/challenge. That of a phone sends a text message.
    func challengeFactor(_ context: RequestContext) async throws -> Response {
        let (account, session, factor) = try await authenticateForFactor(context)
        try count(
            Self.factorRequestLimit, of: "challenge " + account.id,
            failure: GoTrueFailure.tooManyRequests)
        try requireEnabled(factor)
        let id = RandomTokens.uuid(services.world)
        let facts = FactorChallenge(factorID: factor.id, peer: context.request.peer)
        var message: OutgoingMail?
        if factor.kind == .phone {
            let body = try GoTrueBody(context.request, as: "ChallengeFactorParams")
            try GoTruePhoneNumber.checkChannel(body)
            message = try makeFactorMessage(id, factor, of: account, facts)
        }
        let now = now
        let challenge =
            message?.challenge
            ?? Challenge(
                digest: Digest.sha256(id), accountID: account.id, realm: realm, purpose: .factor,
                email: factor.id, createdAt: now, expiresAt: now + Self.factorChallengeLifetime,
                contractData: facts.jsonText)
        let outgoing = message
        let sequence = try await write { connection, _ -> Int64? in
            let (account, _) = try requireActive(account.id, session.id, on: connection)
            guard account.factors.contains(where: { $0.id == factor.id }) else {
                throw GoTrueFailure.factorNotFound
            }
            let sequence = try outgoing.flatMap { try connection.send($0, limit: mailLimit) }
            guard outgoing == nil || sequence != nil else { return nil }
            try connection.addCode(challenge)
            try connection.recordChallenge(of: factor.id, at: now)
            try record(
                .factorChallenged, by: account,
                ["factor_id": .string(factor.id), "factor_status": factor.status],
                from: facts.peer, on: connection, at: now)
            return sequence
        }
        if let message { try await announce(message, at: sequence) }
        return .plainJSON([
            "id": .string(id), "type": .string(factor.kind.rawValue),
            "expires_at": .int(challenge.expiresAt.seconds),
        ])
    }

    private func requireEnabled(_ factor: Factor) throws(GoTrueFailure) {
        switch factor.kind {
        case .totp: guard isOn(Self.totpFactors) else { throw .verificationOfTOTPDisabled }
        case .phone: guard isOn(Self.phoneFactors) else { throw .verificationOfPhoneDisabled }
        }
    }

    private func makeFactorMessage(
        _ id: String, _ factor: Factor, of account: Account, _ facts: FactorChallenge
    ) throws -> OutgoingMail {
        let code = accessTokens.keyring.makeCode()
        return try services.makeTextMessage(
            TextMessageTemplate(appName: "Socoto", text: "Your code is \(code)", code: code),
            digest: Digest.sha256(id), purpose: .factor, lifetime: Self.factorChallengeLifetime,
            to: factor.phone ?? "", account: account.id,
            codeDigest: try digest(ofCode: code, challenge: id), contractData: facts.jsonText,
            in: realm)
    }

    private func digest(ofCode code: String, challenge: String) throws -> String {
        try accessTokens.keyring.digest("factor \(challenge) \(code)")
    }

    /// POST /factors/{id}/verify: the session reaches the second level.
    func verifyFactor(_ context: RequestContext) async throws -> Response {
        let (account, session, factor) = try await authenticateForFactor(context)
        try count(
            Self.factorRequestLimit, of: "verify " + account.id,
            failure: GoTrueFailure.tooManyRequests)
        let body = try GoTrueBody(context.request, as: "VerifyFactorParams")
        let challengeID = try body.text("challenge_id")
        guard let id = challengeID.isEmpty ? "" : RandomTokens.uuid(parsing: challengeID) else {
            throw GoTrueFailure.badJSON("uuid: incorrect UUID format in string \"challenge_id\"")
        }
        let code = try body.text("code")
        guard !code.isEmpty else { throw GoTrueFailure.missingFactorCode }
        try requireEnabled(factor)
        let attempt = FactorAttempt(
            challengeID: id, code: code, peer: context.request.peer, factorID: factor.id,
            faultTicket: FaultTicket.current)
        let (result, challenge) = try await write { connection, now in
            let user = try requireActive(account.id, session.id, on: connection)
            return try verify(attempt, user.account, user.session, on: connection, at: now)
        }
        if let challenge { services.mailbox.publishUsed(of: challenge) }
        return .plainJSON(try sessionJSON(try result.get()))
    }

    /// Checks a code inside a write, which is committed also if it is wrong: the attempt counts.
    private func verify(
        _ attempt: FactorAttempt, _ account: Account, _ session: BackendSession,
        on connection: Connection, at now: Timestamp
    ) throws -> (Result<SignIn, GoTrueFailure>, Challenge?) {
        guard var factor = account.factors.first(where: { $0.id == attempt.factorID }) else {
            return (.failure(.factorNotFound), nil)
        }
        let found = try connection.challenge(
            Digest.sha256(attempt.challengeID), for: .factor, in: realm)
        guard let challenge = found, let facts = FactorChallenge(challenge),
            facts.factorID == factor.id
        else { return (.failure(.factorChallengeNotFound), nil) }
        guard challenge.usedAt == nil, facts.peer == attempt.peer else {
            return (.failure(.factorAddressMismatch), nil)
        }
        guard challenge.state(at: now) == .valid,
            challenge.failedAttempts < Self.maxFactorAttempts,
            attempt.faultTicket?.triggers(.codeExpired) != true
        else { return (.failure(.factorChallengeExpired(attempt.challengeID)), nil) }
        guard try accepts(attempt, challenge, factor, at: now) else {
            try connection.recordFailedAttempt(at: challenge)
            return (
                .failure(factor.kind == .totp ? .wrongTOTPCode : .wrongPhoneFactorCode), nil
            )
        }
        try connection.markUsed(challenge, at: now)
        try record(
            .factorVerified, by: account,
            [
                "challenge_id": .string(attempt.challengeID), "factor_id": .string(factor.id),
                "factor_type": factor.type,
            ], from: attempt.peer, on: connection, at: now)
        if factor.verifiedAt == nil {
            factor.verifiedAt = now
            factor.updatedAt = now
            try connection.save(factor)
        }
        let grant = try raise(session, of: account, by: factor, on: connection, at: now)
        return (.success(grant), challenge)
    }

    /// Whether a code is right. A TOTP code works once for each challenge.
    private func accepts(
        _ attempt: FactorAttempt, _ challenge: Challenge, _ factor: Factor, at now: Timestamp
    ) throws -> Bool {
        switch factor.kind {
        case .totp:
            guard let sealed = factor.sealedSecret,
                let secret = Base32.decode(try services.open(sealed))
            else { return false }
            let code = attempt.code.trimming(" \t\r\n")
            return TOTP.step(of: code, secret: secret, at: now.seconds) != nil
        case .phone:
            let digest = try digest(ofCode: attempt.code, challenge: attempt.challengeID)
            return ConstantTime.areEqual(digest, challenge.codeDigest ?? "")
        }
    }

    /// Raises the session to the second level. Ends the account's sessions at the first one, and
    /// its other unfinished enrollments of the same kind.
    private func raise(
        _ session: BackendSession, of account: Account, by factor: Factor,
        on connection: Connection, at now: Timestamp
    ) throws -> SignIn {
        var session = session
        var signIns = SignInRecord(session)
        signIns.present(factor, at: now)
        session.contractData = signIns.contractData
        try connection.setContractData(of: session.id, to: signIns.contractData)
        for other in try connection.activeSessions(of: account.id)
        where other.id != session.id && SignInRecord(other).level < 2 {
            try connection.revoke(session: other.id, reason: .secondFactorPresented, at: now)
        }
        for other in account.factors
        where other.kind == factor.kind && other.verifiedAt == nil && other.id != factor.id {
            try connection.remove(factor: other.id)
        }
        let token = try refreshTokens.renew(
            &session, isRaised: true, on: connection, at: now)
        try record(.tokenRevoked, by: account, on: connection, at: now)
        let current = try connection.account(account.id, in: realm) ?? account
        return SignIn(
            account: current, user: SocotoUser(current), session: session, refreshToken: token)
    }
}

/// What a challenge of a second factor is for, as stored in its `contractData`.
private struct FactorChallenge: Sendable {
    let factorID: String
    /// The client's address, which must answer it as well.
    let peer: String

    init(factorID: String, peer: String) {
        self.factorID = factorID
        self.peer = peer
    }

    init?(_ challenge: Challenge) {
        guard let json = try? JSON(parsing: challenge.contractData ?? ""),
            let factorID = json["factor"]?.string, let peer = json["peer"]?.string
        else { return nil }
        self.init(factorID: factorID, peer: peer)
    }

    var jsonText: String {
        let json: JSON = ["factor": .string(factorID), "peer": .string(peer)]
        return json.description
    }
}

/// A code as entered.
private struct FactorAttempt: Sendable {
    let challengeID: String
    let code: String
    let peer: String
    let factorID: String
    let faultTicket: FaultTicket?
}
