import Crypto

extension Contract {
    /// What a contract needs before it can be opened, and how it is made.
    struct Blueprint: Sendable {
        /// The second segment of every path, and what its keys are kept as.
        let id: String
        /// The keys it signs with.
        let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm]
        /// The name its real clients are known by, such as `firebase`; its
        /// facts stand under it in `GET /api/backend`.
        var clientName: String?
        /// First segments of paths that are the contract's own at the root,
        /// for the workspace `main`: real clients know no other address.
        var rootPaths: Set<String> = []
        /// What can be turned on and off in each workspace.
        var switches: [FeatureSwitch] = []
        /// What can be made to go wrong in it on purpose.
        var supportedFaults: Set<FaultHooks.Kind> = [.clockSkew, .mailLost, .accountLocked]
        /// How its people are made and changed by whoever runs it.
        let administration: Administration
        let build: @Sendable (ContractContext, AccessTokens) throws -> Contract
    }
}
