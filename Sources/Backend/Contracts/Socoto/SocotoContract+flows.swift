import SQLite
import Secrets
import Web

/// Signing in with a secret of the client's own besides the mailed link
/// (RFC 7636).
extension SocotoContract {
    static let flowLife: Duration = .seconds(300)

    /// Uses a link up for a code; nil unless it still works.
    func enter(_ token: String, _ link: SocotoLink?, in realm: Realm) async throws -> String? {
        guard let link else { return nil }
        let code = Opaque.uuid(premises.world)
        let codeDigest = Digest.sha256(code)
        let now = premises.now(in: realm)
        let challenge = try await premises.database.write { connection -> Challenge? in
            guard
                let challenge = try Self.challenge(
                    of: token, for: link.purpose, in: realm, on: connection),
                let flow = try connection.flow(link: challenge.digest),
                try apply(challenge, on: connection, at: now) != nil
            else { return nil }
            try connection.open(flow, code: codeDigest, at: now)
            return challenge
        }
        guard let challenge else { return nil }
        premises.mailbox.announceUse(of: challenge)
        return code
    }

    /// POST /token?grant_type=pkce: the code and the secret for a session.
    func byCode(_ visit: Visit) async throws -> Response {
        let body = try SocotoBody(visit.request, as: "PKCEGrantParams")
        let code = try body.text("auth_code")
        let verifier = try body.text("code_verifier")
        guard !code.isEmpty, !verifier.isEmpty else {
            throw SocotoFailure.invalid(
                "invalid request: both auth code and code verifier should be non-empty")
        }
        let realm = realm(visit)
        let digest = Digest.sha256(code)
        let now = premises.now(in: realm)
        let grant = try await premises.database.write { connection in
            guard let flow = try connection.flow(code: digest), flow.usedAt == nil,
                let openedAt = flow.openedAt,
                let account = try connection.account(flow.account, in: realm), !isBanned(account)
            else { throw SocotoFailure.unknownFlow }
            guard now < openedAt + Self.flowLife else { throw SocotoFailure.flowExpired }
            guard Self.answers(verifier, flow) else { throw SocotoFailure.wrongVerifier }
            try connection.use(flow, at: now)
            let method = try Self.method(of: flow, on: connection)
            return try open(account, SocotoPerson(account), by: method, on: connection, at: now)
        }
        return .auth(try session(grant))
    }

    private static func method(of flow: Flow, on connection: Connection) throws
        -> SocotoSession.Method
    {
        let purpose = try connection.text(
            "SELECT purpose FROM challenges WHERE digest = ?", [.text(flow.link)])
        return purpose.flatMap(Challenge.Purpose.init).flatMap { SocotoLink($0) }?.method ?? .otp
    }

    private static func answers(_ verifier: String, _ flow: Flow) -> Bool {
        let given =
            flow.method == SocotoChallenge.Method.plain.rawValue
            ? verifier : Base64URL.encode(Self.bytes(Digest.sha256(verifier)))
        return Digest.constantTimeEquals(given, flow.challenge)
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
