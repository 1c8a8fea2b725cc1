import Backend
import Web

/// A person as the auth server knows one from a provider: the address, and the data of the identity.
struct ProviderUser: Sendable {
    let provider: SignInProvider
    let subject: String
    /// In lower case.
    let email: String?
    let isEmailVerified: Bool
    /// Sorted by name.
    let data: [JSON.Member]

    /// Reads the claims of an ID token or of a provider's user info. Apple posts the name apart,
    /// the first time.
    init(_ claims: [JSON.Member], _ provider: SignInProvider, appleUser: JSON?, at now: Timestamp) {
        let claims = JSON.object(claims)
        self.provider = provider
        subject = claims["sub"]?.string ?? ""
        email = claims["email"]?.string?.lowercased()
        isEmailVerified =
            email != nil && (claims["email_verified"] == true || provider.verifiesEveryEmail)
        var data: [JSON.Member] = [
            .init("iss", .string(provider.identityIssuer)), .init("sub", .string(subject)),
            .init("provider_id", .string(subject)),
            .init("email_verified", .bool(isEmailVerified)), .init("phone_verified", false),
        ]
        if let email { data.append(.init("email", .string(email))) }
        var name = claims["name"]?.string
        if let parts = appleUser?["name"] {
            let words = [parts["firstName"]?.string, parts["lastName"]?.string].compactMap(\.self)
            name = words.filter { !$0.isEmpty }.joined(separator: " ")
        }
        if let name, !name.isEmpty {
            data += [.init("name", .string(name)), .init("full_name", .string(name))]
        }
        if let picture = claims["picture"] {
            data.append(.init("avatar_url", picture))
            if provider != .github { data.append(.init("picture", picture)) }
        }
        if let userName = claims["preferred_username"] {
            data += [.init("preferred_username", userName), .init("user_name", userName)]
        }
        if provider == .apple {
            data.append(
                .init("custom_claims", ["auth_time": claims["auth_time"] ?? .int(now.seconds)]))
        }
        self.data = [].merging(data)
    }
}

extension SignInProvider {
    /// The `iss` of an identity's data.
    fileprivate var identityIssuer: String {
        switch self {
        case .google, .apple: issuer
        case .github: "https://api.github.com"
        case .facebook:
            "https://graph.facebook.com/me?fields=email,first_name,last_name,name,picture"
        }
    }
}
