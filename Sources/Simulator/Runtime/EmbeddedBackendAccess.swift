/// The simulator's access to the embedded backend: its base URL and its client settings.
package struct EmbeddedBackendAccess: Sendable {
    /// `http://127.0.0.1:7071`
    let baseURL: String
    /// A setting of a contract in a workspace, such as its `anonKey`.
    let clientSetting: @Sendable (ClientSettingQuery) -> String?

    /// Simulates a TLS failure by dialing the plain-HTTP backend with https.
    var forcingTLS: EmbeddedBackendAccess {
        EmbeddedBackendAccess(
            baseURL: baseURL.replacing("http:", with: "https:", maxReplacements: 1),
            clientSetting: clientSetting)
    }

    /// A query for a client setting of a contract in a workspace.
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
