import Backend
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// GET /verify: a mailed link opened in a browser, which is redirected with the result.
    ///
    /// A HEAD request, which link scanners send, does not use the link up.
    @Sendable func followLink(_ context: RequestContext) async throws -> Response {
        guard let type = context.target.queryValue("type") else {
            throw SocotoAuthFailure.invalid("Verify requires a verification type")
        }
        guard let token = context.target.queryValue("token") else {
            throw SocotoAuthFailure.invalid("Verify requires a token or a token hash")
        }
        let link = try Self.parseLinkType(type)
        let realm = realm(context)
        let policy = redirectPolicy(realm)
        let redirectURL = policy.redirectURL(context)
        guard context.request.method != .head else { return Response(status: 200) }
        try checkRateLimit(context, Self.verifyRequestLimit)
        let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
        if link == .recovery, redirectURL == policy.siteURL {
            // Without an app to redirect to, the contract's own page requests the new password.
            guard try await resetLinkState(token, in: realm) == .valid else {
                return Self.redirectResponse(to: Self.errorURL(redirectURL, isFlow: isFlow))
            }
            return Self.redirectResponse(
                to: SocotoRedirectPolicy.urlWithQuery(
                    services.baseURL(of: realm) + "/reset", [("token", token)]))
        }
        if isFlow, let code = try await redeemLinkForCode(token, link, in: realm) {
            return Self.redirectResponse(
                to: SocotoRedirectPolicy.urlWithQuery(
                    successURL(redirectURL, link, policy), [("code", code)]))
        }
        if !isFlow, let grant = try await redeem(token, link, in: realm) {
            return Self.redirectResponse(
                to: SocotoRedirectPolicy.urlWithFragment(
                    successURL(redirectURL, link, policy), try sessionParameters(grant, type)))
        }
        return Self.redirectResponse(to: Self.errorURL(redirectURL, isFlow: isFlow))
    }

    /// The contract's own page works without scripts, so it gets the result in its query instead of
    /// the fragment.
    private func successURL(_ url: String, _ link: SocotoLink?, _ policy: SocotoRedirectPolicy)
        -> String
    {
        guard url == policy.siteURL, let link else { return url }
        return SocotoRedirectPolicy.urlWithQuery(url, [("done", link.rawValue)])
    }

    private func sessionParameters(_ grant: SignIn, _ type: String) throws -> [(String, String)] {
        let now = services.now(in: grant.account.realm)
        let lifetime = accessTokens.lifetime(Self.accessTokenLifetime, of: grant.account)
        return [
            ("access_token", try makeAccessToken(grant, at: now)),
            ("expires_at", String((now + lifetime).seconds)),
            ("expires_in", String(lifetime.components.seconds)),
            ("refresh_token", grant.refreshToken), ("sb", ""),
            ("token_type", "bearer"), ("type", type),
        ]
    }

    /// A PKCE client reads the query, other clients the fragment.
    private static func errorURL(_ url: String, isFlow: Bool) -> String {
        let failure = SocotoAuthFailure.linkExpired
        let items = [
            ("error", "access_denied"), ("error_code", failure.code),
            ("error_description", failure.message),
        ]
        return SocotoRedirectPolicy.urlWithFragment(
            isFlow ? SocotoRedirectPolicy.urlWithQuery(url, items) : url, items + [("sb", "")])
    }

    private static func redirectResponse(to url: String) -> Response {
        Response(status: 303, headers: ["Location": url, "Referrer-Policy": "no-referrer"])
    }
}
