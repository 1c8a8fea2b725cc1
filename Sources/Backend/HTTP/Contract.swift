import Crypto
import Web

/// An error response that is part of a contract, whatever its status; not logged as a failure.
protocol ExpectedError: Error {}

/// The server of one app: its routes and error format.
struct Contract: Sendable {
    /// The second segment of every path.
    let id: String
    /// All patterns begin with `/{workspace}/<id>`.
    let router: Router
    let accessTokens: AccessTokens
    /// Converts an error of a handler or of the router to the contract's error format.
    let makeFailureResponse: @Sendable (any Error, Request) -> Response
    /// The checks that may have caused one of the contract's own errors, most likely last.
    var failedChecks: @Sendable (any Error) -> [RequestCheck]? = { _ in nil }
    /// Applied to every response last, such as for CORS headers and preflight responses.
    var finalize: @Sendable (Request, Response) -> Response = { $1 }
    /// What a client needs to know of the contract in a realm: keys, names.
    var clientSettings: @Sendable (Realm) -> [ContractInfo.ClientSetting] = { _ in [] }
}

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
