import SQLite

extension Contract {
    /// How the people of a contract are made and changed by whoever runs it,
    /// as its real server's dashboard or its tables would do it.
    struct Administration: Sendable {
        /// Whether nobody can sign in without a password.
        var needsPassword = true
        /// Why a password is none for this server; nil if it is one.
        let passwordError: @Sendable (_ password: String) -> String?
        /// What the contract keeps of somebody new besides: a JSON object's
        /// text.
        let makeProfile: @Sendable (ProfileInput) -> String
        /// What an account's owner is called; nil where no name is kept.
        var displayName: (@Sendable (Account) -> String?)?
        /// What the contract knows to do.
        let availability: @Sendable (AdminAction) -> AdminAction.Availability
        /// Takes an address as verified.
        var verifyEmail: AccountUpdate = { account, connection, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        /// Sets the password to a hash, with the contract's own rule on
        /// sessions that last.
        let setPassword: @Sendable (_ hash: String, Account, Connection, Timestamp) throws -> Void
        /// Ends every session, and what else the contract ends with them.
        var revokeSessions: AccountUpdate = { account, connection, now in
            try connection.revokeSessions(
                of: account.id, reason: .signedOutByAdministrator, at: now)
        }
        /// Forgets what was counted against somebody, beside their lock.
        var clearRateLimits: @Sendable (RateLimits, Account) -> Void = { _, _ in }

        typealias AccountUpdate = @Sendable (Account, Connection, Timestamp) throws -> Void

        /// Somebody of whom only the profile is missing.
        struct ProfileInput: Sendable {
            let account: Account
            let displayName: String
            let isVerified: Bool
            let now: Timestamp
        }
    }
}
