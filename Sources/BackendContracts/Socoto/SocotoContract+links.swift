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
        let policy = redirectPolicy
        let redirectURL = policy.redirectURL(context)
        guard context.request.method != .head else { return Response(status: 200) }
        try checkRequestLimit(context, Self.verifyRequestLimit)
        let result: FollowedLink
        do {
            result = try await followLink(
                token, type, try VerificationType(type, isOfLink: true), redirectURL)
        } catch let failure as GoTrueFailure {
            let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
            result = FollowedLink(
                url: RedirectPolicy.urlWithResult(
                    redirectURL, failure.linkParameters, inQuery: isFlow), outcome: "")
        }
        var response = Self.redirect(to: result.url)
        if redirectURL == policy.siteURL {
            response.headers["Set-Cookie"] = siteCookie(result.outcome)
        }
        return response
    }

    /// What a followed link did.
    private struct FollowedLink: Sendable {
        /// Where it redirects to.
        let url: String
        /// What the contract's own page reports. Empty if it did nothing.
        let outcome: String
    }

    private func followLink(
        _ token: String, _ type: String, _ verification: VerificationType, _ url: String
    ) async throws -> FollowedLink {
        let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
        func firstConfirmation() -> FollowedLink {
            FollowedLink(
                url: RedirectPolicy.urlWithResult(
                    url, [("message", Self.firstConfirmationText)], inQuery: isFlow),
                outcome: "email_change_current")
        }
        guard !isFlow else {
            switch try await redeemLinkForCode(token, verification) {
            case .code(let code, let account):
                return FollowedLink(
                    url: RedirectPolicy.urlWithQuery(url, [("code", code)]),
                    outcome: try await outcome(of: type, account, url))
            case .firstConfirmation: return firstConfirmation()
            case nil: throw GoTrueFailure.linkExpired
            }
        }
        switch try await redeem(token, verification) {
        case .signedIn(let grant, let purpose):
            // The type that names two is resolved to the one that was meant.
            let isSignUp = [.verify, .invite].contains(purpose)
            let type = type != "email" ? type : isSignUp ? "signup" : "magiclink"
            return FollowedLink(
                url: RedirectPolicy.urlWithFragment(
                    url, try sessionParameters(grant) + [("type", type)]),
                outcome: try await outcome(of: type, grant.account, url))
        case .firstConfirmation: return firstConfirmation()
        case nil: throw GoTrueFailure.linkExpired
        }
    }

    /// The type, with a token for the form that the contract's own page has after a recovery.
    private func outcome(of type: String, _ account: Account, _ url: String) async throws -> String
    {
        guard type == SocotoLink.recovery.rawValue, url == redirectPolicy.siteURL,
            let email = account.email
        else { return type }
        let token = RandomTokens.uuid(services.world)
        try await write { connection, now in
            try connection.add(
                Challenge(
                    digest: Digest.sha256(token), accountID: account.id, realm: realm,
                    purpose: .reset, email: email, createdAt: now,
                    expiresAt: now + SocotoLink.lifetime))
        }
        return type + "." + token
    }

    /// Tells the contract's own page what a link did. The page works without scripts, and servers
    /// receive no fragment. The cookie also reaches it if a mail program opened the link.
    private func siteCookie(_ outcome: String) -> String {
        SetCookie(
            Self.siteCookieName, outcome, path: String(URLParts(baseURL).path),
            maxAge: outcome.isEmpty ? 0 : 600, isStrict: false
        ).headerValue
    }

    private static let siteCookieName = "socoto_link"

    /// A session as a redirect's fragment has it.
    func sessionParameters(_ grant: SignIn) throws -> [(String, String)] {
        let session = try sessionJSON(grant)
        let names = ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"]
        return names.map { ($0, session[$0]?.scalarText ?? "") } + [("sb", "")]
    }

    // MARK: Pages for links whose sender named no redirect URL

    /// GET /site: shows what the link did, and the form for a new password after a recovery.
    func showSitePage(_ context: RequestContext) async throws -> Response {
        if let page = Self.providerSitePage(context.target) { return page }
        let outcome = Cookies(context.request.headers)[Self.siteCookieName] ?? ""
        let parts = outcome.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] == SocotoLink.recovery.rawValue else {
            return sitePage(outcome)
        }
        let state = try await resetLinkState(parts[1])
        return state == .valid
            ? newPasswordForm(token: parts[1]) : pages.passwordReset(state).response
    }

    /// POST /reset: sets the new password and ends every session.
    func reset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let token = form["token"] ?? ""
        let password = form["password"] ?? ""
        let state = try await resetLinkState(token)
        guard state == .valid else { return pages.passwordReset(state).response }
        do { try passwordPolicy.check(password) } catch {
            return newPasswordForm(token: token, error: error.message)
        }
        let hash = try await services.hasher.hash(password)
        let challenge = try await write { connection, now -> Challenge? in
            guard let challenge = try findChallenge(token: token, for: [.reset], on: connection),
                case .account(let account, var user)? = try apply(
                    challenge, on: connection, at: now)
            else { return nil }
            try connection.changePassword(
                hash: hash, of: account, &user, keepingSession: nil, at: now)
            try connection.save(user, of: account)
            return challenge
        }
        guard let challenge else { return pages.passwordReset(.used).response }
        services.mailbox.publishUsed(of: challenge)
        return pages.passwordReset(.completed).response
    }

    /// The state of a link for a new password.
    func resetLinkState(_ token: String) async throws -> LinkState {
        return try await read { connection, now in
            guard let challenge = try findChallenge(token: token, for: [.reset], on: connection),
                let owner = challenge.accountID,
                let account = try connection.account(owner, in: realm),
                // A link mailed to a former address of the account does not work.
                account.email == challenge.email
            else { return .unknown }
            return challenge.state(for: account, at: now)
        }
    }

    /// The page a followed link leads to.
    private func sitePage(_ outcome: String) -> Response {
        let (tone, heading, paragraphs): (EmailActionPage.Tone, String, [String]) =
            switch outcome {
            case "signup", "email", "invite":
                (
                    .good, "Email confirmed",
                    ["Thank you. You can go back to the app and sign in now."]
                )
            case "email_change":
                (.good, "Email changed", ["From now on you sign in with your new address."])
            case "email_change_current":
                (
                    .good, "One more confirmation",
                    ["Now follow the link that was sent to your other address."]
                )
            case "magiclink": (.good, "You are signed in", ["Go back to the app."])
            default:
                (
                    .bad, "This link does not work",
                    [
                        "It was used before, has expired, or a newer mail took its place.",
                        "If your email is confirmed already, go back to the app "
                            + "and sign in. If not, ask the app for a new mail.",
                    ]
                )
            }
        return pages.page(tone, heading, paragraphs).response
    }

    /// The form for a new password, with the `token` of the link.
    private func newPasswordForm(token: String, error: String? = nil) -> Response {
        pages.newPasswordForm(hiddenFields: [("token", token)], error: error).response
    }

    private static let retryText = "For a new one, open the app and choose Forgot Password?"

    private var pages: LinkPages {
        LinkPages(
            appName: "Socoto", resetRetryText: Self.retryText,
            passwordRule: "At least \(passwordPolicy.minLength) characters.", signIn: "sign in",
            usedText: "It works once.",
            replacedTexts: [
                "A newer mail was sent, or your password was changed since.", Self.retryText,
            ], expiryText: "Links work for one hour.")
    }
}
