import Backend
import Core
import Crypto
import SQLite
import Web

/// PKCE (RFC 7636): sign-in with a mailed link and the client's own secret.
extension SocotoContract {
    static let pkceFlowLifetime: Duration = .seconds(300)

    /// Redeems a link for a code. Nil if the link does not work.
    func redeemLinkForCode(_ token: String, _ link: SocotoLink?, in realm: Realm) async throws
        -> String?
    {
        guard let link else { return nil }
        let code = RandomTokens.uuid(services.world)
        let codeDigest = Digest.sha256(code)
        let now = services.now(in: realm)
        let challenge = try await services.database.write { connection -> Challenge? in
            guard
                let challenge = try Self.findChallenge(
                    token: token, for: link.purpose, in: realm, on: connection),
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
        let body = try SocotoAuthBody(context.request, as: "PKCEGrantParams")
        let code = try body.text("auth_code")
        let verifier = try body.text("code_verifier")
        guard !code.isEmpty, !verifier.isEmpty else {
            throw SocotoAuthFailure.invalid(
                "invalid request: both auth code and code verifier should be non-empty")
        }
        let realm = realm(context)
        let digest = Digest.sha256(code)
        let now = services.now(in: realm)
        let grant = try await services.database.write { connection in
            guard let flow = try connection.pkceFlow(code: digest), flow.usedAt == nil,
                let linkFollowedAt = flow.linkFollowedAt,
                let account = try connection.account(flow.accountID, in: realm), !isBanned(account)
            else { throw SocotoAuthFailure.flowNotFound }
            guard now < linkFollowedAt + Self.pkceFlowLifetime else {
                throw SocotoAuthFailure.flowExpired
            }
            guard Self.verifierMatches(verifier, flow) else {
                throw SocotoAuthFailure.wrongVerifier
            }
            try connection.markUsed(flow, at: now)
            let method = try Self.signInMethod(of: flow, on: connection)
            return try signIn(account, SocotoUser(account), by: method, on: connection, at: now)
        }
        return .authJSON(try sessionJSON(grant))
    }

    private static func signInMethod(of flow: PKCEFlow, on connection: Connection) throws
        -> SocotoSignInRecord.Method
    {
        let purpose = try connection.text(
            "SELECT purpose FROM challenges WHERE digest = ?", [.text(flow.linkDigest)])
        return purpose.flatMap(Challenge.Purpose.init).flatMap { SocotoLink($0) }?.signInMethod
            ?? .otp
    }

    private static func verifierMatches(_ verifier: String, _ flow: PKCEFlow) -> Bool {
        let computedChallenge =
            flow.codeChallengeMethod == SocotoPKCEChallenge.Method.plain.rawValue
            ? verifier : Base64URL.encode(Hex.decode(Digest.sha256(verifier)))
        return ConstantTime.areEqual(computedChallenge, flow.codeChallenge)
    }
}
