import Backend
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:lookup`: the user of an ID token, or an administrator's choice of users.
    func lookup(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let accounts =
            request.isPrivileged
            ? try await findAccounts(request.body)
            : [try await authenticateBearer(try request.body.idToken()).account]
        let users = try await userInfos(accounts)
        return .json(
            .omittingNil([
                "kind": "identitytoolkit#GetAccountInfoResponse",
                // The Node.js admin SDK takes an empty list for a user.
                "users": users.isEmpty ? nil : .array(users),
            ]))
    }

    /// The accounts that a message names by any identifier, each once.
    private func findAccounts(_ body: GoogleBody) async throws -> [Account] {
        if try !body.texts("initialEmail").isEmpty {
            throw GoogleFailure.notImplemented("Lookup by initialEmail is not implemented.")
        }
        let localIDs = try body.texts("localId")
        let emails = try body.texts("email").compactMap { Self.emailAddress($0)?.text }
        let phones = try body.texts("phoneNumber").compactMap(Self.phoneNumber)
        let identities = try (body.list("federatedUserId") ?? []).compactMap {
            identity -> (provider: String, subject: String)? in
            guard let provider = try identity.text("providerId"),
                let subject = try identity.text("rawId")
            else { return nil }
            return (provider, subject)
        }
        return try await database.read { connection in
            var found = try localIDs.compactMap { try connection.account(localID: $0, in: realm) }
            found += try emails.compactMap { try connection.account(email: $0, in: realm) }
            found += try phones.compactMap { try connection.account(phone: $0, in: realm) }
            found += try identities.compactMap { provider, subject in
                switch provider {
                case ClaritySignIn.phoneProvider:
                    try connection.account(phone: subject, in: realm)
                case ClaritySignIn.passwordProvider:
                    try connection.account(email: subject, in: realm)
                default: try connection.account(provider: provider, subject: subject, in: realm)
                }
            }
            var ids: Set<String> = []
            return found.filter { ids.insert($0.id).inserted }
        }
    }

    /// `UserInfo` objects.
    func userInfos(_ accounts: [Account]) async throws -> [JSON] {
        let refreshedAt = try await database.read { connection in
            try accounts.map { try connection.lastRefreshAt(of: $0.id) }
        }
        return zip(accounts, refreshedAt).map { .object(userInfo($0, $1)) }
    }

    /// `accounts:delete`.
    func delete(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let account: Account
        if request.isPrivileged {
            account = try await findAccount(
                localID: try request.body.text("localId").orThrow(GoogleFailure.missingLocalID))
        } else {
            account = try await authenticateBearer(try request.body.idToken()).account
        }
        try await database.write { connection in try connection.remove(account: account.id) }
        return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    func findAccount(localID: String) async throws -> Account {
        try await database.read { connection in
            try connection.account(localID: localID, in: realm)
        }.orThrow(GoogleFailure.userNotFound)
    }

    /// `accounts:createAuthUri`: the sign-in methods of an address, unless addresses are private.
    func createAuthURI(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        guard try body.text("providerId") == nil else {
            throw GoogleFailure.providerPageUnsupported
        }
        let identifier = try body.text("identifier").orThrow(GoogleFailure.missingIdentifier)
        let uri = try body.text("continueUri").orThrow(GoogleFailure.missingContinueURI)
        let address = try Self.emailAddress(identifier).orThrow(GoogleFailure.invalidIdentifier)
        guard ClarityLink.canContinue(to: uri) else { throw GoogleFailure.invalidContinueURI }
        var members: [JSON.Member] = []
        if !isOn(Self.emailPrivacy) {
            let account = try await findAccount(providerEmail: address.text)
            let providers = account.map(signInProviders) ?? (all: [], methods: [])
            members = [
                .init("allProviders", .array(providers.all.map(JSON.string))),
                .init("registered", .bool(account != nil)),
                .init("signinMethods", .array(providers.methods.map(JSON.string))),
            ]
        }
        let sessionID = try body.text("sessionId") ?? RandomTokens.secret(services.world)
        return .json(
            .object(
                [.init("kind", "identitytoolkit#CreateAuthUriResponse")] + members + [
                    .init("sessionId", .string(sessionID))
                ]))
    }

    /// The account with this address, its own or at a provider.
    private func findAccount(providerEmail email: String) async throws -> Account? {
        if let account = try await findAccount(email: email) { return account }
        return try await database.read { connection in
            try connection.accounts(in: realm).first { account in
                account.providerIdentities.contains { ClarityIdentity($0).email == email }
            }
        }
    }

    private func signInProviders(_ account: Account) -> (all: [String], methods: [String]) {
        let profile = ClarityProfile(account)
        let providers = account.providerIdentities.map(\.provider)
        var methods: [String] = []
        if account.passwordHash != nil { methods.append("password") }
        if profile.usedEmailLink { methods.append("emailLink") }
        let hasAddress = account.email != nil && !methods.isEmpty
        // Where accounts share addresses, those of providers are not told.
        let told = isOn(Self.duplicateEmails) ? [] : providers
        return ((hasAddress ? ["password"] : []) + told, (hasAddress ? methods : []) + told)
    }

    /// A `UserInfo` object. Hash and salt are Google's constant for a redacted hash: clients take
    /// their presence to mean that the user has a password.
    private func userInfo(_ account: Account, _ refreshedAt: Timestamp?) -> [JSON.Member] {
        let profile = ClarityProfile(account)
        func text(_ number: Int64) -> JSON { .string(String(number)) }
        let hasPassword = account.passwordHash != nil
        let updatedAt = profile.passwordUpdatedAt ?? account.createdAt.milliseconds
        let providers = providerUserInfo(account, profile)
        return .omittingNil([
            "localId": .string(account.localID), "email": account.email.map(JSON.string),
            "displayName": profile.displayName.map(JSON.string),
            "photoUrl": profile.photoURL.map(JSON.string),
            "phoneNumber": account.phone.map(JSON.string),
            "passwordHash": hasPassword ? .string(Self.redactedPasswordHash) : nil,
            "salt": hasPassword ? .string(Self.redactedPasswordHash) : nil,
            "emailVerified": .bool(account.email != nil && account.isVerified),
            "passwordUpdatedAt": hasPassword ? .int(updatedAt) : nil,
            "providerUserInfo": providers.isEmpty ? nil : .array(providers),
            "validSince": text(profile.validSince ?? account.createdAt.seconds),
            "disabled": account.disabledAt == nil ? nil : true,
            "lastLoginAt": text((account.lastLoginAt ?? account.createdAt).milliseconds),
            "createdAt": text(profile.createdAt ?? account.createdAt.milliseconds),
            "customAttributes": profile.customAttributes.map(JSON.string),
            "customAuth": profile.usedCustomToken ? true : nil,
            "emailLinkSignin": profile.usedEmailLink ? true : nil,
            "initialEmail": profile.initialEmail.map(JSON.string),
            "screenName": profile.screenName.map(JSON.string),
            "mfaInfo": account.factors.isEmpty
                ? nil : .array(account.factors.map { Self.factorJSON($0) }),
            "lastRefreshAt": (refreshedAt?.date.iso8601).map(JSON.string),
        ])
    }

    static let redactedPasswordHash = "UkVEQUNURUQ="

    func profileMembers(_ profile: ClarityProfile) -> [JSON.Member] {
        .omittingNil([
            "displayName": profile.displayName.map(JSON.string),
            "photoUrl": profile.photoURL.map(JSON.string),
        ])
    }

    func providerUserInfo(_ account: Account, _ profile: ClarityProfile) -> [JSON] {
        var providers: [JSON] = []
        if let address = account.email, account.passwordHash != nil || profile.usedEmailLink {
            let email = JSON.string(address)
            providers.append(
                .object(
                    [.init("providerId", "password")] + profileMembers(profile) + [
                        .init("federatedId", email), .init("email", email), .init("rawId", email),
                    ]))
        }
        providers += account.providerIdentities.map { ClarityIdentity($0).json }
        if let phone = account.phone {
            providers.append([
                "providerId": "phone", "phoneNumber": .string(phone), "rawId": .string(phone),
            ])
        }
        return providers
    }

    /// `accounts:update`: applies a mailed code, or changes the account of an ID token or of an
    /// administrator's choice.
    func update(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        for name in ["provider", "upgradeToFederatedLogin"] where body.has(name) {
            throw GoogleFailure.notImplemented("\(name) is not implemented yet.")
        }
        guard !request.isPrivileged else { return try await updateAsAdministrator(body) }
        let token = try body.idToken()
        let code = try body.text("oobCode")
        guard token != nil || code != nil else { throw GoogleFailure.unsupportedParameters }
        guard !body.has("customAttributes") else { throw GoogleFailure.insufficientPermission }
        if let code {
            let (account, newEmail) = try await applyActionCode(code)
            return .json(.object(accountInfoMembers(account, newEmail: newEmail)))
        }
        let bearer = try await authenticateBearer(token)
        guard !body.has("disableUser") else { throw GoogleFailure.operationNotAllowed }
        let change = try await readUpdate(body, of: bearer.account)
        var signIn = bearer.signIn
        if change.password != nil { signIn.provider = ClaritySignIn.passwordProvider }
        let result = try await apply(change, to: bearer.account, signIn: signIn)
        return .json(
            .object(
                accountInfoMembers(result.account, newEmail: try readEmailAddress(body)?.text)
                    + (try tokenMembers(result.account, result.session, result.refreshToken))))
    }

    private func updateAsAdministrator(_ body: GoogleBody) async throws -> Response {
        let localID = try body.text("localId").orThrow(GoogleFailure.missingLocalID)
        var change = try readAdministratorUpdate(body)
        let account = try await findAccount(localID: localID)
        let newEmail = change.email?.text
        if newEmail == account.email { change.email = nil }
        let result = try await apply(change, to: account, signIn: nil)
        return .json(
            .object(accountInfoMembers(result.account, newEmail: newEmail)))
    }

    private func readUpdate(_ body: GoogleBody, of account: Account) async throws
        -> ClarityAccountUpdate
    {
        var change = ClarityAccountUpdate()
        try change.readProfile(body)
        if let email = try readEmailAddress(body), email.text != account.email {
            guard account.email == nil || !isOn(Self.emailPrivacy) else {
                throw GoogleFailure.newEmailNotVerified
            }
            change.email = email
            try await checkEmailAvailable(email)
        }
        if let password = try body.password("password") {
            try Self.check(newPassword: password)
            change.password = password
        }
        change.isRevocation = body.has("validSince")
        try Self.readFactorsAndIdentity(body, into: &change)
        return change
    }

    /// Every field that an administrator can set.
    func readAdministratorUpdate(_ body: GoogleBody) throws -> ClarityAccountUpdate {
        var change = ClarityAccountUpdate()
        try change.readProfile(body)
        change.email = try readEmailAddress(body)
        change.phone = try readPhoneNumber(body)
        if let password = try body.password("password") {
            try Self.check(newPassword: password)
            change.password = password
        }
        change.isEmailVerified = try body.optionalFlag("emailVerified")
        change.isDisabled = try body.optionalFlag("disableUser")
        change.validSince = try body.number("validSince")
        change.createdAt = try body.number("createdAt")
        change.lastLoginAt = try body.number("lastLoginAt")
        if body.has("customAttributes") {
            change.customAttributes = try Self.readCustomAttributes(body) ?? "{}"
        }
        try Self.readFactorsAndIdentity(body, into: &change)
        return change
    }

    private static func readFactorsAndIdentity(
        _ body: GoogleBody, into change: inout ClarityAccountUpdate
    ) throws {
        if let mfa = try body.object("mfa") {
            change.factors = try readFactors(try mfa.list("enrollments") ?? [], areNew: false)
        }
        if let link = try body.object("linkProviderUserInfo") {
            let provider = try link.text("providerId").orThrow(GoogleFailure.missingProviderID)
            let subject = try link.text("rawId").orThrow(GoogleFailure.missingRawID)
            change.identity = try ClarityIdentity(link, provider: provider, subject: subject)
        }
    }

    func accountInfoMembers(_ account: Account, newEmail: String? = nil) -> [JSON.Member] {
        let profile = ClarityProfile(account)
        return accountMembers("SetAccountInfoResponse", account) + profileMembers(profile)
            + .omittingNil([
                "newEmail": newEmail.map(JSON.string),
                "emailVerified": .bool(account.email != nil && account.isVerified),
                "providerUserInfo": .array(providerUserInfo(account, profile)),
                "passwordHash": account.passwordHash == nil
                    ? nil : .string(Self.redactedPasswordHash),
            ])
    }

    /// Applies all of `change`. If that ends the existing sessions, a new one begins as `signIn`
    /// tells; nil for an administrator's change, after which none begins.
    ///
    /// `account` is as it was when its token was validated. If its password, address or disabled
    /// state has changed since, nothing is applied and `tokenExpired` is thrown.
    func apply(
        _ change: ClarityAccountUpdate, to account: Account,
        signIn: ClaritySignIn? = ClaritySignIn()
    ) async throws -> ClaritySignInResult {
        let hash = try await hash(change.password)
        let isAnonymous = signIn?.provider == ClaritySignIn.anonymousProvider
        let recovery =
            isAnonymous ? nil : try makeRecoveryMail(of: account, newEmail: change.email?.text)
        let (result, sequence) = try await write { connection, now in
            let current = try connection.account(account.id, in: realm).orThrow(
                GoogleFailure.userNotFound)
            guard
                signIn == nil
                    || current.passwordHash == account.passwordHash
                        && current.email == account.email
                        && current.disabledAt == account.disabledAt
            else { throw GoogleFailure.tokenExpired }
            let changed = try change.apply(
                to: current, passwordHash: hash, on: connection, at: now, world: services.world)
            var result = ClaritySignInResult(account: changed)
            if let signIn, change.endsSessions {
                result = try startSession(changed, signIn, on: connection, at: now)
            }
            let sequence = try recovery.flatMap {
                try connection.sendLink($0, limit: .unlimited, replacesEarlier: false)
            }
            return (result, sequence)
        }
        if let recovery { services.mailbox.publishSent(recovery, at: sequence) }
        return result
    }
}
