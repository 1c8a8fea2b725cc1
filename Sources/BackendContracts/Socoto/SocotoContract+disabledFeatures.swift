import Backend
import Web

/// Endpoints of features that are turned off, as in a project without them: the responses name the
/// feature.
extension SocotoContract {
    var disabledFeatureRoutes: [Route] {
        Self.disabledFeatures.flatMap { endpoints, failure in
            endpoints.map { method, path in disabledRoute(method, path, failure) }
        }
    }

    static var endpointNotes: [ContractEndpoint] {
        disabledFeatures.flatMap { endpoints, failure in
            endpoints.map { method, path in
                ContractEndpoint(
                    method, "/auth/v1" + path, .missing,
                    note: "Responds with \(failure.row.status) \(failure.code).")
            }
        } + [
            ContractEndpoint(
                .post, functionPath, .partial,
                note: "\(deletingFunction) deletes the signed-in user; others are 404 PGRST202."),
            ContractEndpoint(
                .post, "/auth/v1/factors", .partial,
                note: "TOTP and phone; WebAuthn responds with 422 mfa_webauthn_enroll_not_enabled."
            ),
        ]
    }

    /// The endpoints of each feature that is turned off, and their response.
    private static var disabledFeatures: [([(Method, String)], GoTrueFailure)] {
        let oauth: [(Method, String)] = [
            (.get, "/admin/oauth/clients"), (.post, "/admin/oauth/clients"),
            (.get, "/admin/oauth/clients/{client}"), (.put, "/admin/oauth/clients/{client}"),
            (.delete, "/admin/oauth/clients/{client}"),
            (.post, "/admin/oauth/clients/{client}/regenerate_secret"),
            (.post, "/oauth/clients/register"), (.post, "/oauth/token"), (.get, "/oauth/userinfo"),
            (.get, "/oauth/authorize"), (.get, "/oauth/authorizations/{authorization}"),
            (.post, "/oauth/authorizations/{authorization}/consent"),
            (.get, "/user/oauth/grants"), (.delete, "/user/oauth/grants"),
            (.get, "/.well-known/oauth-authorization-server"),
        ]
        let passkeys: [(Method, String)] = [
            (.post, "/passkeys/authentication/options"), (.post, "/passkeys/authentication/verify"),
            (.post, "/passkeys/registration/options"), (.post, "/passkeys/registration/verify"),
            (.get, "/passkeys"), (.patch, "/passkeys/{passkey}"), (.delete, "/passkeys/{passkey}"),
            (.get, "/admin/users/{user}/passkeys"),
            (.delete, "/admin/users/{user}/passkeys/{passkey}"),
        ]
        let providers: [(Method, String)] = [
            (.get, "/admin/custom-providers"), (.post, "/admin/custom-providers"),
            (.get, "/admin/custom-providers/{provider}"),
            (.put, "/admin/custom-providers/{provider}"),
            (.delete, "/admin/custom-providers/{provider}"),
        ]
        let saml: [(Method, String)] = [
            (.post, "/sso"), (.get, "/sso/saml/metadata"), (.post, "/sso/saml/acs"),
            (.post, "/admin/sso/providers"), (.get, "/admin/sso/providers/{provider}"),
            (.put, "/admin/sso/providers/{provider}"),
            (.delete, "/admin/sso/providers/{provider}"),
        ]
        return [
            (oauth, .oauthServerDisabled), (passkeys, .passkeysDisabled),
            (providers, .customProvidersDisabled), (saml, .samlDisabled),
        ]
    }

    private func disabledRoute(_ method: Method, _ path: String, _ failure: GoTrueFailure)
        -> Route
    {
        let isForAdministrators = path.hasPrefix("/admin")
        let handler: Handler = { contract in
            { context in
                if isForAdministrators { try await contract.requireAdmin(context) }
                throw failure
            }
        }
        return authRoute(method, path, handler, [.featureEnabled])
    }
}
