import Backend
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// GET /verify: a mailed link opened in a browser, which is redirected with the result.
    ///
    /// A HEAD request, which link scanners send, does not use the link up.
    func followLink(_ context: RequestContext) async throws -> Response {
        let type = try context.target.queryValue("type").orThrow(
            GoTrueFailure.invalid("Verify requires a verification type"))
        let token = try context.target.queryValue("token").orThrow(
            GoTrueFailure.invalid("Verify requires a token or a token hash"))
        let link = try Self.parseLinkType(type)
        let policy = redirectPolicy
        let redirectURL = policy.redirectURL(context)
        guard context.request.method != .head else { return Response(status: 200) }
        try checkRateLimit(context, Self.verifyRequestLimit)
        let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
        if link == .recovery, redirectURL == policy.siteURL {
            // Without an app to redirect to, the contract's own page requests the new password.
            guard try await resetLinkState(token) == .valid else {
                return Self.redirectResponse(to: Self.errorURL(redirectURL, isFlow: isFlow))
            }
            return Self.redirectResponse(
                to: RedirectPolicy.urlWithQuery(baseURL + "/reset", [("token", token)]))
        }
        if isFlow, let code = try await redeemLinkForCode(token, link) {
            return Self.redirectResponse(
                to: RedirectPolicy.urlWithQuery(
                    successURL(redirectURL, link, policy), [("code", code)]))
        }
        if !isFlow, let grant = try await redeem(token, link) {
            return Self.redirectResponse(
                to: RedirectPolicy.urlWithFragment(
                    successURL(redirectURL, link, policy), try sessionParameters(grant, type)))
        }
        return Self.redirectResponse(to: Self.errorURL(redirectURL, isFlow: isFlow))
    }

    /// The contract's own page works without scripts, so it gets the result in its query instead of
    /// the fragment.
    private func successURL(_ url: String, _ link: SocotoLink?, _ policy: RedirectPolicy) -> String
    {
        guard url == policy.siteURL, let link else { return url }
        return RedirectPolicy.urlWithQuery(url, [("done", link.rawValue)])
    }

    private func sessionParameters(_ grant: SignIn, _ type: String) throws -> [(String, String)] {
        let now = now
        let lifetime = accessTokens.lifetime(Self.accessTokenLifetime, of: grant.account)
        return [
            ("access_token", try makeAccessToken(grant, at: now)),
            ("expires_at", String((now + lifetime).seconds)),
            ("expires_in", String(lifetime.components.seconds)),
            ("refresh_token", grant.refreshToken), ("sb", ""), ("token_type", "bearer"),
            ("type", type),
        ]
    }

    /// A PKCE client reads the query, other clients the fragment.
    private static func errorURL(_ url: String, isFlow: Bool) -> String {
        let failure = GoTrueFailure.linkExpired
        let items = [
            ("error", "access_denied"), ("error_code", failure.code),
            ("error_description", failure.message),
        ]
        return RedirectPolicy.urlWithFragment(
            isFlow ? RedirectPolicy.urlWithQuery(url, items) : url, items + [("sb", "")])
    }

    private static func redirectResponse(to url: String) -> Response {
        Response(status: 303, headers: ["Location": url, "Referrer-Policy": "no-referrer"])
    }

    // MARK: Pages for links whose sender named no redirect URL

    /// GET /site: shows what the link did. Without `done` it did nothing.
    func showSitePage(_ context: RequestContext) async throws -> Response {
        let link = context.target.queryValue("done").flatMap { SocotoLink(type: $0) }
        return SocotoPages.sitePage(link).response
    }

    /// GET /reset?token=…: shows the form for a new password. It does not use the link up.
    func showResetForm(_ context: RequestContext) async throws -> Response {
        let token = context.target.queryValue("token") ?? ""
        let state = try await resetLinkState(token)
        return state == .valid
            ? SocotoPages.newPasswordForm(token: token).response
            : SocotoPages.resetPage(state).response
    }

    /// POST /reset: sets the new password and ends every session.
    func reset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let token = form["token"] ?? ""
        let password = form["password"] ?? ""
        let state = try await resetLinkState(token)
        guard state == .valid else { return SocotoPages.resetPage(state).response }
        do { try PasswordPolicy.check(password) } catch {
            return SocotoPages.newPasswordForm(token: token, error: error.message).response
        }
        let hash = try await services.hasher.hash(password)
        let now = now
        let challenge = try await database.write { connection -> Challenge? in
            guard let challenge = try findChallenge(token: token, for: .reset, on: connection),
                case (let account, var user)? = try apply(challenge, on: connection, at: now)
            else { return nil }
            try connection.changePassword(
                hash: hash, of: account, &user, keepingSession: nil, at: now)
            try connection.save(user, of: account)
            return challenge
        }
        guard let challenge else { return SocotoPages.resetPage(.used).response }
        services.mailbox.publishUsed(of: challenge)
        return SocotoPages.resetPage(.completed).response
    }

    /// The state of a link for a new password.
    func resetLinkState(_ token: String) async throws -> LinkState {
        let now = now
        return try await database.read { connection in
            guard let challenge = try findChallenge(token: token, for: .reset, on: connection),
                let owner = challenge.accountID,
                let account = try connection.account(owner, in: realm),
                // A link mailed to a former address of the account does not work.
                account.email == challenge.email
            else { return .unknown }
            return LinkState(challenge, account, at: now)
        }
    }
}
