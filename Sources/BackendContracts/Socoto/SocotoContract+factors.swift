import Backend
import Core
import Crypto
import QRCodes
import SQLite
import Web

/// Second factors of a user: authenticator apps and text messages.
extension SocotoContract {
    static let totpFactors = FeatureSwitch(
        name: "totpFactors", text: "Second factors by authenticator app (TOTP) are enabled",
        isOnByDefault: true)
    static let phoneFactors = FeatureSwitch(
        name: "phoneFactors",
        text: "Second factors by text message are enabled; an add-on in hosted projects",
        isOnByDefault: true)

    /// An account has at most this many factors, verified or not.
    static let maxFactorCount = 10

    var factorRoutes: [Route] {
        let checks = Self.bearerChecks + .json + [.featureEnabled]
        return [
            authRoute(.post, "/factors", Self.enrollFactor, checks + [.state, .permission]),
            authRoute(.delete, "/factors/{factor}", Self.unenrollFactor, Self.bearerChecks),
            authRoute(
                .post, "/factors/{factor}/challenge", Self.challengeFactor, checks + [.rateLimit]),
            authRoute(
                .post, "/factors/{factor}/verify", Self.verifyFactor, checks + [.rateLimit, .code]),
        ]
    }

    /// The user of the bearer token, who must not be anonymous.
    private func authenticateNamedUser(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession
    ) {
        let user = try await authenticateBearer(context)
        guard !user.account.isAnonymous else { throw GoTrueFailure.anonymousNotAllowed }
        return user
    }

    /// The user of the bearer token, with the factor that the path names.
    func authenticateForFactor(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession, factor: Factor
    ) {
        let (account, session) = try await authenticateNamedUser(context)
        return (account, session, try Self.factor(context, of: account))
    }

    /// The account's factor that the path names.
    static func factor(_ context: RequestContext, of account: Account) throws(GoTrueFailure)
        -> Factor
    {
        guard let id = RandomTokens.uuid(parsing: context.parameters["factor"] ?? "") else {
            throw .malformedFactorID
        }
        guard let factor = account.factors.first(where: { $0.id == id }) else {
            throw .factorNotFound
        }
        return factor
    }

    /// POST /factors.
    func enrollFactor(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await authenticateNamedUser(context)
        let body = try GoTrueBody(context.request, as: "EnrollFactorParams")
        let name = try body.text("friendly_name")
        try Self.checkFactorName(name)
        let type = try body.text("factor_type")
        var members: [JSON.Member]
        let factor: Factor
        switch type {
        case "totp":
            guard isOn(Self.totpFactors) else { throw GoTrueFailure.enrollmentOfTOTPDisabled }
            let enrollment = try TOTPEnrollment(
                issuer: try issuerName(body), account: account,
                secret: Base32.encode(services.world.randomBytes(TOTP.secretByteCount)))
            factor = Factor(
                id: RandomTokens.uuid(services.world), kind: .totp, name: name,
                sealedSecret: try services.seal(enrollment.secret), createdAt: now)
            members = [.init("totp", enrollment.json)]
        case "phone":
            guard isOn(Self.phoneFactors) else { throw GoTrueFailure.enrollmentOfPhoneDisabled }
            let phone = try body.text("phone")
            guard !phone.isEmpty else { throw GoTrueFailure.missingPhoneOfFactor }
            factor = Factor(
                id: RandomTokens.uuid(services.world), kind: .phone, name: name,
                phone: try GoTruePhoneNumber.parse(phone), createdAt: now)
            members = [.init("phone", .string(phone))]
        case "webauthn": throw GoTrueFailure.enrollmentOfWebAuthnDisabled
        default: throw GoTrueFailure.unknownFactorType
        }
        let ipAddress = context.request.peer
        try await write { connection, now in
            try enroll(
                factor, account.id, session.id, from: ipAddress, on: connection, at: now)
        }
        members.insert(
            contentsOf: [
                .init("id", .string(factor.id)), .init("type", .string(type)),
                .init("friendly_name", .string(name)),
            ], at: 0)
        return .plainJSON(.object(members))
    }

    static func checkFactorName(_ name: String) throws(GoTrueFailure) {
        guard name.utf8.count <= JSONBody.shortTextLimit else {
            throw .invalid("friendly_name cannot be longer than \(JSONBody.shortTextLimit) bytes")
        }
    }

    /// The name that an authenticator app shows: the client's choice, or the site's host.
    private func issuerName(_ body: GoTrueBody) throws(GoTrueFailure) -> String {
        let name = try body.text("issuer")
        guard name.utf8.count <= 200 else {
            throw .invalid("issuer cannot be longer than 200 bytes")
        }
        if !name.isEmpty { return name }
        let site = redirectPolicy.siteURL.split(separator: "/", maxSplits: 3)
        return site.count > 1 ? String(site[1]) : "localhost"
    }

    /// Adds a factor to the account as it is now, inside a write.
    private func enroll(
        _ factor: Factor, _ accountID: String, _ sessionID: String, from ipAddress: String,
        on connection: Connection, at now: Timestamp
    ) throws {
        let (account, session) = try requireActive(accountID, sessionID, on: connection)
        var factors = account.factors
        for other in account.factors where other.verifiedAt == nil {
            // An unfinished enrollment of the same number, or one that was never continued.
            let isAbandoned =
                try now > other.createdAt + Self.factorChallengeLifetime
                && connection.newestChallenge(to: other.id, for: .factor, in: realm) == nil
            guard isAbandoned || factor.kind == .phone && other.phone == factor.phone else {
                continue
            }
            try connection.remove(factor: other.id)
            factors.removeAll { $0.id == other.id }
        }
        guard !factors.contains(where: { factor.kind == .phone && $0.phone == factor.phone }) else {
            throw GoTrueFailure.verifiedPhoneFactorExists
        }
        guard !factors.contains(where: { $0.name == factor.name }) else {
            throw GoTrueFailure.factorNameConflict(factor.name)
        }
        guard factors.count < Self.maxFactorCount else { throw GoTrueFailure.tooManyFactors }
        guard SignInRecord(session).level > 1 || factors.allSatisfy({ $0.verifiedAt == nil }) else {
            throw GoTrueFailure.secondFactorNeededToEnroll
        }
        try connection.add(factor, to: account)
        let id = JSON.string(factor.id)
        try record(
            .factorEnrolled, by: account,
            factor.kind == .totp
                ? ["factor_id": id] : ["factor_id": id, "factor_type": factor.type],
            from: ipAddress, on: connection, at: now)
    }

    /// DELETE /factors/{id}.
    func unenrollFactor(_ context: RequestContext) async throws -> Response {
        let (account, session, factor) = try await authenticateForFactor(context)
        let ipAddress = context.request.peer
        try await write { connection, now in
            let (account, session) = try requireActive(account.id, session.id, on: connection)
            let factor = try account.factors.first { $0.id == factor.id }.orThrow(
                GoTrueFailure.factorNotFound)
            guard factor.verifiedAt == nil || SignInRecord(session).level > 1 else {
                throw GoTrueFailure.secondFactorNeededToUnenroll
            }
            try connection.removeGoTrueFactor(factor, of: account)
            try record(
                .factorUnenrolled, by: account,
                [
                    "factor_id": .string(factor.id), "factor_status": factor.status,
                    "session_id": .string(session.id),
                ], from: ipAddress, on: connection, at: now)
        }
        return .plainJSON(["id": .string(factor.id)])
    }

    /// Throws if the user has a second factor that the session did not present, for changes of an
    /// address, a number or a password.
    static func requireSecondFactor(of account: Account, in session: BackendSession)
        throws(GoTrueFailure)
    {
        guard
            SignInRecord(session).level > 1 || account.factors.allSatisfy({ $0.verifiedAt == nil })
        else { throw .secondFactorNeededToUpdate }
    }
}

extension Connection {
    /// Removes a factor, inside a write. Sessions that presented it lose their second level.
    func removeGoTrueFactor(_ factor: Factor, of account: Account) throws {
        try remove(factor: factor.id)
        for session in try activeSessions(of: account.id) {
            var record = SignInRecord(session)
            guard record.factorID == factor.id else { continue }
            record.forget(factor)
            try setContractData(of: session.id, to: record.contractData)
        }
    }
}

/// A new TOTP secret as shown to the user: as text, as a URI, and as the URI's QR code.
private struct TOTPEnrollment {
    /// In base 32.
    let secret: String
    let uri: String
    let image: String

    init(issuer: String, account: Account, secret: String) throws(GoTrueFailure) {
        self.secret = secret
        let issuer = PercentEncoding.encode(issuer)
        // A label without an account's address ends at the colon. A path may contain an @.
        let label = PercentEncoding.encode(account.email ?? "").replacing("%40", with: "@")
        uri = """
            otpauth://totp/\(issuer):\(label)\
            ?algorithm=SHA1&digits=6&issuer=\(issuer)&period=\(TOTP.period)&secret=\(secret)
            """
        guard let code = QRCode(uri) else { throw .invalid("Error generating QR Code") }
        image = code.svg()
    }

    var json: JSON {
        ["qr_code": .string(image), "secret": .string(secret), "uri": .string(uri)]
    }
}
