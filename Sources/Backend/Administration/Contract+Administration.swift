import SQLite

extension Contract {
    /// How an administrator creates and changes accounts of a contract, as its real server's
    /// dashboard or tables would do it.
    struct Administration: Sendable {
        /// Whether every account needs a password to sign in.
        var needsPassword = true
        /// Why the server rejects a password; nil if it is accepted.
        let passwordError: @Sendable (_ password: String) -> String?
        /// The contract's own data of a new account: a JSON object as text.
        let makeProfile: @Sendable (ProfileInput) -> String
        /// The name of an account's owner; nil where the contract stores no name.
        var displayName: (@Sendable (Account) -> String?)?
        /// Which actions the contract supports.
        let availability: @Sendable (AdminAction) -> AdminAction.Availability
        /// Marks the address as verified.
        var verifyEmail: AccountUpdate = { account, connection, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        /// Sets the password to a hash and applies the contract's rule on existing sessions.
        let setPassword: @Sendable (_ hash: String, Account, Connection, Timestamp) throws -> Void
        /// Ends every session, and whatever else the contract ends with them.
        var revokeSessions: AccountUpdate = { account, connection, now in
            try connection.revokeSessions(
                of: account.id, reason: .signedOutByAdministrator, at: now)
        }
        /// Clears the rate limit counts of an account, in addition to its lock.
        var clearRateLimits: @Sendable (RateLimits, Account) -> Void = { _, _ in }

        typealias AccountUpdate = @Sendable (Account, Connection, Timestamp) throws -> Void

        /// The data of a new account from which its profile is built.
        struct ProfileInput: Sendable {
            let account: Account
            let displayName: String
            let isVerified: Bool
            let now: Timestamp
        }
    }
}
