import Backend
import Core
import Crypto
import SQLite
import Web

/// The return from a provider.
extension SocotoContract {
    /// GET and POST /callback: exchanges the provider's code and redirects to the app, with a
    /// session in the fragment, or with a code if the app has a PKCE verifier.
    ///
    /// A HEAD request, which link scanners send, uses nothing up.
    func providerCallback(_ context: RequestContext) async throws -> Response {
        guard context.request.method != .head else { return Response(status: 200) }
        let values =
            context.request.method == .post
            ? try Form(context.request).firstValues
            : context.target.query.firstValues
        let flow: ProviderFlow
        let state: String
        do {
            state = try Self.parseState(values["state"])
            flow = try await read { connection, now in
                try providerFlow(state: state, on: connection, at: now).flow
            }
        } catch let failure as GoTrueFailure {
            // Without a state only the site is known.
            return Self.redirect(
                to: RedirectPolicy.urlWithQuery(
                    redirectPolicy.siteURL, failure.redirectParameters))
        }
        do {
            if let error = values["error"], !error.isEmpty {
                return Self.redirect(
                    to: RedirectPolicy.urlWithResult(
                        flow.redirectURL,
                        [
                            ("error", error),
                            ("error_description", values["error_description"] ?? ""),
                        ], inQuery: true), status: 302)
            }
            guard let code = values["code"], !code.isEmpty else {
                throw GoTrueFailure.missingProviderCode
            }
            let appleUser = values["user"].flatMap { try? JSON(parsing: $0) }
            return Self.redirect(
                to: try await finish(state, code: code, appleUser: appleUser, context), status: 302
            )
        } catch let failure as GoTrueFailure {
            return Self.redirect(
                to: RedirectPolicy.urlWithResult(
                    flow.redirectURL, failure.redirectParameters, inQuery: true), status: 302)
        }
    }

    private static func parseState(_ text: String?) throws(GoTrueFailure) -> String {
        guard let text, !text.isEmpty else { throw .missingState }
        guard let state = RandomTokens.uuid(parsing: text) else { throw .malformedState }
        return state
    }

    /// The flow that a state began, if it still awaits its return.
    private func providerFlow(state: String, on connection: Connection, at now: Timestamp) throws
        -> (flow: ProviderFlow, challenge: Challenge)
    {
        let found = try connection.challenge(Digest.sha256(state), for: .provider, in: realm)
        guard let challenge = found, let flow = ProviderFlow(challenge) else {
            throw GoTrueFailure.unknownState
        }
        switch challenge.state(at: now) {
        case .valid: return (flow, challenge)
        case .expired: throw GoTrueFailure.expiredState
        default:
            throw flow.challenge == nil ? GoTrueFailure.unknownState : GoTrueFailure.usedState
        }
    }

    /// What the provider's answer led to, inside the write.
    private enum FlowResult: Sendable {
        case session(SignIn, ProviderExchange)
        case code(String)
        /// Committed, with the mail that was sent and its sequence.
        case failure(GoTrueFailure, OutgoingMail?, Int64?)
    }

    /// The URL that the app gets the result at. Exchanges the code, finds or creates the account
    /// and uses the state up in one write.
    private func finish(
        _ state: String, code: String, appleUser: JSON?, _ context: RequestContext
    ) async throws -> String {
        let pkceCode = RandomTokens.uuid(services.world)
        let (result, redirectURL) = try await write {
            connection, now -> (FlowResult, String) in
            let (flow, challenge) = try providerFlow(state: state, on: connection, at: now)
            let server = server(of: flow.provider)
            guard
                let exchange = try server.exchange(
                    code, redirectURL: callbackURL, on: connection, at: now)
            else { throw GoTrueFailure.providerCodeRejected(code) }
            let person = ProviderUser(exchange.claims, flow.provider, appleUser: appleUser, at: now)
            try checkEmail(of: person)
            let account: Account
            let user: SocotoUser
            switch try signInResult(
                of: person, linkingTo: flow.isLinking ? challenge.accountID ?? "" : nil, context,
                on: connection, at: now)
            {
            case .account(let found, let foundUser): (account, user) = (found, foundUser)
            case .unverified(let failure, let mail, let sequence):
                try connection.markUsed(challenge, at: now)
                return (.failure(failure, mail, sequence), flow.redirectURL)
            }
            guard let verifier = flow.challenge else {
                try connection.markUsed(challenge, at: now)
                let grant = try signIn(account, user, by: .oauth, on: connection, at: now)
                return (.session(grant, exchange), flow.redirectURL)
            }
            try connection.save(user, of: account)
            var finished = flow
            finished.sealedTokens = try services.seal(exchange.tokens.description)
            var used = challenge
            used.contractData = finished.jsonText
            try connection.addCode(used)
            try connection.markUsed(used, at: now)
            try connection.addPKCEFlow(
                link: challenge.digest, account: account.id, codeChallenge: verifier.value,
                method: verifier.method.rawValue)
            if let flow = try connection.pkceFlow(link: challenge.digest) {
                try connection.recordLinkFollowed(flow, code: Digest.sha256(pkceCode), at: now)
            }
            return (.code(pkceCode), flow.redirectURL)
        }
        // The contract's own page works without scripts, so it gets the result in its query.
        let url =
            redirectURL == redirectPolicy.siteURL
            ? RedirectPolicy.urlWithQuery(redirectURL, [("done", "provider")]) : redirectURL
        switch result {
        case .failure(let failure, let mail, let sequence):
            if let mail { try await announce(mail, at: sequence) }
            throw failure
        case .code(let code): return RedirectPolicy.urlWithQuery(url, [("code", code)])
        case .session(let grant, let exchange):
            return RedirectPolicy.urlWithFragment(
                url,
                try sessionParameters(grant) + [
                    ("provider_token", exchange.accessToken),
                    ("provider_refresh_token", exchange.refreshToken),
                ])
        }
    }

    /// The page behind a sign-in at a provider for which the app named no redirect URL. Nil for
    /// the result of a mailed link.
    static func providerSitePage(_ target: RequestTarget) -> Response? {
        if target.queryValue("done") == "provider" {
            return page(.good, "You are signed in", ["Go back to the app."])
        }
        guard let reason = target.queryValue("error_description"),
            target.queryValue("error") != nil,
            target.queryValue("error_code") != GoTrueFailure.linkExpired.code
        else { return nil }
        return page(.bad, "Sign-in did not work", [String(reason.prefix(300))])
    }

    private static func page(_ tone: EmailActionPage.Tone, _ heading: String, _ texts: [String])
        -> Response
    {
        EmailActionPage(appName: "Socoto", tone: tone, heading: heading, paragraphs: texts).response
    }

    /// The members that a PKCE exchange adds to the session: the provider's tokens.
    func providerTokens(ofFlow digest: String, on connection: Connection) throws -> [JSON.Member] {
        guard let challenge = try connection.challenge(digest, for: .provider, in: realm),
            let sealed = ProviderFlow(challenge)?.sealedTokens,
            case .object(let members) = try JSON(parsing: try services.open(sealed))
        else { return [] }
        return members
    }
}

extension ProviderExchange {
    /// The tokens as members of a session.
    var tokens: JSON {
        [
            "provider_token": .string(accessToken),
            "provider_refresh_token": .string(refreshToken),
        ]
    }
}
