import Backend
import Core
import Crypto
import SQLite
import Web

/// The OAuth 2.0 and OpenID Connect server of an embedded provider (RFC 6749, OpenID Connect Core).
///
/// Its clients are the contract, for sign-ins in a browser, and apps that get an ID token
/// themselves. Any client id is accepted; the secret is not checked.
struct ProviderServer<Owner: Contract>: Sendable {
    let contract: Owner
    let provider: SignInProvider
    /// Whether a browser may be redirected to a URL with a code.
    let allowsRedirect: @Sendable (String) -> Bool

    /// How long a code and a token work.
    static var codeLifetime: Duration { .seconds(300) }
    static var tokenLifetime: Duration { .seconds(3_600) }

    var baseURL: String { "\(contract.baseURL)/provider/\(provider.rawValue)" }

    /// GET authorize: the consent page. POST: its form, answered with a redirect to the client.
    func authorize(_ context: RequestContext) async throws -> Response {
        let request: AuthorizationRequest
        do { request = try AuthorizationRequest(context.target) } catch {
            return ConsentPage.failure(provider.brand, error.reason)
        }
        guard allowsRedirect(request.redirectURL) else {
            return ConsentPage.failure(
                provider.brand, "redirect_uri must be on this machine or have an app's own scheme.")
        }
        var page = ConsentPage(
            brand: provider.brand, appName: contract.consentAppName,
            people: try await contract.knownPeople(at: provider.rawValue), scopes: request.scopes)
        guard context.request.method == .post else { return page.response }
        guard let form = ConsentForm(try Form(context.request)) else { return page.response }
        guard form.decision == .allow else {
            return respond(
                to: request,
                [
                    (
                        "error",
                        form.decision == .cancel && provider == .apple
                            ? "user_cancelled_authorize" : "access_denied"
                    ),
                    (
                        "error_description",
                        form.decision == .cancel
                            ? "The user cancelled the sign-in" : "The user denied access"
                    ),
                ])
        }
        let person: ProviderPerson
        do { person = try form.person() } catch {
            page.rejected = (form, error.reason)
            return page.response
        }
        let code = RandomTokens.secret(contract.services.world)
        let grant = ProviderGrant(
            kind: .code, provider: provider, clientID: request.clientID,
            redirectURL: request.redirectURL, nonce: request.nonce, person: person)
        try await contract.write { connection, now in
            try connection.add(
                grant, secret: code, lifetime: Self.codeLifetime, in: contract.realm, at: now)
        }
        var items = [("code", code)]
        if provider == .apple, request.usesFormPost, !person.name.isEmpty {
            items.append(("user", Self.appleUser(person).description))
        }
        return respond(to: request, items)
    }

    /// What Apple posts about the user besides the code.
    private static func appleUser(_ person: ProviderPerson) -> JSON {
        let words = person.name.split(separator: " ", maxSplits: 1)
        return .omittingNil([
            "name": [
                "firstName": .string(words.first.map(String.init) ?? ""),
                "lastName": .string(words.count > 1 ? String(words[1]) : ""),
            ], "email": person.email.map(JSON.string),
        ])
    }

    private func respond(to request: AuthorizationRequest, _ items: [(String, String)]) -> Response
    {
        let items = items + (request.state.map { [("state", $0)] } ?? [])
        guard request.usesFormPost else {
            let url = request.redirectURL.prefix { $0 != "#" }
            return Response(
                status: 303,
                headers: [
                    "Location": url + (url.contains("?") ? "&" : "?") + Form.encode(items),
                    "Referrer-Policy": "no-referrer",
                ])
        }
        return formPost(to: request.redirectURL, items)
    }

    /// A page that posts itself to the client (OAuth 2.0 Form Post Response Mode). Without scripts
    /// the user presses its button.
    private func formPost(to url: String, _ items: [(String, String)]) -> Response {
        let script = "document.forms[0].submit()"
        let fields = items.map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(HTML.escape(value))\">"
        }
        return ConsentPage.response(
            ConsentPage.document(
                provider.brand, title: "Back to \(contract.consentAppName)",
                """
                <h1>Back to \(HTML.escape(contract.consentAppName))</h1>
                <form method="post" action="\(HTML.escape(url))">
                \(fields.joined(separator: "\n"))
                <button data-testid="provider.continue">Continue</button>
                </form>
                <script>\(script)</script>
                """), script: script)
    }

    /// POST token: exchanges a code for tokens.
    func token(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        guard form["grant_type"] == "authorization_code" else {
            return Self.failure("unsupported_grant_type", "Only authorization_code is supported")
        }
        let code = form["code"] ?? ""
        let redirectURL = form["redirect_uri"] ?? ""
        let exchange = try await contract.write { connection, now -> ProviderExchange? in
            try self.exchange(code, redirectURL: redirectURL, on: connection, at: now)
        }
        guard let exchange else {
            return Self.failure("invalid_grant", "The code is unknown, used or expired")
        }
        return .plainJSON([
            "access_token": .string(exchange.accessToken),
            "refresh_token": .string(exchange.refreshToken), "token_type": "Bearer",
            "expires_in": .int(Self.tokenLifetime.components.seconds),
            "id_token": .string(exchange.idToken),
        ])
    }

    private static func failure(_ code: String, _ text: String, status: Int = 400) -> Response {
        .plainJSON(["error": .string(code), "error_description": .string(text)], status: status)
    }

    /// Exchanges a code inside a write. Nil if it does not work.
    func exchange(
        _ code: String, redirectURL: String, on connection: Connection, at now: Timestamp
    ) throws -> ProviderExchange? {
        guard
            let (challenge, grant) = try connection.providerGrant(
                .code, secret: code, in: contract.realm, at: now),
            grant.provider == provider, grant.redirectURL == redirectURL
        else { return nil }
        try connection.markUsed(challenge, at: now)
        let world = contract.services.world
        let accessToken = provider.tokenPrefix + RandomTokens.secret(world)
        var tokenGrant = grant
        tokenGrant.kind = .token
        try connection.add(
            tokenGrant, secret: accessToken, lifetime: Self.tokenLifetime, in: contract.realm,
            at: now)
        return ProviderExchange(
            accessToken: accessToken, refreshToken: "1//" + RandomTokens.secret(world),
            idToken: try idToken(grant, at: now), claims: claims(of: grant.person))
    }

    private func claims(of person: ProviderPerson) -> [JSON.Member] {
        person.claims(
            at: provider, pictureURL: "\(baseURL)/picture/\(person.pictureName)")
    }

    private func idToken(_ grant: ProviderGrant, at now: Timestamp) throws -> String {
        var claims: [JSON.Member] = [
            .init("iss", .string(provider.issuer)), .init("aud", .string(grant.clientID)),
            .init("iat", .int(now.seconds)),
            .init("exp", .int((now + Self.tokenLifetime).seconds)),
        ]
        claims += self.claims(of: grant.person)
        if let nonce = grant.nonce { claims.append(.init("nonce", .string(nonce))) }
        if provider == .apple { claims.append(.init("auth_time", .int(now.seconds))) }
        return try contract.accessTokens.keyring.key(.provider).sign(
            claims: JSON.object(claims).description)
    }

    /// GET userinfo: the claims of the bearer token's person.
    func userInfo(_ context: RequestContext) async throws -> Response {
        let token = Bearer(context.request).token ?? ""
        let found = try await contract.read { connection, now in
            try connection.providerGrant(.token, secret: token, in: contract.realm, at: now)
        }
        guard let grant = found?.grant, grant.provider == provider else {
            return Self.failure("invalid_token", "The token is unknown or expired", status: 401)
        }
        return .plainJSON(.object(claims(of: grant.person)))
    }

    /// GET jwks.json: the key of ID tokens.
    func keys(_ context: RequestContext) async throws -> Response {
        let keySet = try KeySet([contract.accessTokens.keyring.key(.provider)])
        return Response(
            status: 200,
            headers: [
                "Content-Type": "application/json; charset=utf-8",
                "Cache-Control": "public, max-age=600",
            ], body: .bytes(Array(try keySet.jwks().utf8)))
    }

    /// GET .well-known/openid-configuration.
    func configuration(_ context: RequestContext) async throws -> Response {
        .plainJSON([
            "issuer": .string(provider.issuer),
            "authorization_endpoint": .string(baseURL + "/authorize"),
            "token_endpoint": .string(baseURL + "/token"),
            "userinfo_endpoint": .string(baseURL + "/userinfo"),
            "jwks_uri": .string(baseURL + "/jwks.json"),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "scopes_supported": ["openid", "email", "profile"],
        ])
    }

    /// GET page.css.
    func styleSheet(_ context: RequestContext) async throws -> Response { ConsentPage.styleSheet }

    /// GET picture/{name}.
    func picture(_ context: RequestContext) async throws -> Response {
        provider.brand.picture(context.parameters["name"] ?? "")
    }
}

/// The result of exchanging a code.
struct ProviderExchange: Sendable {
    let accessToken: String
    let refreshToken: String
    let idToken: String
    let claims: [JSON.Member]
}

/// The query of an authorization request (RFC 6749, section 4.1.1).
private struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURL: String
    let state: String?
    let nonce: String?
    let scopes: [String]
    let usesFormPost: Bool

    /// Why a request is invalid, as display text.
    struct Failure: Error { let reason: String }

    init(_ target: RequestTarget) throws(Failure) {
        let values = target.query.firstValues
        guard let clientID = values["client_id"], !clientID.isEmpty else {
            throw Failure(reason: "client_id is missing.")
        }
        guard let redirectURL = values["redirect_uri"], !redirectURL.isEmpty else {
            throw Failure(reason: "redirect_uri is missing.")
        }
        guard values["response_type"] == "code" else {
            throw Failure(reason: "response_type must be code.")
        }
        self.clientID = clientID
        self.redirectURL = redirectURL
        state = values["state"]
        nonce = values["nonce"]
        scopes = (values["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        usesFormPost = values["response_mode"] == "form_post"
    }
}
