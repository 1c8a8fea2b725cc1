import Backend
import Web

/// Endpoints that describe the auth server.
extension SocotoContract {
    /// GET /health.
    @Sendable func health(_ context: RequestContext) async throws -> Response {
        .authJSON([
            "version": "v2.178.0", "name": "GoTrue",
            "description": "GoTrue is a user registration and authentication API",
        ])
    }

    /// GET /settings: the settings a sign-in screen needs.
    @Sendable func settings(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        var external = Self.providers.map { JSON.Member($0, false) }
        external.insert(.init("anonymous_users", false), at: 0)
        external += [.init("email", true), .init("phone", false)]
        return .authJSON([
            "external": .object(external), "disable_signup": .bool(!isOn(Self.signups, realm)),
            "mailer_autoconfirm": .bool(!isOn(Self.confirmEmail, realm)),
            "phone_autoconfirm": false, "sms_provider": "", "saml_enabled": false,
        ])
    }

    /// GET /.well-known/jwks.json, with the `key_ops` that the real server adds to its keys.
    @Sendable func authJWKS(_ context: RequestContext) async throws -> Response {
        var response = try await jwks(context)
        guard case .bytes(let bytes) = response.body,
            case .array(let keys)? = try JSON(parsing: bytes)["keys"]
        else { return response }
        let extendedKeys = keys.map { key -> JSON in
            guard case .object(let members) = key else { return key }
            return .object(members + [.init("key_ops", ["verify"])])
        }
        response.body = .bytes(JSON.object([.init("keys", .array(extendedKeys))]).bytes)
        return response
    }

    /// GET /.well-known/openid-configuration.
    @Sendable func openIDConfiguration(_ context: RequestContext) async throws -> Response {
        let issuer = issuer(of: realm(context))
        var response = Response.authJSON([
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/oauth/authorize"),
            "token_endpoint": .string(issuer + "/oauth/token"),
            "userinfo_endpoint": .string(issuer + "/oauth/userinfo"),
            "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
        ])
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }

    /// GET /authorize: sign-in with an external provider.
    @Sendable func authorize(_ context: RequestContext) async throws -> Response {
        let provider = context.target.queryValue("provider") ?? ""
        throw SocotoAuthFailure.invalid(
            Self.providers.contains(provider)
                ? "Unsupported provider: provider is not enabled"
                : "Unsupported provider: Provider \(provider.prefix(40)) could not be found")
    }

    /// None of them is enabled. The real server knows them all as well.
    private static let providers = [
        "apple", "azure", "bitbucket", "discord", "facebook", "figma",
        "fly", "github", "gitlab", "google", "keycloak", "kakao", "linkedin",
        "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc",
        "workos", "twitch", "twitter", "zoom",
    ]
}
