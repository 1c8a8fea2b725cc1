import Apps
import Backend
import BackendContracts
import Console
import Core
import Crypto
import Inspection
import SQLite
import Simulator
import Support
import Templates
import Testing
import Traffic
import Web
import Workspaces

/// The console and everything below it, in memory and without a socket: calls reach the embedded
/// backend by its responder.
struct FoyerFixture: Sendable {
    let frozen: FrozenWorld
    let hub: EventHub
    let site: Site
    let simulator: Simulator
    let backend: EmbeddedBackend
    let exchanges: ExchangeStore
    let faults: FaultStore
    let rules: RuleStore
    let catalog: AppCatalog
    /// `leases.recover()` and `snapshots.recover()` are the recovery at start.
    let leases: Leases
    let snapshots: Snapshots
    private let sessionChecker: SessionChecker

    /// The console's key in every test.
    static let key = "a-key-for-tests-only"

    /// The repository's root, where `templates/` and `Public/` are.
    static let root: String = {
        let file = #filePath
        return file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
    }()

    /// `apps` is an additional folder of apps; `data` is a folder for database files instead of
    /// memory; `pictures` is the folder of picture sets; `upstream` may respond instead of the embedded backend.
    init(
        apps: String? = nil, data: String? = nil, pictures: String? = nil,
        upstream: (@Sendable (OutboundRequest) async -> ExchangeResult.Outcome?)? = nil
    ) async throws {
        let frozen = FrozenWorld()
        let world = frozen.world
        let clocks = Clocks(real: world.now)
        let hub = EventHub(now: world.now)
        let sealer = try Sealer(key: Array(repeating: 3, count: 32))
        func path(_ name: String) -> String { data.map { "\($0)/\(name).sqlite" } ?? ":memory:" }
        let accounts = try Database(
            path: path("backend"), durability: .normal, migrations: EmbeddedBackend.migrations)
        try await TestKey.lend(to: accounts, sealedBy: sealer)
        let records = try Database(
            path: path("traffic"), durability: .normal, migrations: TrafficSchema.migrations)
        let faults = try await FaultStore(database: records, world: world, hub: hub)
        let rules = try await RuleStore(database: records, sealer: sealer, world: world, hub: hub)
        let backend = try await EmbeddedBackend(
            contracts: .all, database: accounts, sealer: sealer, world: world,
            clocks: clocks, hub: hub,
            hasher: PasswordHasher(cost: 1), baseURL: "http://127.0.0.1:7071",
            faultHooks: FaultHooks(faults: faults))
        let exchanges = ExchangeStore(database: records, sealer: sealer, world: world)
        let transport = Transport { request in
            if let outcome = await upstream?(request) { return ExchangeResult(outcome: outcome) }
            return await Self.deliver(request, to: backend)
        }
        let recorder = Recorder(
            transport: transport, store: exchanges, world: world, hub: hub, faults: faults,
            rules: rules, tokenForger: TokenForger(backend, at: "http://127.0.0.1:7071"),
            backendChecks: { ExchangeCheck.checks(from: backend, requestID: $0) })
        let folders = [Self.root + "/templates/apps"] + [apps].compactMap(\.self)
        let catalog = AppCatalog(folders: folders, contracts: backend.contractIDs, now: world.now)
        let simulator = try await Simulator(
            database: try Database(
                path: path("devices"), durability: .normal, migrations: Simulator.migrations),
            sealer: sealer, catalog: catalog, recorder: recorder, world: world, clocks: clocks,
            hub: hub,
            embeddedBackend: EmbeddedBackendAccess(
                baseURL: "http://127.0.0.1:7071", clientSetting: backend.clientSetting),
            foyerPorts: [7070])
        leases = Leases(
            simulator: simulator, backend: backend, exchanges: exchanges, faults: faults,
            rules: rules,
            hub: hub, world: world)
        snapshots = Snapshots(
            simulator: simulator, backend: backend, catalog: catalog, hub: hub, world: world)
        let signatureVerifier = SignatureVerifier(
            simulator: simulator, backend: backend, catalog: catalog)
        sessionChecker = SessionChecker(
            reader: SessionSourcesReader(signatureVerifier), world: world)
        sessionChecker.start()
        let templates = try apps == nil ? Self.templates.get() : Self.templates(in: folders)
        site = Site(
            services: Services(
                appCatalog: catalog, simulator: simulator, exchanges: exchanges,
                faults: faults, rules: rules, recorder: recorder, backend: backend, leases: leases,
                snapshots: snapshots, signatureVerifier: signatureVerifier, templates: templates,
                hub: hub, world: world, version: "0.0.0", port: 7070,
                backendBase: "http://127.0.0.1:7071",
                mac: { Digest.hmac($0, key: Array(Self.key.utf8)) }),
            publicFolder: Self.root + "/Public", userApps: apps, key: Self.key, hosts: [],
            pictureSets: pictures, problemForError: { _ in nil })
        self.frozen = frozen
        self.hub = hub
        self.simulator = simulator
        self.backend = backend
        self.exchanges = exchanges
        self.faults = faults
        self.rules = rules
        self.catalog = catalog
    }

    /// Parsed once for all fixtures without additional apps.
    private static let templates = Result { try templates(in: []) }

    private static func templates(in folders: [String]) throws -> Templates {
        try Templates(
            folders: [Templates.Folder(path: root + "/templates")]
                + folders.dropFirst().map { Templates.Folder(path: $0, prefix: "apps") })
    }

    /// Delivers a request to the embedded backend as if over a socket.
    private static func deliver(_ request: OutboundRequest, to backend: EmbeddedBackend) async
        -> ExchangeResult
    {
        let prefix = "http://127.0.0.1:7071"
        guard !request.url.hasPrefix("https:") else {
            return ExchangeResult(
                outcome: .failed(TransportFailure(.tls, "no TLS there")))
        }
        guard request.url.hasPrefix(prefix) else {
            return ExchangeResult(
                outcome: .failed(
                    TransportFailure(.connection, "nothing listens there")))
        }
        var headers = request.headers
        headers["Host"] = "127.0.0.1:7071"
        let response = await backend.responder(
            Request(
                method: request.method, target: String(request.url.dropFirst(prefix.count)),
                headers: headers, body: request.body))
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return ExchangeResult(
            outcome: .responded(
                UpstreamResponse(status: response.status, headers: response.headers, body: body)),
            timings: Timings(total: 1))
    }

    // MARK: Requests

    /// Sends a request with the key. The body is `json`, or `text`, which may be invalid JSON.
    func ask(
        _ method: Method, _ target: String, json: JSON? = nil, text: String? = nil,
        headers additional: [(String, String)] = []
    ) async -> (status: Int, json: JSON, headers: Headers) {
        var headers: Headers = ["Host": "127.0.0.1:7070", "Authorization": "Bearer \(Self.key)"]
        for (name, value) in additional { headers.add(name, value) }
        let body = text.map { Array($0.utf8) } ?? json?.bytes
        if body != nil { headers["Content-Type"] = "application/json" }
        let response = await site.responder(
            Request(method: method, target: target, headers: headers, body: body ?? []))
        var parsed = JSON.null
        if case .bytes(let bytes) = response.body { parsed = (try? JSON(parsing: bytes)) ?? .null }
        return (response.status, parsed, response.headers)
    }

    /// Requests a page with the key, or with the `cookies` of a browser.
    func page(
        _ target: String, device: String? = nil, workspace: String? = nil, cookies: String? = nil,
        headers additional: [(String, String)] = []
    ) async -> (status: Int, text: String, headers: Headers) {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(Self.key)", "Accept": "text/html",
        ]
        if let device { headers["X-Foyer-Device"] = device }
        if let workspace { headers["X-Foyer-Workspace"] = workspace }
        if let cookies {
            headers["Authorization"] = nil
            headers["Sec-Fetch-Site"] = "same-origin"
            headers["Cookie"] = cookies
        }
        for (name, value) in additional { headers.add(name, value) }
        let response = await site.responder(Request(method: .get, target: target, headers: headers))
        return (response.status, Self.text(of: response), response.headers)
    }

    /// Submits a form with the key, to an app's screen on `device` or to a page. Returns the
    /// location it redirects to, or the page of the response.
    func submit(_ target: String, _ fields: [(String, String)], device: String? = nil) async -> (
        status: Int, location: String?, text: String
    ) {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(Self.key)", "Accept": "text/html",
            "Content-Type": "application/x-www-form-urlencoded",
        ]
        if let device { headers["X-Foyer-Device"] = device }
        let response = await site.responder(
            Request(
                method: .post, target: target, headers: headers,
                body: Array(Form.encode(fields).utf8)))
        return (response.status, response.headers["Location"], Self.text(of: response))
    }

    private static func text(of response: Response) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Creates a device and returns its id.
    func device() async -> String { await ask(.post, "/api/devices").json["id"]?.string ?? "" }

    // MARK: Setup that has to succeed

    /// Sends a request that has to succeed.
    @discardableResult func succeed(
        _ method: Method, _ target: String, json: JSON? = nil, headers: [(String, String)] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> JSON {
        let response = await ask(method, target, json: json, headers: headers)
        #expect(
            (200..<300).contains(response.status), "\(target): \(response.json)",
            sourceLocation: sourceLocation)
        return response.json
    }

    /// Submits a form that has to redirect, no matter where to.
    func submitSuccessfully(
        _ target: String, _ fields: [(String, String)], device: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let status = await submit(target, fields, device: device).status
        #expect(status == 303, "\(target)", sourceLocation: sourceLocation)
    }

    /// Requests a page and checks its status.
    func expectPage(
        _ target: String, device: String? = nil, workspace: String? = nil,
        status expected: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let status = await page(target, device: device, workspace: workspace).status
        #expect(status == expected, "\(target)", sourceLocation: sourceLocation)
    }
}
