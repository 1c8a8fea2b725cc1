import Backend
import Crypto
import SQLite
import Web

/// Sign-in with an identity at a provider.
extension ClarityContract {
    /// `accounts:signInWithIdp`: signs in or up with a provider's token, or adds the identity to
    /// the account of an ID token.
    ///
    /// As with Google's emulator, the provider's token is not verified: it may be unsigned or plain
    /// JSON.
    func signInWithIdP(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        for name in ["returnRefreshToken", "pendingIdToken"]
        where body.has(name) && (try? body.optionalFlag(name)) != false {
            throw GoogleFailure.notImplemented("\(name) is not implemented yet.")
        }
        let credential = try ProviderCredential(body)
        let bearer: TokenUser? =
            try body.idToken() == nil ? nil : try await authenticateBearer(try body.idToken())
        var signIn = ClaritySignIn(credential.identity.provider, projectID: request.projectID)
        signIn.factor = bearer?.signIn.factor
        signIn.attributes = credential.samlAttributes
        let session = signIn
        do {
            let outcome = try await write { connection, now in
                try signInWithIdP(credential, bearer?.account, session, on: connection, at: now)
            }
            return .json(.object(try members(outcome, credential)))
        } catch let failure as GoogleFailure where failure.status == 400 {
            guard try body.flag("returnIdpCredential"), failure != .tokenExpired else {
                throw failure
            }
            return .json(
                .object(
                    credential.members + [.init("errorMessage", .string(failure.message))]))
        }
    }

    /// What a provider's identity led to.
    private enum ProviderOutcome: Sendable {
        case signedIn(ClaritySignInResult, isNew: Bool, isRecycled: Bool)
        /// Another account has the address, which the provider did not verify.
        case needsConfirmation(Account)
    }

    private func members(_ outcome: ProviderOutcome, _ credential: ProviderCredential) throws
        -> [JSON.Member]
    {
        switch outcome {
        case .needsConfirmation(let account):
            return credential.members + [
                .init("needConfirmation", true), .init("localId", .string(account.localID)),
                .init(
                    "verifiedProvider",
                    .array(account.providerIdentities.map { .string($0.provider) })),
            ]
        case .signedIn(let result, let isNew, let isRecycled):
            let isSameEmail = result.account.email == credential.identity.email
            let isVerified =
                isSameEmail
                ? result.account.email != nil && result.account.isVerified
                : credential.isEmailVerified
            return credential.members.map { member in
                member.name == "emailVerified"
                    ? .init(member.name, .bool(isVerified)) : member
            }
                + .omittingNil([
                    "localId": .string(result.account.localID), "isNewUser": isNew ? true : nil,
                    "emailRecycled": isRecycled ? true : nil,
                ]) + (try members(result))
        }
    }

    private func signInWithIdP(
        _ credential: ProviderCredential, _ bearer: Account?, _ signIn: ClaritySignIn,
        on connection: Connection, at now: Timestamp
    ) throws -> ProviderOutcome {
        let identity = credential.identity
        let known = try connection.account(
            provider: identity.provider, subject: identity.subject, in: realm)
        let sharesAddresses = isOn(Self.duplicateEmails)
        let owner =
            sharesAddresses
            ? nil : try identity.email.flatMap { try connection.account(email: $0, in: realm) }
        if let bearer {
            guard known == nil else { throw GoogleFailure.identityAlreadyLinked }
            let current = try connection.account(bearer.id, in: realm).orThrow(
                GoogleFailure.userNotFound)
            guard owner == nil || owner?.id == current.id else { throw GoogleFailure.emailExists }
            let account = try link(
                credential, to: current, adoptsEmail: !sharesAddresses, on: connection, at: now)
            return .signedIn(
                try completeSignIn(account, signIn, on: connection, at: now), isNew: false,
                isRecycled: false)
        }
        if let known {
            let account = try link(
                credential, to: known, adoptsEmail: false, on: connection, at: now)
            return .signedIn(
                try completeSignIn(account, signIn, on: connection, at: now), isNew: false,
                isRecycled: false)
        }
        if let owner {
            guard credential.isEmailVerified else { return .needsConfirmation(owner) }
            let isRecycled = owner.providerIdentities.contains {
                $0.provider == identity.provider
            }
            let account = try take(owner, with: credential, on: connection, at: now)
            return .signedIn(
                try completeSignIn(account, signIn, on: connection, at: now), isNew: false,
                isRecycled: isRecycled)
        }
        let new = try addAccount(nil, on: connection, at: now)
        var profile = ClarityProfile(new)
        profile.displayName = identity.displayName
        profile.photoURL = identity.photoURL
        profile.screenName = identity.screenName
        try connection.setProfile(of: new.id, to: profile.jsonText)
        let account = try link(
            credential, to: new, adoptsEmail: !sharesAddresses, on: connection, at: now)
        return .signedIn(
            try startSession(account, signIn, on: connection, at: now), isNew: true,
            isRecycled: false)
    }

    /// Adds or updates the identity. An account without an address gets that of the identity.
    private func link(
        _ credential: ProviderCredential, to account: Account, adoptsEmail: Bool,
        on connection: Connection, at now: Timestamp
    ) throws -> Account {
        let identity = credential.identity
        try connection.link(identity, to: account, at: now, world: services.world)
        if let email = identity.email {
            let verifiedAt = credential.isEmailVerified ? now : nil
            if account.email == nil, adoptsEmail {
                try connection.setEmail(of: account.id, to: email, verifiedAt: verifiedAt)
            } else if account.email == email, credential.isEmailVerified {
                try connection.verifyEmail(of: account.id, at: now)
            }
        }
        return try connection.account(account.id, in: realm) ?? account
    }

    /// Signs in to the account with the identity's verified address. If the account had not
    /// verified it, another person may have created it: its other means to sign in are removed.
    private func take(
        _ account: Account, with credential: ProviderCredential, on connection: Connection,
        at now: Timestamp
    ) throws -> Account {
        var profile = ClarityProfile(account)
        profile.displayName = credential.identity.displayName
        profile.photoURL = credential.identity.photoURL
        profile.screenName = credential.identity.screenName
        if !account.isVerified {
            try connection.removePassword(of: account.id)
            try connection.setPhone(of: account.id, to: nil, verifiedAt: nil)
            for identity in account.providerIdentities {
                try connection.remove(identity: identity.id)
            }
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
            profile.validSince = now.seconds
            profile.usedEmailLink = false
        }
        try connection.setProfile(of: account.id, to: profile.jsonText)
        let changed = try connection.account(account.id, in: realm) ?? account
        return try link(credential, to: changed, adoptsEmail: false, on: connection, at: now)
    }
}

/// The identity that a provider's token reports.
private struct ProviderCredential: Sendable {
    let identity: ClarityIdentity
    let isEmailVerified: Bool
    private let claims: JSON
    private let idToken: String?
    private let accessToken: String?
    /// The statements of a SAML assertion, in the emulator's own JSON format.
    let samlAttributes: JSON?

    /// Reads the parameters of the request's URI, its post body and its fragment.
    init(_ body: GoogleBody) throws {
        let uri = try body.text("requestUri", limit: GoogleBody.longTextLimit).orThrow(
            GoogleFailure("MISSING_REQUEST_URI"))
        let parts = URLParts(uri)
        guard parts.scheme != nil, parts.authority != nil else {
            throw GoogleFailure("INVALID_REQUEST_URI")
        }
        let postBody = try body.text("postBody", limit: GoogleBody.longTextLimit) ?? ""
        var parameters: [String: String] = [:]
        for text in [parts.query ?? "", postBody[...], parts.fragment ?? ""] {
            for (name, value) in Form.parseLeniently(text) { parameters[name] = value }
        }
        guard let provider = parameters["providerId"]?.lowercased().nonEmpty else {
            throw GoogleFailure(
                "INVALID_CREDENTIAL_OR_PROVIDER_ID",
                "Invalid IdP response/credential: \(parts.textBeforeQuery)"
                    + (parts.path.isEmpty ? "/" : ""))
        }
        guard provider.utf8.count <= 128, !provider.utf8.contains(0), provider != "password",
            provider != "phone", provider != "localid"
        else { throw GoogleFailure.invalidProviderID }
        idToken = parameters["id_token"]?.nonEmpty
        accessToken = parameters["access_token"]?.nonEmpty
        let claims = try Self.claims(idToken) ?? Self.claims(accessToken)
        guard let claims else {
            throw Self.unreadable(provider: provider, idToken: idToken, accessToken: accessToken)
        }
        self.claims = claims
        guard let subject = claims["sub"], subject != .null, subject != "" else {
            throw GoogleFailure.invalidIdPResponse(
                "Invalid Idp Response: id_token missing required fields. ((Missing \"sub\" field. "
                    + "This field is required and must be a unique identifier.))")
        }
        guard let subject = subject.string, subject.utf8.count <= 255, !subject.utf8.contains(0)
        else {
            throw GoogleFailure.invalidIdPResponse("((The \"sub\" field must be a string.))")
        }
        let saml = try Self.samlAssertion(parameters["SAMLResponse"])
        samlAttributes = saml?["attributeStatements"]
        var identity = ClarityIdentity(provider: provider, subject: subject)
        func text(_ name: String, _ fits: (String) -> Bool) -> String? {
            claims[name]?.string?.nonEmpty.flatMap { fits($0) && !$0.utf8.contains(0) ? $0 : nil }
        }
        identity.email = claims["email"]?.string.flatMap {
            ClarityContract.emailAddress($0)?.text
        }
        identity.displayName = text("name", ClarityProfile.fits(displayName:))
        identity.photoURL = text("picture", ClarityProfile.fits(photoURL:))
        identity.screenName = text("screen_name", ClarityProfile.fits(displayName:))
        let isSAML = provider.hasPrefix("saml.")
        isEmailVerified =
            isSAML || ["true", "1"].contains(claims["email_verified"]?.scalarText ?? "")
        if isSAML, let name = saml?["subject"]?["nameId"]?.string {
            identity.email = ClarityContract.emailAddress(name)?.text ?? identity.email
        }
        self.identity = identity
    }

    /// The assertion in a SAML response, which is plain JSON, as the emulator expects it. Nil
    /// without a response.
    private static func samlAssertion(_ text: String?) throws -> JSON? {
        guard let text = text?.nonEmpty else { return nil }
        let response = (try? JSON(parsing: text)) ?? .null
        let path = ["assertion", "subject", "nameId"]
        for count in 1...path.count {
            let value = path.prefix(count).reduce(Optional(response)) { $0?[$1] }
            guard let value, value != .null, value != "" else {
                throw GoogleFailure(
                    "INVALID_IDP_RESPONSE ((Missing \(path.prefix(count).joined(separator: ".")) "
                        + "in SAMLResponse.))")
            }
        }
        return response["assertion"]
    }

    /// The claims of a JWT or of plain JSON; nil for any other text.
    private static func claims(_ token: String?) throws -> JSON? {
        guard let token else { return nil }
        guard token.first == "{" else {
            return Token(decoding: token).claims.flatMap { try? JSON(parsing: $0) }
        }
        guard let json = try? JSON(parsing: token) else {
            throw GoogleFailure.invalidIdPResponse(
                "Unable to parse id_token: ((Auth Emulator failed to parse fake id_token as strict "
                    + "JSON.))")
        }
        return json
    }

    private static func unreadable(provider: String, idToken: String?, accessToken: String?)
        -> GoogleFailure
    {
        if idToken != nil {
            return .invalidIdPResponse(
                "Unable to parse id_token: ((Auth Emulator only accepts strict JSON or JWTs as "
                    + "fake id_tokens.))")
        }
        guard accessToken != nil else {
            return .notImplemented(
                "The Auth Emulator only supports sign-in with credentials (id_token required).")
        }
        guard provider == "google.com" || provider == "apple.com" else {
            return .notImplemented(
                "The Auth Emulator does not support \(provider) sign-in with credentials.")
        }
        return .notImplemented(
            "The Auth Emulator only support sign-in with \(provider) using id_token, not "
                + "access_token. Please update your code to use id_token.")
    }

    /// What a response says of the identity.
    var members: [JSON.Member] {
        let isGoogle = identity.provider == "google.com"
        func claim(_ name: String) -> JSON? { isGoogle ? claims[name].flatMap(Self.present) : nil }
        return .omittingNil([
            "kind": "identitytoolkit#VerifyAssertionResponse", "context": "",
            "providerId": .string(identity.provider),
            "federatedId": .string(
                isGoogle
                    ? "https://accounts.google.com/\(identity.subject)" : identity.subject),
            "displayName": identity.displayName.map(JSON.string),
            "fullName": identity.displayName.map(JSON.string),
            "firstName": claim("given_name"), "lastName": claim("family_name"),
            "screenName": identity.screenName.map(JSON.string),
            "email": identity.email.map(JSON.string), "emailVerified": .bool(isEmailVerified),
            "photoUrl": identity.photoURL.map(JSON.string),
            "rawUserInfo": rawUserInfo.map { .string($0.description) },
            "oauthAccessToken": .string(
                accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(identity.provider)"),
            "oauthIdToken": idToken.map(JSON.string),
        ])
    }

    /// What the provider tells beside the common claims.
    private var rawUserInfo: JSON? {
        if identity.provider.hasPrefix("saml.") { return samlAttributes }
        return identity.provider == "google.com" ? googleUserInfo : claims
    }

    private static func present(_ json: JSON) -> JSON? { json == .null ? nil : json }

    /// Google's own user information, which SDKs pass on to the app.
    private var googleUserInfo: JSON {
        let scope = "openid https://www.googleapis.com/auth/userinfo.profile"
        let emailScope = " https://www.googleapis.com/auth/userinfo.email"
        return .omittingNil([
            "granted_scopes": .string(identity.email == nil ? scope : scope + emailScope),
            "id": .string(identity.subject), "name": identity.displayName.map(JSON.string),
            "given_name": claims["given_name"].flatMap(Self.present),
            "family_name": claims["family_name"].flatMap(Self.present),
            "verified_email": .bool(isEmailVerified), "locale": "en",
            "email": identity.email.map(JSON.string),
            "picture": identity.photoURL.map(JSON.string),
        ])
    }
}
