package import Core
package import Web

/// The services shared by all contracts.
package struct ContractContext: Sendable {
    package let database: TracingDatabase
    package let world: World
    let clocks: Clocks
    let hub: EventHub
    package let hasher: TracingPasswordHasher
    package let mailbox: Mailbox
    package let switches: FeatureSwitchStore
    package let rateLimits: RateLimits
    /// The backend's address without a trailing slash.
    let baseURL: String

    /// The time in `realm` by its workspace's clock, plus the clock skew fault of this exchange, if
    /// any.
    package func now(in realm: Realm) -> Timestamp {
        Timestamp(clocks.now(in: realm.workspace)) + FaultTicket.clockSkew
    }

    /// The time in the workspace that a request's path names first, for responses made before the
    /// path is resolved.
    package func now(for request: Request) -> Timestamp {
        let workspace = request.target.split(separator: "/").first ?? ""
        return Timestamp(clocks.now(in: String(workspace))) + FaultTicket.clockSkew
    }

    /// The base address for real clients of a contract with root paths.
    package func rootURL(of realm: Realm) -> String {
        realm.workspace == BackendWorkspaces.mainID ? baseURL : baseURL(of: realm)
    }

    /// The base address for clients of `realm`.
    package func baseURL(of realm: Realm) -> String {
        "\(baseURL)/\(realm.workspace)/\(realm.contract)"
    }
}

extension ContractContext {
    /// Whether a fault locks the account after a correct password.
    package var isAccountLockSimulated: Bool {
        FaultTicket.current?.triggers(.accountLocked) ?? false
    }
}

extension Response {
    package static func json(_ json: JSON, status: Int = 200, headers: Headers = [:]) -> Response {
        var response = jsonBytes(json.bytes, status: status)
        response.headers.fields += headers.fields
        return response
    }

    /// `text` is already JSON.
    package static func json(text: String) -> Response { jsonBytes(Array(text.utf8), status: 200) }

    private static func jsonBytes(_ bytes: [UInt8], status: Int) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: .bytes(bytes))
    }
}
