import Web

/// What the auth server says of itself.
extension SocotoContract {
    /// GET /health.
    @Sendable func health(_ visit: Visit) async throws -> Response {
        .auth([
            "version": "v2.178.0", "name": "GoTrue",
            "description":
                "GoTrue is a user registration and authentication API",
        ])
    }

    /// GET /settings: what a sign-in screen must know.
    @Sendable func settings(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        var external = Self.providers.map { JSON.Member($0, false) }
        external.insert(.init("anonymous_users", false), at: 0)
        external += [.init("email", true), .init("phone", false)]
        return .auth([
            "external": .object(external),
            "disable_signup": .bool(!isOn(Self.signups, realm)),
            "mailer_autoconfirm": .bool(!isOn(Self.confirmEmail, realm)),
            "phone_autoconfirm": false, "sms_provider": "",
            "saml_enabled": false,
        ])
    }

    /// GET /.well-known/jwks.json: what access tokens are checked with.
    @Sendable func jwks(_ visit: Visit) async throws -> Response {
        try tokens.keyring.jwks()
    }

    /// GET /authorize: signing in with somebody else's account.
    @Sendable func authorize(_ visit: Visit) async throws -> Response {
        let provider = visit.target.value("provider") ?? ""
        throw SocotoFailure.invalid(
            Self.providers.contains(provider)
                ? "Unsupported provider: provider is not enabled"
                : "Unsupported provider: Provider "
                    + "\(provider.prefix(40)) could not be found")
    }

    /// None of them is here; the real server lists them all the same.
    private static let providers = [
        "apple", "azure", "bitbucket", "discord", "facebook", "figma",
        "fly", "github", "gitlab", "google", "keycloak", "kakao", "linkedin",
        "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc",
        "workos", "twitch", "twitter", "zoom",
    ]
}
