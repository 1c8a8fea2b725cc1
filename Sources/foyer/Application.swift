import Apps
import Backend
import BackendContracts
import BrowserCapture
import Console
import Core
import Crypto
import Email
import HTTPClient
import HTTPServer
import Inspection
import SMTPServer
import SQLite
import Simulator
import Templates
import Traffic
import Workspaces

/// The composition root: creates every service once, in the order of their dependencies.
struct Application {
    let options: RunOptions
    /// Locked for the lifetime of the process.
    let dataFolder: DataFolder
    let connectionBudget: ConnectionBudget
    let consoleKey: String?
    let site: Site
    let consoleServer: Server
    let backendServer: Server
    /// Nil without `--smtp-port`.
    let smtpServer: SMTPServer?
    let client: Client
    /// Starts Chromium for pictures when they are requested.
    let browser: SharedBrowser
    let recorder: Recorder
    let simulator: Simulator
    let catalog: AppCatalog
    let eventLog: EventLog
    let hub: EventHub
    let rules: RuleStore
    let sessionChecker: SessionChecker
    let databases: [Database]
    /// Background tasks: reloading manifests, expiring leases, indexing stored exchanges.
    let backgroundTasks: [Task<Void, Never>]

    init(_ options: RunOptions) async throws {
        self.options = options
        connectionBudget = try ConnectionBudget(descriptors: DescriptorLimit.raise())

        // World, events and the data folder.
        let world = World.live()
        let clocks = Clocks(real: world.now)
        hub = EventHub(now: world.now)
        let root = try Self.findRoot(options)
        let data = try DataFolder(options.dataPath)
        let userApps = try Self.prepareAppsFolder(options, data)
        dataFolder = data

        // Keys and databases.
        let sealer = try Sealer(key: try Self.loadSealingKey(data, world))
        consoleKey = try Self.loadConsoleKey(options, data, world)
        // Three files, opened concurrently: a first start waits only for the slowest. Templates are
        // read meanwhile.
        async let devicesFile = Self.openDatabase(
            data.filePath(DataFolder.devicesFile), .full, Simulator.migrations)
        async let trafficFile = Self.openDatabase(
            data.filePath(DataFolder.trafficFile), .normal, TrafficSchema.migrations)
        async let accountsFile = Self.openDatabase(
            data.filePath(DataFolder.backendFile), .full, EmbeddedBackend.migrations)
        async let loadedTemplates = Self.loadTemplates(root, userApps: userApps)
        let (devices, traffic, accounts) = try await (devicesFile, trafficFile, accountsFile)
        databases = [devices, traffic, accounts]
        eventLog = EventLog(database: traffic, world: world)
        try await eventLog.attach(to: hub)

        let faults = try await FaultStore(database: traffic, world: world, hub: hub)
        rules = try await RuleStore(database: traffic, sealer: sealer, world: world, hub: hub)

        // The two ports; clients that connect wait until their server starts.
        let consoleListener = try Self.listen(options, options.port, "--port")
        let consolePort = consoleListener.port
        let backendListener = try Self.listen(options, options.backendPort, "--backend-port")
        let backendBase = "http://127.0.0.1:\(backendListener.port)"

        // Domain services.
        let declaredTables = DeclaredTables()
        let backend = try await EmbeddedBackend(
            contracts: .all, database: accounts, sealer: sealer, world: world, clocks: clocks,
            hub: hub,
            hasher: PasswordHasher(
                cost: options.passwordCost, publicPasswords: Set(SamplePersona().passwords)),
            baseURL: backendBase,
            allowedHosts: Self.extraHosts(options), faultHooks: FaultHooks(faults: faults),
            declaredTables: declaredTables)
        var backendConfiguration = Self.serverConfiguration(
            world, connections: connectionBudget.backend)
        backendConfiguration.makeRejectionResponse = backend.rejectionResponder
        backendServer = try Server(
            backendListener, backendConfiguration, responder: backend.responder)
        var clientConfiguration = ClientConfiguration()
        clientConfiguration.userAgent = "Foyer/\(Foyer.version)"
        clientConfiguration.refusedPorts = [consolePort]
        clientConfiguration.transferLimit = connectionBudget.outgoingCalls
        clientConfiguration.idleConnectionLimit = connectionBudget.idleConnections
        client = try Client(clientConfiguration)
        let exchanges = ExchangeStore(
            database: traffic, sealer: sealer, world: world, maxCount: options.exchangeLimit,
            maxAge: .seconds(options.retentionDays * 86_400))
        recorder = Recorder(
            transport: client.transport, store: exchanges, world: world, hub: hub, faults: faults,
            rules: rules, tokenForger: TokenForger(backend, at: backendBase),
            backendChecks: { ExchangeCheck.checks(from: backend, requestID: $0) })
        catalog = AppCatalog(
            folders: [root + "/templates/apps", userApps], contracts: backend.contractIDs,
            now: world.now)
        declaredTables.use { [catalog] in catalog.tables(ofContract: $0) }
        simulator = try await Simulator(
            database: devices, sealer: sealer, catalog: catalog, recorder: recorder, world: world,
            clocks: clocks, hub: hub,
            embeddedBackend: EmbeddedBackendAccess(
                baseURL: backendBase, clientSetting: backend.clientSetting),
            foyerPorts: [consolePort])

        // Features.
        let leases = Leases(
            simulator: simulator, backend: backend, exchanges: exchanges, faults: faults,
            rules: rules,
            hub: hub, world: world)
        try await leases.recover()
        let intake = MailIntake(simulator: simulator, backend: backend, catalog: catalog)
        smtpServer = try Self.startSMTP(options, intake)
        let snapshots = Snapshots(
            simulator: simulator, backend: backend, catalog: catalog, hub: hub, world: world)
        try await snapshots.recover()
        let signatureVerifier = SignatureVerifier(
            simulator: simulator, backend: backend, catalog: catalog)
        sessionChecker = SessionChecker(
            reader: SessionSourcesReader(signatureVerifier), world: world)
        sessionChecker.start()

        // The console's pages and API.
        let cookieKey = Array((consoleKey ?? Hex.encode(world.randomBytes(32))).utf8)
        browser = SharedBrowser(
            Self.browserConfiguration(options, key: consoleKey), world: world)
        site = Site(
            services: Services(
                appCatalog: catalog, simulator: simulator, exchanges: exchanges, faults: faults,
                rules: rules, recorder: recorder, backend: backend, leases: leases,
                snapshots: snapshots,
                signatureVerifier: signatureVerifier, templates: try await loadedTemplates,
                hub: hub, world: world,
                version: Foyer.version, port: consolePort, backendBase: backendBase,
                smtpPort: smtpServer?.port, mac: { Digest.hmac($0, key: cookieKey) }),
            publicFolder: root + "/Public",
            userApps: userApps, key: consoleKey, hosts: Self.extraHosts(options),
            browser: browser, browserOrigin: Self.browserOrigin(options, port: consolePort),
            pictureSets: data.filePath("pictures"), problemForError: Self.makeProblem)
        var configuration = Self.serverConfiguration(world, connections: connectionBudget.console)
        configuration.isStreamingTarget = ProxyPages.isProxyTarget
        configuration.largeBodyLimit = site.fileLimit
        configuration.makeRejectionResponse = site.rejectionResponder
        consoleServer = try Server(consoleListener, configuration, responder: site.responder)

        backgroundTasks = [
            Task { [catalog, hub] in await Self.watchManifests(catalog, hub, world) },
            Task { await leases.runExpiry() }, Task { await exchanges.indexEarlierExchanges() },
        ]
        backend.startKeyGeneration()
    }

    /// Prints the console's URL, and warnings about unsafe settings.
    func printBanner() {
        let address = "http://127.0.0.1:\(consoleServer.port)/"
        if let key = consoleKey {
            StandardOutput.info("Foyer: \(address)?key=\(key)")
        } else {
            StandardOutput.info("Foyer: \(address)")
            StandardOutput.warn(
                "WARNING: --key none: any program on this machine can read the stored tokens.")
        }
        StandardOutput.info("embedded backend: http://127.0.0.1:\(backendServer.port)")
        if let smtpServer { StandardOutput.info("SMTP: 127.0.0.1:\(smtpServer.port)") }
        if let warning = connectionBudget.warning { StandardOutput.warn("NOTE: " + warning) }
        if options.bindAddress != "127.0.0.1" {
            StandardOutput.warn(
                "WARNING: listening on \(options.bindAddress): anyone who reaches this address and "
                    + "has the key can read all stored tokens.")
        }
        if let text = catalog.brokenAppsText { StandardOutput.warn(text.singleLine + ":") }
        for case .broken(_, let error) in catalog.entries() {
            for manifestError in error.allErrors { StandardOutput.warn(manifestError.summary) }
        }
    }

    /// Stops accepting, finishes pending requests, closes streams, stores pending writes and
    /// checkpoints.
    func close() async {
        for task in backgroundTasks { task.cancel() }
        hub.close()
        rules.close()
        await browser.close()
        await smtpServer?.stop()
        await consoleServer.stop()
        await backendServer.stop()
        await client.close()
        await recorder.flush()
        await simulator.flush()
        await eventLog.flush()
        for database in databases { await database.close() }
    }
}
