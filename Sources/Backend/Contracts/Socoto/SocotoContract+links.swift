import Crypto
import SQLite
import Web

extension SocotoContract {
    /// GET /verify: a mailed link, followed by a browser, which is led on
    /// with what came of it.
    ///
    /// HEAD, which scanners send, uses nothing up.
    @Sendable func followLink(_ context: RequestContext) async throws -> Response {
        guard let type = context.target.queryValue("type") else {
            throw SocotoAuthFailure.invalid("Verify requires a verification type")
        }
        guard let token = context.target.queryValue("token") else {
            throw SocotoAuthFailure.invalid("Verify requires a token or a token hash")
        }
        let link = try Self.parseLinkType(type)
        let realm = realm(context)
        let redirect = redirectPolicy(realm)
        let place = redirect.redirectURL(context)
        guard context.request.method != .head else { return Response(status: 200) }
        try checkRateLimit(context, Self.verifyRequestLimit)
        let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
        if link == .recovery, place == redirect.siteURL {
            // Without an app to lead to, the new password is asked for here.
            guard try await resetLinkState(token, in: realm) == .valid else {
                return Self.redirectResponse(to: Self.errorURL(place, isFlow: isFlow))
            }
            return Self.redirectResponse(
                to: SocotoRedirectPolicy.urlWithQuery(
                    services.baseURL(of: realm) + "/reset", [("token", token)]))
        }
        if isFlow, let code = try await redeemLinkForCode(token, link, in: realm) {
            return Self.redirectResponse(
                to: SocotoRedirectPolicy.urlWithQuery(
                    successURL(place, link, redirect), [("code", code)]))
        }
        if !isFlow, let grant = try await redeem(token, link, in: realm) {
            return Self.redirectResponse(
                to: SocotoRedirectPolicy.urlWithFragment(
                    successURL(place, link, redirect), try sessionParameters(grant, type)))
        }
        return Self.redirectResponse(to: Self.errorURL(place, isFlow: isFlow))
    }

    /// Our own page works without script, so it is told in its query what a
    /// fragment would tell a script.
    private func successURL(_ place: String, _ link: SocotoLink?, _ redirect: SocotoRedirectPolicy)
        -> String
    {
        guard place == redirect.siteURL, let link else { return place }
        return SocotoRedirectPolicy.urlWithQuery(place, [("done", link.rawValue)])
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

    /// A flow's client reads the query, the others' the fragment.
    private static func errorURL(_ place: String, isFlow: Bool) -> String {
        let failure = SocotoAuthFailure.linkExpired
        let items = [
            ("error", "access_denied"), ("error_code", failure.code),
            ("error_description", failure.message),
        ]
        return SocotoRedirectPolicy.urlWithFragment(
            isFlow ? SocotoRedirectPolicy.urlWithQuery(place, items) : place, items + [("sb", "")])
    }

    private static func redirectResponse(to place: String) -> Response {
        Response(status: 303, headers: ["Location": place, "Referrer-Policy": "no-referrer"])
    }
}
