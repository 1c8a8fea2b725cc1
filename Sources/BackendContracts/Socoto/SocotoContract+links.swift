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
        let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
        if type == SocotoLink.recovery.rawValue, redirectURL == policy.siteURL {
            // Without an app to redirect to, the contract's own page requests the new password.
            guard try await resetLinkState(token) == .valid else {
                return Self.redirect(
                    to: Self.errorURL(.linkExpired, redirectURL, isFlow: isFlow))
            }
            return Self.redirect(
                to: RedirectPolicy.urlWithQuery(baseURL + "/reset", [("token", token)]))
        }
        do {
            let verification = try VerificationType(type, isOfLink: true)
            return Self.redirect(
                to: try await followLink(token, type, verification, redirectURL, policy))
        } catch let failure as GoTrueFailure {
            return Self.redirect(to: Self.errorURL(failure, redirectURL, isFlow: isFlow))
        }
    }

    /// The URL that a followed link redirects to.
    private func followLink(
        _ token: String, _ type: String, _ verification: VerificationType, _ url: String,
        _ policy: RedirectPolicy
    ) async throws -> String {
        let isFlow = token.hasPrefix(Self.pkceTokenPrefix)
        func firstConfirmationURL() -> String {
            let items = [("message", Self.firstConfirmationText)]
            let url = successURL(url, "email_change_current", policy)
            return RedirectPolicy.urlWithFragment(
                isFlow ? RedirectPolicy.urlWithQuery(url, items) : url, items + [("sb", "")])
        }
        guard !isFlow else {
            switch try await redeemLinkForCode(token, verification) {
            case .code(let code):
                return RedirectPolicy.urlWithQuery(successURL(url, type, policy), [("code", code)])
            case .firstConfirmation: return firstConfirmationURL()
            case nil: throw GoTrueFailure.linkExpired
            }
        }
        switch try await redeem(token, verification) {
        case .signedIn(let grant):
            return RedirectPolicy.urlWithFragment(
                successURL(url, type, policy), try sessionParameters(grant) + [("type", type)])
        case .firstConfirmation: return firstConfirmationURL()
        case nil: throw GoTrueFailure.linkExpired
        }
    }

    /// The contract's own page works without scripts, so it gets the result in its query instead of
    /// the fragment.
    private func successURL(_ url: String, _ result: String, _ policy: RedirectPolicy) -> String {
        url == policy.siteURL ? RedirectPolicy.urlWithQuery(url, [("done", result)]) : url
    }

    /// A session as a redirect's fragment has it.
    func sessionParameters(_ grant: SignIn) throws -> [(String, String)] {
        let session = try sessionJSON(grant)
        let names = ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"]
        return names.map { ($0, session[$0]?.scalarText ?? "") } + [("sb", "")]
    }

    /// A PKCE client reads the query, other clients the fragment.
    private static func errorURL(_ failure: GoTrueFailure, _ url: String, isFlow: Bool) -> String {
        let items = failure.linkParameters
        return RedirectPolicy.urlWithFragment(
            isFlow ? RedirectPolicy.urlWithQuery(url, items) : url, items + [("sb", "")])
    }

    static func redirect(to url: String, status: Int = 303) -> Response {
        Response(status: status, headers: ["Location": url, "Referrer-Policy": "no-referrer"])
    }

    // MARK: Pages for links whose sender named no redirect URL

    /// GET /site: shows what the link did. Without `done` it did nothing.
    func showSitePage(_ context: RequestContext) async throws -> Response {
        if let page = Self.providerSitePage(context.target) { return page }
        return Self.sitePage(context.target.queryValue("done"))
    }

    /// GET /reset?token=…: shows the form for a new password. It does not use the link up.
    func showResetForm(_ context: RequestContext) async throws -> Response {
        let token = context.target.queryValue("token") ?? ""
        let state = try await resetLinkState(token)
        return state == .valid
            ? Self.newPasswordForm(token: token) : Self.pages.passwordReset(state).response
    }

    /// POST /reset: sets the new password and ends every session.
    func reset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let token = form["token"] ?? ""
        let password = form["password"] ?? ""
        let state = try await resetLinkState(token)
        guard state == .valid else { return Self.pages.passwordReset(state).response }
        do { try PasswordPolicy.check(password) } catch {
            return Self.newPasswordForm(token: token, error: error.message)
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
        guard let challenge else { return Self.pages.passwordReset(.used).response }
        services.mailbox.publishUsed(of: challenge)
        return Self.pages.passwordReset(.completed).response
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

    /// The page a followed link leads to. `result` is nil if it did nothing.
    private static func sitePage(_ result: String?) -> Response {
        let (tone, heading, paragraphs): (EmailActionPage.Tone, String, [String]) =
            switch result {
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
            case "recovery":
                (.good, "You are signed in", ["Go back to the app to choose a new password."])
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
    private static func newPasswordForm(token: String, error: String? = nil) -> Response {
        pages.newPasswordForm(hiddenFields: [("token", token)], error: error).response
    }

    private static let retryText = "For a new one, open the app and choose Forgot Password?"

    private static let pages = LinkPages(
        appName: "Socoto", resetRetryText: retryText,
        passwordRule: "At least \(PasswordPolicy.minLength) characters.", signIn: "sign in",
        usedText: "It works once.",
        replacedTexts: ["A newer mail was sent, or your password was changed since.", retryText],
        expiryText: "Links work for one hour.")
}
