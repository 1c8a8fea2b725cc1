package import Apps
package import Backend
package import Console
package import Simulator
package import Surroundings
package import Traffic
package import Web
import SQLite
import Secrets
import Templates

/// Every room above the ground, in memory and without a socket: the console
/// reaches the embedded backend through its responder.
package struct WholeHouse: Sendable {
    package let frozen: FrozenWorld
    package let hub: EventHub
    package let site: Site
    package let simulator: Simulator
    package let backend: EmbeddedBackend
    package let exchanges: ExchangeStore
    package let conditions: Conditions
    package let catalogue: Catalogue

    /// The console's key in every test.
    package static let key = "a-key-for-tests-only"

    /// The repository's root, where `templates/` and `Public/` are.
    package static let root: String = {
        let file = #filePath
        return file.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast(3).joined(separator: "/")
    }()

    /// `apps` is a further folder of apps, `data` one of files instead of
    /// memory; `reach` may answer instead of the embedded backend.
    package init(
        apps: String? = nil, data: String? = nil,
        reach: (@Sendable (OutboundRequest) async -> Delivery.Outcome?)? = nil
    ) async throws {
        let frozen = FrozenWorld()
        let world = frozen.world
        let clocks = Clocks(real: world.now)
        let hub = EventHub(now: world.now)
        let sealer = try Sealer(key: Array(repeating: 3, count: 32))
        func path(_ name: String) -> String {
            data.map { "\($0)/\(name).sqlite" } ?? ":memory:"
        }
        let accounts = try Database(
            path: path("backend"), durability: .normal,
            migrations: EmbeddedBackend.migrations)
        try await LentKey.lend(to: accounts, sealedBy: sealer)
        let records = try Database(
            path: path("traffic"), durability: .normal,
            migrations: TrafficSchema.migrations)
        let conditions = try await Conditions(
            database: records, world: world, hub: hub)
        let backend = try await EmbeddedBackend(
            database: accounts, sealer: sealer, world: world, clocks: clocks,
            hub: hub, hasher: PasswordHasher(cost: 1),
            base: "http://127.0.0.1:7071", trouble: Trouble(by: conditions))
        let exchanges = ExchangeStore(
            database: records, sealer: sealer, world: world)
        let transport = Transport { request in
            if let outcome = await reach?(request) {
                return Delivery(outcome: outcome)
            }
            return await Self.deliver(request, to: backend)
        }
        let recorder = Recorder(
            transport: transport, store: exchanges, world: world, hub: hub,
            conditions: conditions,
            accomplice: Accomplice(backend, at: "http://127.0.0.1:7071"),
            checks: { ExchangeCheck.made(by: backend, for: $0) })
        let folders = [Self.root + "/templates/apps"]
            + [apps].compactMap(\.self)
        let catalogue = Catalogue(
            folders: folders, contracts: backend.contractIDs, now: world.now)
        let simulator = try await Simulator(
            database: try Database(
                path: path("devices"), durability: .normal,
                migrations: Simulator.migrations),
            sealer: sealer, catalogue: catalogue, recorder: recorder,
            world: world, clocks: clocks, hub: hub,
            embedded: Embedded(base: "http://127.0.0.1:7071") { asked in
                backend.fact(
                    asked.name, of: asked.contract, in: asked.workspace)
            }, ownPorts: [7070])
        let templates = try Templates(
            folders: [Templates.Folder(path: Self.root + "/templates")]
                + folders.dropFirst().map {
                    Templates.Folder(path: $0, prefix: "apps")
                })
        site = Site(
            services: Services(
                catalogue: catalogue, simulator: simulator,
                exchanges: exchanges, conditions: conditions,
                recorder: recorder, backend: backend, templates: templates,
                hub: hub, world: world, version: "0.0.0", port: 7070,
                backendBase: "http://127.0.0.1:7071"),
            publicFolder: Self.root + "/Public", userApps: apps,
            key: Self.key, hosts: [],
            mac: { Digest.hmac($0, key: Array(Self.key.utf8)) },
            explain: { _ in nil })
        self.frozen = frozen
        self.hub = hub
        self.simulator = simulator
        self.backend = backend
        self.exchanges = exchanges
        self.conditions = conditions
        self.catalogue = catalogue
    }

    /// A delivery to the embedded backend, as if over a socket.
    private static func deliver(
        _ request: OutboundRequest, to backend: EmbeddedBackend
    ) async -> Delivery {
        let prefix = "http://127.0.0.1:7071"
        guard !request.url.hasPrefix("https:") else {
            return Delivery(
                outcome: .failed(
                    TransportFailure(kind: .tls, detail: "no TLS there")))
        }
        guard request.url.hasPrefix(prefix) else {
            return Delivery(
                outcome: .failed(
                    TransportFailure(
                        kind: .connection, detail: "nothing listens there")))
        }
        var headers = request.headers
        headers["Host"] = "127.0.0.1:7071"
        let response = await backend.responder(
            Request(
                method: request.method,
                target: String(request.url.dropFirst(prefix.count)),
                headers: headers, body: request.body))
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return Delivery(
            outcome: .answered(
                Answer(
                    status: response.status, headers: response.headers,
                    body: body)), timings: Timings(total: 1))
    }

    /// What a start does with halves of snapshots.
    package func settleSnapshots() async throws {
        try await SnapshotHalves.settle(
            simulator, backend, hub: hub, world: frozen.world)
    }

    /// What a start does with workspaces that are gone.
    package func settleWorkspaces() async throws {
        try await Remains.settle(
            simulator, backend, exchanges, conditions, hub)
    }

    // MARK: Asking

    /// One request with the key; `json` becomes the body.
    package func ask(
        _ method: Method, _ target: String, json: JSON? = nil,
        headers more: [(String, String)] = []
    ) async -> (status: Int, json: JSON, headers: Headers) {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(Self.key)",
        ]
        for (name, value) in more { headers.add(name, value) }
        if json != nil { headers["Content-Type"] = "application/json" }
        let response = await site.responder(
            Request(
                method: method, target: target, headers: headers,
                body: json?.bytes ?? []))
        var parsed = JSON.null
        if case .bytes(let bytes) = response.body {
            parsed = (try? JSON(parsing: bytes)) ?? .null
        }
        return (response.status, parsed, response.headers)
    }

    /// A page's text with the key.
    package func page(
        _ target: String, device: String? = nil, workspace: String? = nil
    ) async -> (status: Int, text: String, headers: Headers) {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(Self.key)",
            "Accept": "text/html",
        ]
        if let device { headers["X-Foyer-Device"] = device }
        if let workspace { headers["X-Foyer-Workspace"] = workspace }
        let response = await site.responder(
            Request(method: .get, target: target, headers: headers))
        var text = ""
        if case .bytes(let bytes) = response.body {
            text = String(decoding: bytes, as: UTF8.self)
        }
        return (response.status, text, response.headers)
    }

    /// Sends a form to an app's screen on `device`; answers where it leads.
    package func submit(
        _ target: String, _ fields: [(String, String)], device: String
    ) async -> (status: Int, location: String?) {
        let response = await site.responder(
            Request(
                method: .post, target: target,
                headers: [
                    "Host": "127.0.0.1:7070",
                    "Authorization": "Bearer \(Self.key)",
                    "X-Foyer-Device": device,
                    "Content-Type": "application/x-www-form-urlencoded",
                ], body: Array(Form.encode(fields).utf8)))
        return (response.status, response.headers["Location"])
    }

    /// A fresh device's id.
    package func device() async -> String {
        await ask(.post, "/api/devices").json["id"]?.string ?? ""
    }
}
