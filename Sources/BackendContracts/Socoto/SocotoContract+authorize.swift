import Backend
import Core
import Crypto
import SQLite
import Web

/// Sign-in at a provider: the switches, the provider's own pages, and the way to them.
extension SocotoContract {
    static let manualLinking = FeatureSwitch(
        name: "manualLinking", text: "Users can link and unlink identities", isOnByDefault: true)
    static let acceptsProvidersWithoutEmail = FeatureSwitch(
        name: "emailOptional", text: "Sign-in with a provider needs no email",
        isOnByDefault: false)
    static let providerSwitches =
        SignInProvider.allCases.map(featureSwitch) + [manualLinking, acceptsProvidersWithoutEmail]

    private static func featureSwitch(of provider: SignInProvider) -> FeatureSwitch {
        FeatureSwitch(
            name: provider.rawValue + "Provider",
            text: "Sign-in with \(provider.name) is enabled; Foyer plays the provider",
            isOnByDefault: true)
    }

    /// The members of `external` in the settings, which lack two providers.
    var providerSettings: [JSON.Member] {
        Self.knownProviders.filter { !["vercel_marketplace", "x"].contains($0) }.map { name in
            let provider = SignInProvider(rawValue: name)
            return .init(name, .bool(provider.map(isEnabled) ?? false))
        }
    }

    func isEnabled(_ provider: SignInProvider) -> Bool { isOn(Self.featureSwitch(of: provider)) }

    var providerRoutes: [Route] {
        let folder = "/provider/{provider}"
        return [
            // Opened by browsers, so these routes need no API key.
            route(.get, "/auth/v1/authorize", Self.authorize, [.featureEnabled, .fields]),
            route(.get, "/auth/v1/callback", Self.providerCallback, [.fields] + .code),
            route(.post, "/auth/v1/callback", Self.providerCallback, [.fields] + .code),
            route(.get, folder + "/authorize", Self.provider { $0.authorize }),
            route(.post, folder + "/authorize", Self.provider { $0.authorize }),
            route(.post, folder + "/token", Self.provider { $0.token }),
            route(.get, folder + "/userinfo", Self.provider { $0.userInfo }),
            route(.get, folder + "/jwks.json", Self.provider { $0.keys }),
            route(
                .get, folder + "/.well-known/openid-configuration",
                Self.provider { $0.configuration }),
            route(.get, folder + "/page.css", Self.provider { $0.styleSheet }),
            route(.get, folder + "/picture/{name}", Self.provider { $0.picture }),
            authRoute(
                .get, "/user/identities/authorize", Self.linkIdentity,
                Self.bearerChecks + [.featureEnabled, .fields]),
            authRoute(
                .delete, "/user/identities/{identity}", Self.unlinkIdentity,
                Self.bearerChecks + [.featureEnabled, .state]),
        ]
    }

    typealias ProviderHandler =
        @Sendable (ProviderServer<Self>) -> @Sendable (RequestContext) async throws -> Response

    /// A handler of the provider that the path names.
    private static func provider(_ handler: @escaping ProviderHandler) -> Handler {
        { contract in
            { context in
                let name = context.parameters["provider"] ?? ""
                guard let provider = SignInProvider(rawValue: name), contract.isEnabled(provider)
                else { throw GatewayFailure.noRoute }
                return try await handler(contract.server(of: provider))(context)
            }
        }
    }

    func server(of provider: SignInProvider) -> ProviderServer<Self> {
        let policy = redirectPolicy
        let callbackURL = callbackURL
        return ProviderServer(contract: self, provider: provider) { url in
            url == callbackURL || policy.allows(url)
        }
    }

    /// Where a provider redirects to.
    var callbackURL: String { issuer + "/callback" }

    /// GET /authorize: redirects to the provider's page.
    func authorize(_ context: RequestContext) async throws -> Response {
        Response(
            status: 302, headers: ["Location": try await providerURL(context, linkingTo: nil)])
    }

    /// GET /user/identities/authorize: the same for a signed-in user who adds an identity.
    func linkIdentity(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context).account
        guard isOn(Self.manualLinking) else { throw GoTrueFailure.manualLinkingDisabled }
        let url = try await providerURL(context, linkingTo: account)
        guard context.target.queryValue("skip_http_redirect") == "true" else {
            return Response(status: 302, headers: ["Location": url])
        }
        return .plainJSON(["url": .string(url)])
    }

    /// The address of the provider's page with a new state, which works once and expires.
    private func providerURL(_ context: RequestContext, linkingTo account: Account?) async throws
        -> String
    {
        let target = context.target
        let provider = try enabledProvider(target.queryValue("provider") ?? "")
        let flow = ProviderFlow(
            provider: provider, redirectURL: redirectPolicy.redirectURL(context),
            challenge: try PKCEChallenge(
                target.queryValue("code_challenge") ?? "",
                target.queryValue("code_challenge_method") ?? ""),
            isLinking: account != nil)
        let state = RandomTokens.uuid(services.world)
        try await write { connection, now in
            try connection.addCode(
                Challenge(
                    digest: Digest.sha256(state), accountID: account?.id, realm: realm,
                    purpose: .provider, email: provider.rawValue, createdAt: now,
                    expiresAt: now + Self.pkceFlowLifetime, contractData: flow.jsonText))
        }
        let scopes =
            provider.defaultScopes
            + (target.queryValue("scopes") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        var items = [
            ("client_id", "foyer-\(provider.rawValue)"), ("redirect_uri", callbackURL),
            ("response_type", "code"), ("scope", scopes.joined(separator: " ")), ("state", state),
        ]
        if provider == .apple { items.append(("response_mode", "form_post")) }
        // Whatever else the client sends is for the provider.
        items += target.query.filter { !Self.reservedParameters.contains($0.name.lowercased()) }
            .map { ($0.name, $0.value) }
        return server(of: provider).baseURL + "/authorize?" + Form.encode(items)
    }

    private static let reservedParameters: Set = [
        "provider", "scopes", "apikey", "client_id", "client_secret", "redirect_uri",
        "response_type", "response_mode", "state", "code_challenge", "code_challenge_method",
        "code_verifier",
    ]

    private func enabledProvider(_ name: String) throws(GoTrueFailure) -> SignInProvider {
        let name = name.lowercased()
        if let provider = SignInProvider(rawValue: name), isEnabled(provider) { return provider }
        throw .invalid(
            Self.knownProviders.contains(name)
                ? "Unsupported provider: provider is not enabled"
                : "Unsupported provider: Provider \(name.prefix(40)) could not be found")
    }

    /// Those that the real server knows.
    static let knownProviders = [
        "apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab",
        "google", "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "snapchat",
        "spotify", "slack", "slack_oidc", "workos", "twitch", "twitter", "x",
        "vercel_marketplace", "zoom",
    ]
}

extension SignInProvider {
    /// What the auth server asks for.
    fileprivate var defaultScopes: [String] {
        switch self {
        case .google: ["email", "profile"]
        case .apple: ["email", "name"]
        case .github: ["user:email"]
        case .facebook: ["email"]
        }
    }
}

/// A sign-in at a provider until the browser returns, as stored with the digest of its state.
struct ProviderFlow: Sendable {
    let provider: SignInProvider
    /// Where the app awaits the result.
    let redirectURL: String
    let challenge: PKCEChallenge?
    /// Whether the identity is added to the account that began the flow.
    let isLinking: Bool
    /// The provider's tokens, sealed, once the browser has returned to a PKCE flow.
    var sealedTokens: String?

    var jsonText: String {
        let json: JSON = [
            "kind": "flow", "provider": .string(provider.rawValue),
            "redirect": .string(redirectURL), "challenge": JSON(challenge?.value),
            "method": JSON(challenge?.method.rawValue), "links": .bool(isLinking),
            "tokens": JSON(sealedTokens),
        ]
        return json.description
    }
}

extension ProviderFlow {
    /// Nil for another kind of challenge.
    init?(_ challenge: Challenge) {
        guard let json = try? JSON(parsing: challenge.contractData ?? ""),
            json["kind"] == "flow",
            let provider = json["provider"]?.string.flatMap(SignInProvider.init(rawValue:)),
            let redirectURL = json["redirect"]?.string
        else { return nil }
        self.init(
            provider: provider, redirectURL: redirectURL,
            challenge: try? PKCEChallenge(
                json["challenge"]?.string ?? "", json["method"]?.string ?? ""),
            isLinking: json["links"] == true, sealedTokens: json["tokens"]?.string)
    }
}
