import Backend
import Crypto
import SQLite
import Web

/// Sign-in with tokens that a server of the app's own made.
extension ClarityContract {
    /// The audience of custom tokens.
    private static let customTokenAudience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    /// `accounts:signInWithCustomToken`. As with Google's emulator, the token may be unsigned or
    /// plain JSON, because the project has no service account's key to verify it with.
    func signInWithCustomToken(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let token = try request.body.token("token").orThrow(GoogleFailure.missingCustomToken)
        let payload = try Self.customTokenPayload(token)
        let uid = payload["uid"]?.scalarText?.nonEmpty ?? payload["user_id"]?.scalarText?.nonEmpty
        let localID = try uid.orThrow(GoogleFailure.missingIdentifier)
        guard localID.utf16.count <= 128, !localID.utf8.contains(0) else {
            throw GoogleFailure.invalidCustomToken("uid must have 1 to 128 characters")
        }
        let claims = try payload["claims"].map(Self.checkedClaims) ?? []
        let signIn = ClaritySignIn(
            ClaritySignIn.customProvider, projectID: request.projectID, claims: claims)
        let (result, isNew) = try await write { connection, now in
            let known = try connection.account(localID: localID, in: realm)
            guard known?.disabledAt == nil else { throw GoogleFailure.userDisabled }
            let account = try known ?? addAccount(localID, on: connection, at: now)
            var profile = ClarityProfile(account)
            profile.usedCustomToken = true
            try connection.setProfile(of: account.id, to: profile.jsonText)
            let changed = try connection.account(account.id, in: realm) ?? account
            return (try startSession(changed, signIn, on: connection, at: now), known == nil)
        }
        return .json(
            .object(
                [
                    .init("kind", "identitytoolkit#VerifyCustomTokenResponse"),
                    .init("isNewUser", .bool(isNew)),
                ] + (try members(result))))
    }

    private static func customTokenPayload(_ token: String) throws -> JSON {
        if token.first == "{" {
            guard let json = try? JSON(parsing: token), case .object = json else {
                throw GoogleFailure.invalidCustomToken(
                    "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
            }
            return json
        }
        guard let claims = Token(decoding: token).claims, let json = try? JSON(parsing: claims)
        else { throw GoogleFailure.invalidCustomToken("Invalid assertion format") }
        guard json["aud"]?.string == customTokenAudience else {
            throw GoogleFailure.invalidCustomToken(
                "((Invalid aud (audience): \(json["aud"]?.scalarText ?? "undefined") "
                    + "Note: Firebase ID Tokens / third-party tokens cannot be used with "
                    + "signInWithCustomToken.))")
        }
        return json
    }

    // MARK: Custom claims

    private static let maxClaimsLength = 1_000
    private static let reservedClaims: Set = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
        "auth_time", "firebase", "at_hash", "c_hash",
    ]

    /// Claims that a server sets. Throws if they are not an object, too large or reserved.
    private static func checkedClaims(_ json: JSON) throws -> [JSON.Member] {
        guard case .object(let members) = json else { throw GoogleFailure.invalidClaims }
        guard json.description.utf16.count <= maxClaimsLength else {
            throw GoogleFailure.claimsTooLarge
        }
        if let reserved = members.first(where: { reservedClaims.contains($0.name) }) {
            throw GoogleFailure("FORBIDDEN_CLAIM", reserved.name)
        }
        return members
    }

    /// The claims of every ID token of an account, as text. Nil without any.
    static func readCustomAttributes(_ body: GoogleBody) throws -> String? {
        guard let text = try body.text("customAttributes", limit: GoogleBody.longTextLimit) else {
            return nil
        }
        return try checkedCustomAttributes(text)
    }

    /// The text, if it is an object of claims that an administrator may set.
    static func checkedCustomAttributes(_ text: String) throws -> String {
        guard text.utf16.count <= maxClaimsLength else { throw GoogleFailure.claimsTooLarge }
        _ = try checkedClaims(try (try? JSON(parsing: text)).orThrow(GoogleFailure.invalidClaims))
        return text
    }
}
