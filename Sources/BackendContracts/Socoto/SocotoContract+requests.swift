import Backend

/// What requests to GoTrue and PostgREST may contain.
extension SocotoContract {
    static let requestHeaders = ["apikey", "Authorization", "Prefer", "X-Supabase-Api-Version"]

    static func requestFields(of path: String) -> [RequestField] {
        let name = path.hasPrefix("/rest/v1/") ? "/rest/v1" : path
        return fields[name] ?? []
    }

    private static let fields = Dictionary(
        uniqueKeysWithValues: table.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            return (parts[0], RequestField.parse(parts[1]))
        })

    private static let table = """
        /auth/v1/signup email phone password channel data:object code_challenge code_challenge_method \
        gotrue_meta_security:object ?redirect_to
        /auth/v1/token ?grant_type:password|refresh_token|pkce|id_token email phone password \
        refresh_token auth_code code_verifier provider id_token access_token nonce
        /auth/v1/user email phone password data:object nonce current_password channel code_challenge \
        code_challenge_method app_metadata:object
        /auth/v1/logout ?scope:global|local|others
        /auth/v1/recover email code_challenge code_challenge_method ?redirect_to
        /auth/v1/resend type:signup|email_change|sms|phone_change email phone ?redirect_to
        /auth/v1/otp email phone channel create_user:boolean data:object code_challenge \
        code_challenge_method ?redirect_to
        /auth/v1/magiclink email data:object code_challenge code_challenge_method ?redirect_to
        /auth/v1/verify type:signup|invite|magiclink|recovery|email_change|email|sms|phone_change \
        token token_hash email phone ?type ?token ?redirect_to
        /auth/v1/authorize ?provider:google|apple|github|facebook|azure ?redirect_to ?scopes \
        ?code_challenge ?code_challenge_method
        /auth/v1/user/identities/authorize ?provider:google|apple|github|facebook ?redirect_to \
        ?skip_http_redirect ?code_challenge ?code_challenge_method
        /auth/v1/callback ?code ?state ?error ?error_description
        /auth/v1/factors factor_type:totp|phone friendly_name issuer phone
        /auth/v1/factors/{factor}/challenge channel
        /auth/v1/factors/{factor}/verify challenge_id code
        /auth/v1/admin/users email phone password email_confirm:boolean phone_confirm:boolean \
        user_metadata:object app_metadata:object role aud id ban_duration password_hash \
        ?page:integer ?per_page:integer ?filter
        /auth/v1/admin/users/{user} email phone password email_confirm:boolean \
        phone_confirm:boolean user_metadata:object app_metadata:object role ban_duration \
        should_soft_delete:boolean
        /auth/v1/admin/users/{user}/factors/{factor} friendly_name phone
        /auth/v1/admin/generate_link type:signup|invite|magiclink|recovery|email_change_current|\
        email_change_new email new_email password data:object ?redirect_to
        /auth/v1/admin/audit ?page:integer ?per_page:integer ?query
        /auth/v1/invite email data:object ?redirect_to
        /rest/v1 id full_name role email bio preferences:object ?select ?order ?limit ?offset ?id \
        ?or ?and ?on_conflict ?columns
        """
}
