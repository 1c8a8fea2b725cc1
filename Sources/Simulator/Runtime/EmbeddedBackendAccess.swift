/// What the simulator knows of the backend that is built in: where it is, and
/// what it tells its clients.
package struct EmbeddedBackendAccess: Sendable {
    /// `http://127.0.0.1:7071`
    let baseURL: String
    /// A fact of a contract in a workspace, such as its `anonKey`.
    let clientSetting: @Sendable (ClientSettingQuery) -> String?

    /// The same by an address at which nobody knows TLS.
    var forcingTLS: EmbeddedBackendAccess {
        EmbeddedBackendAccess(
            baseURL: baseURL.replacing("http:", with: "https:", maxReplacements: 1),
            clientSetting: clientSetting)
    }

    /// Which fact is asked for.
    package struct ClientSettingQuery: Sendable, Equatable {
        package var contract: String
        package var name: String
        package var workspace: String
    }

    package init(
        baseURL: String,
        clientSetting: @escaping @Sendable (ClientSettingQuery) -> String? = { _ in nil }
    ) {
        self.baseURL = baseURL
        self.clientSetting = clientSetting
    }
}
