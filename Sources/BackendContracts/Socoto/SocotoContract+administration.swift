import Backend
import SQLite
import Web

/// Account administration as in GoTrue's admin API.
extension SocotoContract {
    static let storesNames = true

    static func passwordError(_ password: String) -> String? {
        do throws(GoTrueFailure) {
            try PasswordPolicy.check(password)
            return nil
        } catch { return "is rejected: \(error.message)" }
    }

    static func makeProfile(_ input: ProfileInput) -> String {
        var metadata: [JSON.Member] = [
            .init("full_name", .string(input.displayName)), .init("role", "user"),
        ]
        if input.isVerified { metadata.append(.init("email_verified", true)) }
        var user = SocotoUser(identityID: input.account.id, metadata: metadata, at: input.now)
        user.row = ProfileRow(of: input.account, user.metadata)
        return user.jsonText
    }

    static func displayName(of account: Account) -> String? {
        SocotoUser(account).metadata.first { $0.name == "full_name" }?.value.string
    }

    static func verifyEmail(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    { _ = try confirm(account, on: connection, at: now) }

    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        var user = SocotoUser(account)
        try connection.changePassword(hash: hash, of: account, &user, keepingSession: nil, at: now)
        try connection.save(user, of: account)
    }

    static let unsupportedActions: Set<AdminAction> = [.unverify]

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify: "The account can sign in. Sessions remain valid."
        case .unverify:
            "GoTrue cannot revert a confirmation: email_confirm false has no effect. Delete the "
                + "account and add it again."
        case .disable:
            "Bans the account permanently: sign-in, user and refresh return user_banned. "
                + "Sessions resume when the account is enabled; the table accepts its access "
                + "tokens until they expire."
        case .enable: "Lifts the ban; sessions resume."
        case .lock:
            "Bans the account until then (banned_until): sign-in, user and refresh return "
                + "user_banned. Sessions resume afterwards."
        case .unlock: "Lifts the ban; sessions resume."
        case .setPassword:
            "Ends all its sessions and invalidates mailed links and codes. The table accepts its "
                + "access tokens until they expire."
        case .signOut:
            "Ends all its sessions: refresh tokens and the user's own requests are rejected. The "
                + "table accepts its access tokens until they expire."
        case .delete:
            "Deletes the account with its sessions, links and row; its tokens become invalid."
        }
    }
}
