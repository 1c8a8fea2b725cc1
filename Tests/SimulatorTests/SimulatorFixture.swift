import Apps
import Core
import Crypto
import FoundationEssentials
import SQLite
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// The simulator over a scripted backend, with the real manifests.
struct SimulatorFixture {
    let frozen: FrozenWorld
    let hub: EventHub
    let stub: StubTransport
    let exchanges: ExchangeStore
    let conditions: FaultStore
    let database: Database
    let simulator: Simulator

    /// `path` is the devices' database; `apps` a folder of manifests;
    /// `transport` goes instead of the stub's.
    init(
        path: String = ":memory:", apps: String = Self.manifests, skippingSleeps: Bool = false,
        transport: Transport? = nil
    ) async throws {
        let frozen = FrozenWorld(skippingSleeps: skippingSleeps)
        self.frozen = frozen
        hub = EventHub(now: { frozen.now })
        stub = StubTransport { Issue.record("nobody expected \($0)") }
        let sealer = try Sealer(key: Array(repeating: 7, count: 32))
        let records = try Database(
            path: ":memory:", durability: .normal, migrations: TrafficSchema.migrations)
        exchanges = ExchangeStore(database: records, sealer: sealer, world: frozen.world)
        conditions = try await FaultStore(database: records, world: frozen.world, hub: hub)
        database = try Database(path: path, durability: .normal, migrations: Simulator.migrations)
        simulator = try await Simulator(
            database: database, sealer: sealer,
            catalog: AppCatalog(folders: [apps], now: frozen.world.now),
            recorder: Recorder(
                transport: transport ?? stub.transport, store: exchanges, world: frozen.world,
                hub: hub, faults: conditions), world: frozen.world,
            clocks: Clocks(real: { frozen.now }), hub: hub,
            embeddedBackend: EmbeddedBackendAccess(baseURL: "http://127.0.0.1:7071"),
            foyerPorts: [7070, 7071])
    }

    /// The manifests of this project.
    static let manifests: String = {
        let folder = #filePath.split(separator: "/").dropLast(3)
        return "/" + folder.joined(separator: "/") + "/templates/apps"
    }()

    /// A new device with an app on it.
    func phone(_ app: String = "mystica") async throws -> Phone {
        let device = try await simulator.makeDevice(in: "main")
        return Phone(
            house: self, place: AppInstance(workspace: "main", device: device.id, app: app))
    }

    func events(_ kind: Event.Kind) -> [Event] { hub.events(in: "main").filter { $0.kind == kind } }

    func allSessions() async throws -> [Session] {
        try await simulator.sessions(SessionQuery(workspace: "main")).items.map(\.session)
    }
}

/// An app on a device, in a test's hands.
struct Phone {
    let house: SimulatorFixture
    let place: AppInstance

    var simulator: Simulator { house.simulator }
    var stub: StubTransport { house.stub }

    var now: AppStatus { get async throws { try await simulator.status(place) } }

    var screen: String { get async throws { try await now.screen } }

    var stored: [String: String] {
        get async throws {
            var stored: [String: String] = [:]
            for item in try await simulator.storageItems(place) {
                stored[item.key] = try await simulator.reveal(place, key: item.key)
            }
            return stored
        }
    }

    /// How many wait for the end of an action under way.
    func waiting(_ screen: String, _ action: String) async throws -> Int {
        let app = try simulator.app(place)
        let life = try await simulator.runner.context(place, app).transient.launchID
        return simulator.runner.actions.waiterCount(
            .init(instance: place, launchID: life, screen: screen, action: action))
    }

    func launch() async throws -> ActionResult { try await simulator.launch(place) }

    /// Started with another of the manifest's backends.
    func launch(with backend: String) async throws -> ActionResult {
        try await simulator.chooseBackend(place, backend: backend, base: nil, settings: nil)
        return try await launch()
    }

    func open(_ screen: String) async throws -> ScreenResult {
        try await simulator.openScreen(place, screen: screen)
    }

    func act(_ screen: String, _ action: String = "submit", _ form: [String: String] = [:])
        async throws -> ActionResult
    { try await simulator.runAction(place, screen: screen, action: action, form: form) }

    func login(_ email: String = "rowan@mystica.app", _ password: String = "sparrow-9!")
        async throws -> ActionResult
    { try await act("login", "submit", ["email": email, "password": password]) }

    /// Started, and signed in with the first of `Wire`'s tokens.
    func signedIn(_ access: String = Wire.token(1)) async throws -> Phone {
        _ = try await launch()
        stub.script("POST /auth/login", Wire.session(access, "refresh-token-1"))
        let result = try await login()
        #expect(result == ActionResult(screen: "map", succeeded: true))
        return self
    }
}

extension ScreenResult {
    /// What is shown; nil for a redirect.
    var shown: AppStatus? { if case .show(let status) = self { status } else { nil } }

    var redirected: String? { if case .redirect(let screen) = self { screen } else { nil } }
}

/// What a backend says, in the document's own shapes.
enum Wire {
    /// An access token that ends an hour after noon; it is told by its number.
    static func token(_ number: Int, expires: Double = 3_600, email: String = "rowan@mystica.app")
        -> String
    {
        let exp = Int(FrozenWorld.noon.timeIntervalSince1970 + expires)
        let header = base64(#"{"alg":"HS256","typ":"JWT"}"#)
        let claims = base64(#"{"sub":"usr-1","email":"\#(email)","exp":\#(exp),"n":\#(number)}"#)
        return "\(header).\(claims).c2lnbmF0dXJlc2lnbmF0dXJl"
    }

    private static func base64(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    static func session(_ access: String, _ refresh: String) -> StubTransport.Reply {
        .json(
            200,
            #"""
            {"user":{"id":"usr-1","email":"rowan@mystica.app"},
             "session":{"access_token":"\#(access)",
                        "refresh_token":"\#(refresh)"}}
            """#)
    }

    static func refreshed(_ access: String, _ refresh: String) -> StubTransport.Reply {
        .json(200, #"{"access_token":"\#(access)","refresh_token":"\#(refresh)"}"#)
    }

    static let me = StubTransport.Reply.json(
        200, #"{"id":"usr-1","email":"rowan@mystica.app","level":7}"#)

    static func error(
        _ status: Int, _ code: String = "some_code", _ message: String = "Something from the server"
    ) -> StubTransport.Reply {
        .json(status, #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#)
    }
}
