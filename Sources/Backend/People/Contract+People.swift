import SQLite

extension Contract {
    /// How the people of a contract are made and changed by whoever runs it,
    /// as its real server's dashboard or its tables would do it.
    struct People: Sendable {
        /// Whether nobody can sign in without a password.
        var needsPassword = true
        /// Why a password is none for this server; nil if it is one.
        let objection: @Sendable (_ password: String) -> String?
        /// What the contract keeps of somebody new besides: a JSON object's
        /// text.
        let profile: @Sendable (Newcomer) -> String
        /// What an account's owner is called; nil where no name is kept.
        var name: (@Sendable (Account) -> String?)?
        /// What the contract knows to do.
        let rule: @Sendable (AccountAct) -> AccountAct.Rule
        /// Takes an address as verified.
        var verify: Step = { account, connection, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        /// Sets the password to a hash, with the contract's own rule on
        /// sessions that last.
        let takePassword: @Sendable (_ hash: String, Account, Connection, Moment) throws -> Void
        /// Ends every session, and what else the contract ends with them.
        var signOut: Step = { account, connection, now in
            try connection.revokeSessions(of: account.id, because: .administrator, at: now)
        }
        /// Forgets what was counted against somebody, beside their lock.
        var forgive: @Sendable (RateLimits, Account) -> Void = { _, _ in }

        typealias Step = @Sendable (Account, Connection, Moment) throws -> Void

        /// Somebody of whom only the profile is missing.
        struct Newcomer: Sendable {
            let account: Account
            let displayName: String
            let isVerified: Bool
            let now: Moment
        }
    }
}
