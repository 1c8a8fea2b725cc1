import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// Account administration as in Firebase's console.
    static let administration = Contract.Administration(
        passwordError: { password in
            password.utf16.count < minPasswordLength
                ? "needs 6 characters at least"
                : password.utf8.count > JSONBody.passwordLimit
                    ? "may have \(JSONBody.passwordLimit) bytes" : nil
        },
        makeProfile: { input in
            let now = input.now
            let names = AccountDraft.splitName(of: input.displayName)
            var profile = ClarityProfile(passwordSetAt: now)
            profile.displayName = input.displayName
            profile.registration = ClarityProfile.Registration(
                firstName: names.first, lastName: names.last, phoneNumber: nil, termsAccepted: true,
                privacyPolicyAccepted: true, createdAt: now.date.iso8601)
            return profile.jsonText
        }, displayName: { ClarityProfile($0).displayName }, availability: availability,
        setPassword: { hash, account, connection, now in
            var profile = ClarityProfile(account)
            profile.recordPasswordChange(at: now)
            try connection.setPassword(of: account.id, hash: hash)
            try connection.setProfile(of: account.id, to: profile.jsonText)
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        },
        revokeSessions: { account, connection, now in
            var profile = ClarityProfile(account)
            profile.validSince = now.seconds
            try connection.setProfile(of: account.id, to: profile.jsonText)
            try connection.revokeSessions(
                of: account.id, reason: .signedOutByAdministrator, at: now)
        },
        clearRateLimits: { limits, account in
            guard let email = account.email else { return }
            for limit in [failedSignInLimit, cognitoFailedLoginLimit] {
                limits.clear(limit, of: email, in: account.realm)
            }
        })

    private static func availability(_ action: AdminAction) -> AdminAction.Availability {
        switch action {
        case .verify, .unverify:
            .available("The next token says so, and accounts:lookup at once. No session ends.")
        case .disable:
            .available(
                "Sign-in, look-up and refresh answer USER_DISABLED. Sessions "
                    + "are kept and go on once it is enabled.")
        case .enable: .available("It may sign in, and its sessions go on.")
        case .lock:
            .available(
                "Sign-in answers TOO_MANY_ATTEMPTS_TRY_LATER until then, or "
                    + "until the password is reset by mail. Sessions are "
                    + "kept, and refreshing works.")
        case .unlock: .available("It may sign in; wrong passwords are forgotten.")
        case .setPassword:
            .available(
                "Every session of it ends: ID tokens issued before this "
                    + "second and all refresh tokens answer TOKEN_EXPIRED.")
        case .signOut:
            .available(
                "Refresh tokens are revoked: they and ID tokens issued "
                    + "before this second answer TOKEN_EXPIRED.")
        case .delete:
            .available(
                "The account goes with its sessions and links; its tokens "
                    + "answer USER_NOT_FOUND.")
        }
    }
}
