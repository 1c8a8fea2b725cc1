import Apps
import Backend
import Console
import FoundationEssentials
import HTTPClient
import HTTPServer
import SQLite
import Secrets
import Simulator
import Surroundings
import Templates
import Traffic
import Web

/// The composition root: every room, made once, in the order they rest on
/// each other.
struct House {
    let options: Options
    /// Locked as long as the house stands.
    let data: DataFolder
    let budget: ConnectionBudget
    let key: String?
    let site: Site
    let console: Server
    let backendServer: Server
    let client: Client
    let recorder: Recorder
    let simulator: Simulator
    let catalogue: Catalogue
    let eventLog: EventLog
    let hub: EventHub
    let databases: [Database]
    /// What goes on beside requests: reading apps again, ending leases.
    let chores: [Task<Void, Never>]

    static func build(_ options: Options) async throws -> House {
        let budget = try ConnectionBudget(descriptors: DescriptorLimit.raise())

        // The outside world.
        let world = World.live()
        let clocks = Clocks(real: world.now)
        let hub = EventHub(now: world.now)
        let root = try root(options)
        try checkApps(options)
        let data = try DataFolder(options.data)

        // Keys and databases.
        let sealer = try Sealer(key: try sealingKey(data, world))
        let key = try consoleKey(options, data, world)
        // Three files, made side by side: a first start waits for the slowest.
        async let devicesFile = database(data.file(DataFolder.devices), .full, Simulator.migrations)
        async let trafficFile = database(
            data.file(DataFolder.traffic), .normal, TrafficSchema.migrations)
        async let accountsFile = database(
            data.file(DataFolder.backend), .full, EmbeddedBackend.migrations)
        let (devices, traffic, accounts) = try await (devicesFile, trafficFile, accountsFile)
        let eventLog = EventLog(database: traffic, world: world)
        try await eventLog.attach(to: hub)

        let conditions = try await Conditions(database: traffic, world: world, hub: hub)

        // The two doors; they answer once the rooms behind them stand.
        let consoleDoor = LateResponder()
        let backendDoor = LateResponder()
        let console = try server(options, options.port, "--port", world, consoleDoor.respond) {
            configuration in
            configuration.connectionLimit = budget.console
            configuration.streams = ThroughPages.isAskedFor
            configuration.fileLimit = consoleDoor.fileLimit
            configuration.refuse = consoleDoor.refuse
        }
        let backendServer = try server(
            options, options.backendPort, "--backend-port", world, backendDoor.respond
        ) { $0.connectionLimit = budget.backend }
        let backendBase = "http://127.0.0.1:\(backendServer.port)"

        // What Foyer is about.
        let backend = try await EmbeddedBackend(
            database: accounts, sealer: sealer, world: world, clocks: clocks, hub: hub,
            hasher: PasswordHasher(cost: options.passwordCost), base: backendBase,
            hosts: hosts(options), trouble: Trouble(by: conditions))
        backendDoor.set(backend.responder)
        var bounds = ClientConfiguration()
        bounds.userAgent = "Foyer/\(Foyer.version)"
        bounds.refusedPorts = [console.port]
        bounds.transferLimit = budget.calls
        bounds.keptConnections = budget.kept
        let client = try Client(bounds)
        let exchanges = ExchangeStore(
            database: traffic, sealer: sealer, world: world,
            retention: .init(count: options.keep, age: .seconds(options.keepDays * 86_400)))
        let recorder = Recorder(
            transport: client.transport, store: exchanges, world: world, hub: hub,
            conditions: conditions, accomplice: Accomplice(backend, at: backendBase),
            checks: { ExchangeCheck.made(by: backend, for: $0) })
        let folders = [root + "/templates/apps"] + [options.apps].compactMap { $0 }
        let catalogue = Catalogue(folders: folders, contracts: backend.contractIDs, now: world.now)
        let simulator = try await Simulator(
            database: devices, sealer: sealer, catalogue: catalogue, recorder: recorder,
            world: world, clocks: clocks, hub: hub,
            embedded: Embedded(base: backendBase) { asked in
                backend.fact(asked.name, of: asked.contract, in: asked.workspace)
            }, ownPorts: [console.port])
        try await Remains.settle(simulator, backend, exchanges, conditions, hub)
        try await SnapshotHalves.settle(simulator, backend, hub: hub, world: world)

        // The study.
        let templates = try Templates(
            folders: [Templates.Folder(path: root + "/templates")]
                + folders.dropFirst().map { Templates.Folder(path: $0, prefix: "apps") })
        let site = Site(
            services: Services(
                catalogue: catalogue, simulator: simulator, exchanges: exchanges,
                conditions: conditions, recorder: recorder, backend: backend, templates: templates,
                hub: hub, world: world, version: Foyer.version, port: console.port,
                backendBase: backendBase), publicFolder: root + "/Public", userApps: options.apps,
            key: key, hosts: hosts(options), mac: mac(key ?? hex(world.random(32))),
            explain: explain)
        consoleDoor.set(site.responder, refuse: site.refuse, fileLimit: site.fileLimit)

        return House(
            options: options, data: data, budget: budget, key: key, site: site, console: console,
            backendServer: backendServer, client: client, recorder: recorder, simulator: simulator,
            catalogue: catalogue, eventLog: eventLog, hub: hub,
            databases: [devices, traffic, accounts],
            chores: [
                Task { await AppsWatch(catalogue: catalogue, hub: hub, world: world).run() },
                Task { await site.keepLeases() },
            ])
    }

    /// Tells where the console is, and what is unsafe about how it runs.
    func greet() {
        let address = "http://127.0.0.1:\(console.port)/"
        if let key {
            StandardOutput.say("Foyer: \(address)?key=\(key)")
        } else {
            StandardOutput.say("Foyer: \(address)")
            StandardOutput.complain(
                "WARNING: --key none: everything on this machine can read "
                    + "the tokens kept here.")
        }
        StandardOutput.say("embedded backend: http://127.0.0.1:\(backendServer.port)")
        if let note = budget.note { StandardOutput.complain("NOTE: " + note) }
        if options.bind != "127.0.0.1" {
            StandardOutput.complain(
                "WARNING: listening on \(options.bind): whoever reaches this "
                    + "address and has the key sees every token kept here.")
        }
        for case .broken(_, let error) in catalogue.entries() {
            for mistake in error.all { StandardOutput.complain(mistake.sentence) }
        }
    }

    /// Stops accepting, finishes what is under way, closes streams, stores
    /// what waits and checkpoints.
    func close() async {
        for chore in chores { chore.cancel() }
        hub.close()
        await console.stop()
        await backendServer.stop()
        await client.close()
        await recorder.flush()
        await simulator.flush()
        await eventLog.flush()
        for database in databases { await database.close() }
    }
}
