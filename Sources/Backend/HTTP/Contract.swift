package import Crypto
package import Web

/// The server of one app: its routes and error format.
package struct Contract: Sendable {
    /// The second segment of every path.
    let id: String
    /// All patterns begin with `/{workspace}/<id>`.
    let router: Router
    let accessTokens: AccessTokens
    /// Converts an error of a handler or of the router to the contract's error format.
    let makeFailureResponse: @Sendable (any Error, Request) -> Response
    /// Applied to every response last, such as for CORS headers and preflight responses.
    let finalize: @Sendable (Request, Response) -> Response
    /// What a client needs to know of the contract in a realm: keys, names.
    let clientSettings: @Sendable (Realm) -> [ContractInfo.ClientSetting]

    package init(
        id: String, router: Router, accessTokens: AccessTokens,
        makeFailureResponse: @escaping @Sendable (any Error, Request) -> Response,
        finalize: @escaping @Sendable (Request, Response) -> Response = { $1 },
        clientSettings: @escaping @Sendable (Realm) -> [ContractInfo.ClientSetting] = { _ in [] }
    ) {
        self.id = id
        self.router = router
        self.accessTokens = accessTokens
        self.makeFailureResponse = makeFailureResponse
        self.finalize = finalize
        self.clientSettings = clientSettings
    }
}

extension Contract {
    /// What is needed before a contract can be created, and how to create it.
    package struct Blueprint: Sendable {
        /// The second segment of every path; its keys are stored under it.
        let id: String
        /// The keys it signs with.
        let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm]
        /// The kind of its real clients, such as `firebase`; `GET /api/backend` lists its settings
        /// under this name.
        let clientName: String?
        /// First path segments the contract serves at the root, for the workspace `main`: real
        /// clients support no other address.
        let rootPaths: Set<String>
        /// Features that each workspace can turn on and off.
        let switches: [FeatureSwitch]
        /// The faults that can be injected into it.
        let supportedFaults: Set<FaultHooks.Kind>
        /// How an administrator creates and changes its accounts.
        let administration: Administration
        let build: @Sendable (ContractContext, AccessTokens) throws -> Contract

        package init(
            id: String, keyAlgorithms: [Keyring.Role: SigningKey.Algorithm],
            clientName: String? = nil, rootPaths: Set<String> = [], switches: [FeatureSwitch] = [],
            supportedFaults: Set<FaultHooks.Kind> = [.clockSkew, .mailLost, .accountLocked],
            administration: Administration,
            build: @escaping @Sendable (ContractContext, AccessTokens) throws -> Contract
        ) {
            self.id = id
            self.keyAlgorithms = keyAlgorithms
            self.clientName = clientName
            self.rootPaths = rootPaths
            self.switches = switches
            self.supportedFaults = supportedFaults
            self.administration = administration
            self.build = build
        }
    }
}
