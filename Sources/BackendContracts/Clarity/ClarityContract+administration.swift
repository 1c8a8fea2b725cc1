import Backend
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// Account administration as in Firebase's console.
    static let administration = Contract.Administration(
        passwordError: { Contract.Administration.passwordError($0, minLength: minPasswordLength) },
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
            .available(
                "Changes accounts:lookup at once, and the next token. Sessions remain "
                    + "valid.")
        case .disable:
            .available(
                "Sign-in, lookup and refresh return USER_DISABLED. Sessions resume "
                    + "when the account is enabled.")
        case .enable: .available("The account can sign in; its sessions resume.")
        case .lock:
            .available(
                "Sign-in returns TOO_MANY_ATTEMPTS_TRY_LATER until then, or until a "
                    + "password reset by email. Sessions remain valid, and refresh works.")
        case .unlock:
            .available("The account can sign in; its count of wrong passwords is cleared.")
        case .setPassword:
            .available(
                "Ends all its sessions: earlier ID tokens and all refresh tokens "
                    + "return TOKEN_EXPIRED.")
        case .signOut:
            .available(
                "Revokes its refresh tokens: they and earlier ID tokens return "
                    + "TOKEN_EXPIRED.")
        case .delete:
            .available(
                "Deletes the account with its sessions and links; its tokens return "
                    + "USER_NOT_FOUND.")
        }
    }
}
