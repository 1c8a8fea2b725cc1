import BackendContracts
import Core
import Crypto
import FoundationEssentials
import SQLite
import Support
import Web

@testable import Backend

/// The embedded backend alone: a database in memory, a frozen clock, and no socket.
struct BackendFixture {
    let frozen: FrozenWorld
    let clocks: Clocks
    let hub: EventHub
    let database: Database
    let backend: EmbeddedBackend
    let declaredTables = DeclaredTables()

    static let baseURL = "http://127.0.0.1:7071"

    init(
        path: String = ":memory:", frozen: FrozenWorld = FrozenWorld(), sealingByte: UInt8 = 7,
        allowedHosts: [String] = [], world: World? = nil, installsTestKey: Bool = true
    ) async throws {
        self.frozen = frozen
        clocks = Clocks(real: { frozen.now })
        hub = EventHub(now: { frozen.now })
        database = try Database(
            path: path, durability: .normal, migrations: EmbeddedBackend.migrations)
        let sealer = try Sealer(key: Array(repeating: sealingByte, count: 32))
        if installsTestKey { try await TestKey.lend(to: database, sealedBy: sealer) }
        backend = try await EmbeddedBackend(
            contracts: .all, database: database, sealer: sealer,
            world: world ?? frozen.world, clocks: clocks,
            hub: hub, hasher: PasswordHasher(cost: 1), baseURL: Self.baseURL,
            allowedHosts: allowedHosts, declaredTables: declaredTables)
    }

    func send(_ request: Request) async -> Reply { Reply(await backend.responder(request)) }

    /// Posts a JSON body to Mystica's API in `workspace`.
    func post(_ path: String, _ json: JSON, in workspace: String = "main") async -> Reply {
        await send(
            Request(
                method: .post, target: "/\(workspace)/mystica/api/v1\(path)",
                headers: ["Content-Type": "application/json"], body: json.bytes))
    }

    /// Sends a request without a body to Mystica's API.
    func call(_ method: Web.Method, _ path: String, bearer: String?, in workspace: String = "main")
        async -> Reply
    {
        var headers = Headers()
        headers["Authorization"] = bearer.map { "Bearer \($0)" }
        return await send(
            Request(method: method, target: "/\(workspace)/mystica/api/v1\(path)", headers: headers)
        )
    }

    func me(_ token: String?, in workspace: String = "main") async -> Reply {
        await call(.get, "/auth/me", bearer: token, in: workspace)
    }

    func refresh(_ token: String, in workspace: String = "main") async -> Reply {
        await post("/auth/refresh", ["refresh_token": .string(token)], in: workspace)
    }

    /// Requests a mailed link, as a browser would.
    func follow(_ link: String, method: Web.Method = .get) async -> Reply {
        await send(
            Request(
                method: method, target: String(link.dropFirst(Self.baseURL.count)),
                headers: ["Accept": "text/html"]))
    }

    /// Posts a form, as a browser would.
    func submitForm(_ target: String, _ fields: [(String, String)]) async -> Reply {
        await send(
            Request(
                method: .post, target: target,
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array(Form.encode(fields).utf8)))
    }

    /// The newest link mailed to `email`; "no mail" if there is none.
    func link(to email: String, purpose: String = "verify", in workspace: String = "main")
        async throws -> String
    {
        let page = try await backend.mailbox.list(
            workspace: workspace, to: email, purpose: purpose)
        return page.items.first?.link ?? "no mail"
    }
}
