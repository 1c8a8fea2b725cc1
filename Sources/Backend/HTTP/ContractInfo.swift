/// A contract as its clients must know it: where it is and what it asks for.
package struct ContractInfo: Sendable, Equatable {
    /// The contract's name, the second segment of its paths.
    package var contractID: String
    /// `http://127.0.0.1:7071/main/atlas`
    package var baseURL: String
    /// What its real clients are known by: `supabase`, `firebase`.
    package var clientName: String?
    /// The same service where its real clients look for it, at the root; only
    /// for the workspace `main`, and nil if its paths are nobody else's.
    package var rootURL: String?
    /// What such a client is configured with.
    package var clientSettings: [ClientSetting]
    package var switches: [SwitchState]

    /// Something a client is configured with: `anonKey`, `projectID` …
    package struct ClientSetting: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A switch as it stands.
    package struct SwitchState: Sendable, Equatable {
        package var name: String
        /// What it does when it is on, for people.
        package var text: String
        package var isOn: Bool
    }
}
