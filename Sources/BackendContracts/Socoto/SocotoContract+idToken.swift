import Backend
import Core
import Crypto
import SQLite
import Web

/// Sign-in with an ID token that an app got from the provider itself.
extension SocotoContract {
    /// POST /token?grant_type=id_token.
    func idTokenGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + [.featureEnabled, .signature, .expiry, .accountActive])
        let body = try GoTrueBody(context.request, as: "IdTokenGrantParams")
        let token = try body.text("id_token")
        guard !token.isEmpty else {
            throw GoTrueOAuthFailure.invalidRequest("id_token required")
        }
        let name = try body.text("provider")
        let issuer = try body.text("issuer")
        guard try !name.isEmpty || !issuer.isEmpty && !body.text("client_id").isEmpty else {
            throw GoTrueOAuthFailure.invalidRequest("provider or client_id and issuer required")
        }
        let target: Account? =
            try body.bool("link_identity") == true
            ? try await authenticateBearer(context).account : nil
        let provider = try idTokenProvider(name, issuer: issuer)
        let claims = try verifiedClaims(of: token, provider)
        try Self.checkNonce(try body.text("nonce"), claims["nonce"]?.string ?? "", provider)
        guard case .object(let members) = claims else {
            throw GoTrueOAuthFailure.invalidRequest("Bad ID token")
        }
        let person = ProviderUser(members, provider, appleUser: nil, at: now)
        let (grant, failed) = try await write {
            connection, now -> (SignIn?, (GoTrueFailure, OutgoingMail?, Int64?)?) in
            switch try signInResult(
                of: person, linkingTo: target?.id, context, on: connection, at: now)
            {
            case .account(let account, let user):
                return (
                    try signIn(account, user, by: .oauth, on: connection, at: now), nil
                )
            case .unverified(let failure, let mail, let sequence):
                return (nil, (failure, mail, sequence))
            }
        }
        if let (failure, mail, sequence) = failed {
            if let mail { try await announce(mail, at: sequence) }
            throw failure
        }
        return .plainJSON(try sessionJSON(try grant.orThrow(GoTrueFailure.userNotFound)))
    }

    /// The provider that a request names. GitHub issues no ID tokens.
    private func idTokenProvider(_ name: String, issuer: String) throws(GoTrueFailure)
        -> SignInProvider
    {
        let found = SignInProvider.allCases.first { provider in
            provider != .github && (provider.rawValue == name || provider.issuer == issuer)
        }
        guard let found else {
            throw .invalid("Custom OIDC provider \"\(name.prefix(40))\" not allowed")
        }
        guard isEnabled(found) else {
            throw GoTrueFailure(
                400, "provider_disabled", "Provider (issuer \"\(found.issuer)\") is not enabled",
                [.featureEnabled])
        }
        return found
    }

    /// The claims of an ID token that the embedded provider signed and that has not expired.
    private func verifiedClaims(of token: String, _ provider: SignInProvider) throws -> JSON {
        let failure = GoTrueOAuthFailure.invalidRequest("Bad ID token")
        guard case .verified = try KeySet([accessTokens.keyring.key(.provider)]).verify(token),
            let text = Token(decoding: token).claims, let claims = try? JSON(parsing: text),
            claims["iss"]?.string == provider.issuer,
            let expiry = claims["exp"]?.numericDate, now.seconds < expiry
        else { throw failure }
        guard claims["sub"]?.string?.isEmpty == false else {
            throw GoTrueOAuthFailure.invalidRequest("Missing sub claim in id_token")
        }
        return claims
    }

    /// The token has the digest of the nonce that the client keeps. Facebook's is not checked.
    private static func checkNonce(
        _ nonce: String, _ claim: String, _ provider: SignInProvider
    ) throws(GoTrueOAuthFailure) {
        guard provider != .facebook else { return }
        guard nonce.isEmpty == claim.isEmpty else {
            throw .invalidRequest(
                "Passed nonce and nonce in id_token should either both exist or not.")
        }
        guard nonce.isEmpty || ConstantTime.areEqual(Digest.sha256(nonce), claim) else {
            throw .nonceMismatch
        }
    }
}
