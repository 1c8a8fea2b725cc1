import Backend
import Crypto
import SQLite
import Web

/// Codes from mails, redeemed by an app or by the page behind the link.
extension ClarityContract {
    /// `accounts:resetPassword`: reports what a code is for, or sets the new password with it.
    func resetPassword(_ context: RequestContext) async throws -> Response {
        let body = try readRequest(context).body
        guard isOn(Self.passwordSignIn) else { throw GoogleFailure.passwordLoginDisabled }
        guard let code = try body.text("oobCode") else { throw GoogleFailure.missingCode }
        let action = try await findValidActionCode(code)
        if let password = try body.password("newPassword") {
            guard action.link == .reset else { throw GoogleFailure.invalidCode }
            guard action.account?.disabledAt == nil else { throw GoogleFailure.userDisabled }
            try Self.check(newPassword: password)
            try Self.requireValid(try await applyPasswordReset(by: code, to: password))
        }
        return .json(
            .omittingNil([
                "kind": "identitytoolkit#ResetPasswordResponse",
                // A sign-in link works only for one who knows the address.
                "email": action.link == .signIn ? nil : .string(action.email),
                "requestType": .string(action.link.requestType),
                "newEmail": action.newEmail.map(JSON.string),
            ]))
    }

    /// `accounts:signInWithEmailLink`: signs in or up, or adds the address to the account of an ID
    /// token.
    func signInWithEmailLink(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        guard isOn(Self.emailLinkSignIn) else { throw GoogleFailure.operationNotAllowed }
        let token = try body.idToken()
        let bearer: TokenUser? = token == nil ? nil : try await authenticateBearer(token)
        let address = try body.text("email").orThrow(GoogleFailure.missingEmail)
        let email = Self.emailAddress(address)?.text ?? ""
        let digest = Digest.sha256(try body.text("oobCode").orThrow(GoogleFailure.missingCode))
        var signIn = ClaritySignIn(projectID: request.projectID)
        signIn.factor = bearer?.signIn.factor
        let completeSignIn = signIn
        let (result, challenge, isNew) = try await write { connection, now in
            guard let action = try connection.actionCode(digest, [.signIn], in: realm, at: now)
            else { throw GoogleFailure.invalidCode }
            try Self.requireValid(action.state)
            guard action.challenge.email == email else { throw GoogleFailure.otherEmailOfLink }
            try connection.markUsed(action.challenge, at: now)
            let owner = try connection.account(email: email, in: realm)
            let current = try bearer.map {
                try connection.account($0.account.id, in: realm).orThrow(
                    GoogleFailure.userNotFound)
            }
            if let owner, let current, owner.id != current.id { throw GoogleFailure.emailExists }
            let known = current ?? owner
            guard known?.disabledAt == nil else { throw GoogleFailure.userDisabled }
            let account = try known ?? addAccount(nil, on: connection, at: now)
            let changed = try connection.recordEmailLink(to: email, of: account, at: now)
            let result = try self.completeSignIn(changed, completeSignIn, on: connection, at: now)
            return (result, action.challenge, known == nil)
        }
        services.mailbox.publishUsed(of: challenge)
        return .json(
            .object(
                [
                    .init("kind", "identitytoolkit#EmailLinkSigninResponse"),
                    .init("email", .string(email)),
                    .init("localId", .string(result.account.localID)),
                    .init("isNewUser", .bool(isNew)),
                ] + (try members(result))))
    }

    /// Redeems a code that verifies an address.
    func applyVerificationCode(_ code: String) async throws -> Account {
        let (state, _, account) = try await followVerificationLink(code)
        try Self.requireValid(state)
        guard let account else { throw GoogleFailure.invalidCode }
        return account
    }

    /// Redeems a code that verifies, changes or restores an address. Returns the account and, after
    /// a change, its new address.
    func applyActionCode(_ code: String) async throws -> (account: Account, newEmail: String?) {
        let action = try await findValidActionCode(code)
        switch action.link {
        case .verify: return (try await applyVerificationCode(code), nil)
        case .changeEmail, .recoverEmail:
            return (try await applyEmailChange(action), action.newEmail)
        case .reset, .signIn: throw GoogleFailure.invalidCode
        }
    }

    /// Changes or restores the address of an account with a mailed code.
    private func applyEmailChange(_ action: ClarityActionCode) async throws -> Account {
        let email = action.challenge.email
        let account = try action.account.orThrow(GoogleFailure.invalidCode)
        // Google offers to revert this change too; its emulator does not, where emails are not
        // private unless a project says so.
        let recovery =
            action.link == .changeEmail && isOn(Self.emailPrivacy)
            ? try makeRecoveryMail(of: account, newEmail: email) : nil
        let digest = action.challenge.digest
        let (changed, sequence) = try await write { connection, now in
            guard
                let current = try connection.actionCode(
                    digest, [action.link], in: realm, at: now),
                let account = current.account
            else { throw GoogleFailure.invalidCode }
            try Self.requireValid(current.state)
            guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
            if let owner = try connection.account(email: email, in: realm), owner.id != account.id {
                throw GoogleFailure.emailExists
            }
            try connection.markUsed(current.challenge, at: now)
            let changed = try connection.changeEmail(of: account, to: email, at: now)
            let sequence = try recovery.flatMap {
                try connection.sendLink($0, limit: .unlimited, replacesEarlier: false)
            }
            return (changed, sequence)
        }
        services.mailbox.publishUsed(of: action.challenge)
        if let recovery { services.mailbox.publishSent(recovery, at: sequence) }
        return changed
    }

    /// Follows a verification link. A preview does not use it up.
    ///
    /// An app gets `state`, the state of the link itself, which is used up even if the address is
    /// already verified. The page shows `shown`, which reports an already verified address.
    func followVerificationLink(_ code: String, isPreview: Bool = false) async throws -> (
        state: LinkState, shown: LinkState, account: Account?
    ) {
        let link = try await followLink(
            code, for: .verify, isPreview: isPreview,
            // A link mailed to a former address was replaced.
            state: { $1.email == $0.email ? $0.state(at: $2) : .replaced }
        ) { account, connection, now in try connection.verifyEmail(of: account.id, at: now) }
        guard var account = link.target?.account, account.email == link.target?.challenge.email
        else { return (link.state, link.state, nil) }
        let shown = account.emailVerifiedAt == nil ? link.state : .alreadyVerified
        if link.state == .completed { account.emailVerifiedAt = account.emailVerifiedAt ?? now }
        return (link.state, shown, account)
    }

    /// Sets the password of the account that `code` was mailed to, and ends all its sessions.
    ///
    /// `password` is already checked. The code and its account are checked inside the write,
    /// because hashing takes time.
    func applyPasswordReset(by code: String, to password: String) async throws -> LinkState {
        let hash = try await services.hasher.hash(password)
        let link = try await followLink(
            code, for: .reset,
            state: { challenge, account, now in
                account.email == challenge.email && account.disabledAt == nil
                    ? challenge.state(at: now) : .unknown
            }
        ) { account, connection, now in
            try connection.applyPasswordReset(hash, of: account, at: now)
            // Only the address is proven to be the user's own.
            for identity in account.providerIdentities {
                try connection.remove(identity: identity.id)
            }
        }
        if link.state == .completed, let email = link.target?.challenge.email {
            services.rateLimits.clear(Self.failedSignInLimit, of: email, in: realm)
        }
        return link.state
    }

    /// What a code is for; nil for an unknown one.
    func findActionCode(_ code: String) async throws -> ClarityActionCode? {
        let digest = Digest.sha256(code)
        return try await read { connection, now in
            try connection.actionCode(digest, ClarityLink.allCases, in: realm, at: now)
        }
    }

    private func findValidActionCode(_ code: String) async throws -> ClarityActionCode {
        let action = try await findActionCode(code).orThrow(GoogleFailure.invalidCode)
        try Self.requireValid(action.state)
        return action
    }

    private static func requireValid(_ state: LinkState) throws {
        switch state {
        case .valid, .completed: return
        case .expired: throw GoogleFailure.expiredCode
        case .used, .alreadyVerified, .replaced, .unknown: throw GoogleFailure.invalidCode
        }
    }
}

extension Connection {
    /// The code with this digest, if it was mailed for one of these purposes.
    fileprivate func actionCode(
        _ digest: String, _ links: [ClarityLink], in realm: Realm, at now: Timestamp
    ) throws -> ClarityActionCode? {
        for link in links {
            guard let challenge = try challenge(digest, for: link.purpose, in: realm) else {
                continue
            }
            let account = try challenge.accountID.flatMap { try self.account($0, in: realm) }
            return ClarityActionCode(link, challenge, account, at: now)
        }
        return nil
    }

    /// Records a sign-in with a link to this address, which it verifies. Returns the changed
    /// account.
    fileprivate func recordEmailLink(to email: String, of account: Account, at now: Timestamp)
        throws -> Account
    {
        var profile = ClarityProfile(account)
        profile.usedEmailLink = true
        try setProfile(of: account.id, to: profile.jsonText)
        let verifiedAt = account.email == email ? account.emailVerifiedAt ?? now : now
        try setEmail(of: account.id, to: email, verifiedAt: verifiedAt)
        return try self.account(account.id, in: account.realm) ?? account
    }

    /// Sets a verified address and ends all sessions. Returns the changed account.
    fileprivate func changeEmail(of account: Account, to email: String, at now: Timestamp) throws
        -> Account
    {
        var profile = ClarityProfile(account)
        profile.initialEmail = profile.initialEmail ?? account.email
        profile.validSince = now.seconds
        try setProfile(of: account.id, to: profile.jsonText)
        try setEmail(of: account.id, to: email, verifiedAt: now)
        try revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        return try self.account(account.id, in: account.realm) ?? account
    }

    /// Sets a password with a mailed code. Verifies the address, ends all sessions and invalidates
    /// every other reset link and code.
    func applyPasswordReset(_ hash: String, of account: Account, at now: Timestamp) throws {
        var profile = ClarityProfile(account)
        profile.recordPasswordChange(at: now)
        try setPassword(of: account.id, hash: hash)
        try verifyEmail(of: account.id, at: now)
        // A reset by mail also lifts the lock.
        try setLock(account: account.id, until: nil)
        try setProfile(of: account.id, to: profile.jsonText)
        try invalidateChallenges(of: account.id, for: [.reset, .resetCode], at: now)
        try revokeSessions(of: account.id, reason: .passwordChanged, at: now)
    }
}
