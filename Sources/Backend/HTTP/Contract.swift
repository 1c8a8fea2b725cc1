package import Crypto
package import Web

/// The server of one app: its routes and error format, and how its accounts are administered.
package protocol Contract: ContractAdministration {
    /// The second segment of every path; its keys are stored under it.
    static var id: String { get }
    /// The keys it signs with.
    static var keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] { get }
    /// The kind of its real clients, such as `firebase`; `GET /api/backend` lists its settings
    /// under this name.
    static var clientName: String? { get }
    /// First path segments the contract serves at the root, for the workspace `main`: real clients
    /// support no other address.
    static var rootPaths: Set<String> { get }
    /// Features that each workspace can turn on and off.
    static var switches: [FeatureSwitch] { get }
    /// The faults that can be injected into it.
    static var supportedFaults: Set<FaultHooks.Kind> { get }

    init(services: ContractContext, accessTokens: AccessTokens) throws

    var services: ContractContext { get }
    var accessTokens: AccessTokens { get }
    /// The workspace whose requests this copy serves, and the contract itself.
    var realm: Realm { get set }
    /// All patterns begin with `/{workspace}/<id>`.
    var routes: [Route] { get }

    /// Converts an error of a handler or of the router to the contract's error format.
    func makeFailureResponse(_ error: any Error, to request: Request) -> Response
    /// Applied to every response last, such as for CORS headers and preflight responses.
    func finalize(_ response: Response, for request: Request) -> Response
    /// What a client needs to know of the contract in a realm: keys, names.
    func clientSettings(in realm: Realm) -> [ContractInfo.ClientSetting]
}

extension Contract {
    package static var clientName: String? { nil }
    package static var rootPaths: Set<String> { [] }
    package static var switches: [FeatureSwitch] { [] }
    package static var supportedFaults: Set<FaultHooks.Kind> {
        [.clockSkew, .mailLost, .accountLocked]
    }

    package func finalize(_ response: Response, for request: Request) -> Response { response }
    package func clientSettings(in realm: Realm) -> [ContractInfo.ClientSetting] { [] }

    var id: String { Self.id }
}

/// What clients need to know of a contract: its address and its settings.
package struct ContractInfo: Sendable, Equatable {
    /// The contract's id, the second segment of its paths.
    package var contractID: String
    /// `http://127.0.0.1:7071/main/atlas`
    package var baseURL: String
    /// The kind of its real clients: `supabase`, `firebase`.
    package var clientName: String?
    /// The address at the root, where real clients expect the service; only for the workspace
    /// `main` and contracts with root paths.
    package var rootURL: String?
    /// The values that such a client is configured with.
    package var clientSettings: [ClientSetting]
    package var switches: [SwitchState]

    /// A client's configuration value: `anonKey`, `projectID` …
    package struct ClientSetting: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A feature switch and its current state.
    package struct SwitchState: Sendable, Equatable {
        package var name: String
        /// Display text: the effect of turning it on.
        package var text: String
        package var isOn: Bool
    }
}
