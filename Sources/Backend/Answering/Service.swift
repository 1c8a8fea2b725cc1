/// A contract as its clients must know it: where it is and what it asks for.
package struct Service: Sendable, Equatable {
    /// The contract's name, the second segment of its paths.
    package var contract: String
    /// `http://127.0.0.1:7071/main/atlas`
    package var base: String
    /// What its real clients are known by: `supabase`, `firebase`.
    package var client: String?
    /// The same service where its real clients look for it, at the root; only
    /// for the workspace `main`, and nil if its paths are nobody else's.
    package var root: String?
    /// What such a client is configured with.
    package var facts: [Fact]
    package var switches: [Setting]

    /// Something a client is configured with: `anonKey`, `projectID` …
    package struct Fact: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A switch as it stands.
    package struct Setting: Sendable, Equatable {
        package var name: String
        /// What it does when it is on, for people.
        package var text: String
        package var isOn: Bool
    }
}
