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
