package import SQLite

extension Contract {
    /// How an administrator creates and changes accounts of a contract, as its real server's
    /// dashboard or tables would do it.
    package struct Administration: Sendable {
        /// Whether every account needs a password to sign in.
        let needsPassword: Bool
        /// Why the server rejects a password; nil if it is accepted.
        let passwordError: @Sendable (_ password: String) -> String?
        /// The contract's own data of a new account: a JSON object as text.
        let makeProfile: @Sendable (ProfileInput) -> String
        /// The name of an account's owner; nil where the contract stores no name.
        let displayName: (@Sendable (Account) -> String?)?
        /// Which actions the contract supports.
        let availability: @Sendable (AdminAction) -> AdminAction.Availability
        /// Marks the address as verified.
        let verifyEmail: AccountUpdate
        /// Sets the password to a hash and applies the contract's rule on existing sessions.
        let setPassword: @Sendable (_ hash: String, Account, Connection, Timestamp) throws -> Void
        /// Ends every session, and whatever else the contract ends with them.
        let revokeSessions: AccountUpdate
        /// Clears the rate limit counts of an account, in addition to its lock.
        let clearRateLimits: @Sendable (RateLimits, Account) -> Void

        package init(
            needsPassword: Bool = true,
            passwordError: @escaping @Sendable (_ password: String) -> String?,
            makeProfile: @escaping @Sendable (ProfileInput) -> String,
            displayName: (@Sendable (Account) -> String?)? = nil,
            availability: @escaping @Sendable (AdminAction) -> AdminAction.Availability,
            verifyEmail: @escaping AccountUpdate = { account, connection, now in
                try connection.verifyEmail(of: account.id, at: now)
            },
            setPassword:
                @escaping @Sendable (_ hash: String, Account, Connection, Timestamp) throws -> Void,
            revokeSessions: @escaping AccountUpdate = { account, connection, now in
                try connection.revokeSessions(
                    of: account.id, reason: .signedOutByAdministrator, at: now)
            },
            clearRateLimits: @escaping @Sendable (RateLimits, Account) -> Void = { _, _ in }
        ) {
            self.needsPassword = needsPassword
            self.passwordError = passwordError
            self.makeProfile = makeProfile
            self.displayName = displayName
            self.availability = availability
            self.verifyEmail = verifyEmail
            self.setPassword = setPassword
            self.revokeSessions = revokeSessions
            self.clearRateLimits = clearRateLimits
        }

        package typealias AccountUpdate = @Sendable (Account, Connection, Timestamp) throws -> Void

        /// The data of a new account from which its profile is built.
        package struct ProfileInput: Sendable {
            package let account: Account
            package let displayName: String
            package let isVerified: Bool
            package let now: Timestamp
        }
    }
}
