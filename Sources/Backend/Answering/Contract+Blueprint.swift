import Secrets

extension Contract {
    /// What a contract needs before it can be opened, and how it is made.
    struct Blueprint: Sendable {
        /// The second segment of every path, and what its keys are kept as.
        let id: String
        /// The keys it signs with.
        let keys: [Keyring.Role: SigningKey.Algorithm]
        let build: @Sendable (Premises, AccessTokens) -> Contract
    }
}
