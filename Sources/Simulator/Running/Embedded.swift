/// What the simulator knows of the backend that is built in: where it is, and
/// what it tells its clients.
package struct Embedded: Sendable {
    /// `http://127.0.0.1:7071`
    let base: String
    /// A fact of a contract in a workspace, such as its `anonKey`.
    let fact: @Sendable (Question) -> String?

    /// The same by an address at which nobody knows TLS.
    var asksTLS: Embedded {
        Embedded(base: base.replacing("http:", with: "https:", maxReplacements: 1), fact: fact)
    }

    /// Which fact is asked for.
    package struct Question: Sendable, Equatable {
        package var contract: String
        package var name: String
        package var workspace: String
    }

    package init(base: String, fact: @escaping @Sendable (Question) -> String? = { _ in nil }) {
        self.base = base
        self.fact = fact
    }
}
