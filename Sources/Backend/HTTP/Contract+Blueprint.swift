import Crypto

extension Contract {
    /// What is needed before a contract can be created, and how to create it.
    struct Blueprint: Sendable {
        /// The second segment of every path; its keys are stored under it.
        let id: String
        /// The keys it signs with.
        let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm]
        /// The kind of its real clients, such as `firebase`; `GET /api/backend` lists its settings
        /// under this name.
        var clientName: String?
        /// First path segments the contract serves at the root, for the workspace `main`: real
        /// clients support no other address.
        var rootPaths: Set<String> = []
        /// Features that each workspace can turn on and off.
        var switches: [FeatureSwitch] = []
        /// The faults that can be injected into it.
        var supportedFaults: Set<FaultHooks.Kind> = [.clockSkew, .mailLost, .accountLocked]
        /// How an administrator creates and changes its accounts.
        let administration: Administration
        let build: @Sendable (ContractContext, AccessTokens) throws -> Contract
    }
}
