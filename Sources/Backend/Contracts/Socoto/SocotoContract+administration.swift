import SQLite
import Web

extension SocotoContract {
    /// Account administration as in GoTrue's admin API.
    static let administration = Contract.Administration(
        passwordError: { password in
            do throws(SocotoAuthFailure) {
                try SocotoPasswordPolicy.check(password)
                return nil
            } catch { return "is refused: \(error.message)" }
        },
        makeProfile: { input in
            var metadata: [JSON.Member] = [
                .init("full_name", .string(input.displayName)), .init("role", "user"),
            ]
            if input.isVerified { metadata.append(.init("email_verified", true)) }
            var user = SocotoUser(
                identityID: input.account.id, metadata: metadata, at: input.now)
            user.row = SocotoProfileRow(of: input.account, user.metadata)
            return user.jsonText
        },
        displayName: { account in
            SocotoUser(account).metadata.first { $0.name == "full_name" }?.value.string
        }, availability: availability,
        verifyEmail: { account, connection, now in
            guard account.emailVerifiedAt == nil else { return }
            var user = SocotoUser(account)
            user.merge([.init("email_verified", true)])
            user.updatedAt = now
            try connection.verifyEmail(of: account.id, at: now)
            try connection.save(user, of: account)
        },
        setPassword: { hash, account, connection, now in
            var user = SocotoUser(account)
            try connection.changePassword(
                hash: hash, of: account, &user, keepingSession: nil, at: now)
            try connection.save(user, of: account)
        })

    private static func availability(_ action: AdminAction) -> AdminAction.Availability {
        switch action {
        case .verify: .available("It may sign in. No session ends.")
        case .unverify:
            .unavailable(
                "GoTrue takes no confirmation back: email_confirm false "
                    + "changes nothing there. Delete the account and add it anew.")
        case .disable:
            .available(
                "It is banned without end: sign-in, user and refresh answer "
                    + "user_banned. Sessions are kept and go on once it is "
                    + "enabled; the table takes its access tokens until they end.")
        case .enable: .available("The ban ends, and its sessions go on.")
        case .lock:
            .available(
                "It is banned until then (banned_until): sign-in, user and "
                    + "refresh answer user_banned. Sessions are kept.")
        case .unlock: .available("The ban ends, and its sessions go on.")
        case .setPassword:
            .available(
                "Every session of it ends, and mailed links and codes with "
                    + "them. The table takes its access tokens until they end.")
        case .signOut:
            .available(
                "Every session of it ends: refresh tokens are refused, and "
                    + "the user's own calls too. The table takes its access "
                    + "tokens until they end.")
        case .delete:
            .available(
                "The account goes with its sessions, its links and its row; "
                    + "its tokens speak for nobody.")
        }
    }
}
