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

/// A simulator with a scripted backend and the real manifests.
struct SimulatorFixture {
    let frozen: FrozenWorld
    let hub: EventHub
    let stub: StubTransport
    let exchanges: ExchangeStore
    let faults: FaultStore
    let database: Database
    let simulator: Simulator

    /// `path` is the device database, `apps` the folder of the manifests. `transport` replaces the
    /// stub's.
    init(
        path: String = ":memory:", apps: String = Self.manifests, skippingSleeps: Bool = false,
        transport: Transport? = nil
    ) async throws {
        let frozen = FrozenWorld(skippingSleeps: skippingSleeps)
        self.frozen = frozen
        hub = EventHub(now: { frozen.now })
        stub = StubTransport { Issue.record("unexpected request: \($0)") }
        let sealer = try Sealer(key: Array(repeating: 7, count: 32))
        let trafficDatabase = try Database(
            path: ":memory:", durability: .normal, migrations: TrafficSchema.migrations)
        exchanges = ExchangeStore(database: trafficDatabase, sealer: sealer, world: frozen.world)
        faults = try await FaultStore(database: trafficDatabase, world: frozen.world, hub: hub)
        database = try Database(path: path, durability: .normal, migrations: Simulator.migrations)
        simulator = try await Simulator(
            database: database, sealer: sealer,
            catalog: AppCatalog(folders: [apps], now: frozen.world.now),
            recorder: Recorder(
                transport: transport ?? stub.transport, store: exchanges, world: frozen.world,
                hub: hub, faults: faults), world: frozen.world,
            clocks: Clocks(real: { frozen.now }), hub: hub,
            embeddedBackend: EmbeddedBackendAccess(baseURL: "http://127.0.0.1:7071"),
            foyerPorts: [7070, 7071])
    }

    /// The manifests of this project.
    static let manifests: String = {
        let folder = #filePath.split(separator: "/").dropLast(3)
        return "/" + folder.joined(separator: "/") + "/templates/apps"
    }()

    /// An app on a new device.
    func phone(_ app: String = "mystica") async throws -> Phone {
        let device = try await simulator.makeDevice(in: "main")
        return Phone(
            fixture: self, instance: AppInstance(workspace: "main", device: device.id, app: app))
    }

    func events(_ kind: Event.Kind) -> [Event] { hub.events(in: "main").filter { $0.kind == kind } }

    func allSessions() async throws -> [Session] {
        try await simulator.sessions(SessionQuery(workspace: "main")).page.items
    }
}

/// An app on a device, used by a test.
struct Phone {
    let fixture: SimulatorFixture
    let instance: AppInstance

    var simulator: Simulator { fixture.simulator }
    var stub: StubTransport { fixture.stub }

    var now: AppStatus { get async throws { try await simulator.status(instance) } }

    var screen: String { get async throws { try await now.screen } }

    var stored: [String: String] {
        get async throws {
            var stored: [String: String] = [:]
            for item in try await simulator.storageItems(instance) {
                stored[item.key] = try await simulator.reveal(instance, key: item.key)
            }
            return stored
        }
    }

    /// Number of callers that wait for a running action.
    func waiterCount(_ screen: String, _ action: String) async throws -> Int {
        let run = ActionRun(try await simulator.context(instance), .submit)
        return simulator.actions.waiterCount(RunKey(run, screen: screen, action: action))
    }

    func launch() async throws -> ActionResult { try await simulator.launch(instance) }

    /// Launches the app with another backend of its manifest.
    func launch(with backend: String) async throws -> ActionResult {
        try await simulator.chooseBackend(instance, backend: backend, base: nil, settings: nil)
        return try await launch()
    }

    func open(_ screen: String) async throws -> ScreenResult {
        try await simulator.openScreen(instance, screen: screen)
    }

    func act(_ screen: String, _ action: String = "submit", _ form: [String: String] = [:])
        async throws -> ActionResult
    { try await simulator.runAction(instance, screen: screen, action: action, form: form) }

    func login(_ email: String = "rowan@mystica.app", _ password: String = "sparrow-9!")
        async throws -> ActionResult
    { try await act("login", "submit", ["email": email, "password": password]) }

    /// Launches the app and signs in; the backend issues `access`.
    func signedIn(_ access: String = Wire.token(1)) async throws -> Phone {
        _ = try await launch()
        stub.script("POST /auth/login", Wire.session(access, "refresh-token-1"))
        let result = try await login()
        #expect(result == ActionResult(screen: "map", succeeded: true))
        return self
    }
}

extension ScreenResult {
    /// The status of the shown screen; nil for a redirect.
    var shown: AppStatus? { if case .show(let status) = self { status } else { nil } }

    var redirected: String? { if case .redirect(let screen) = self { screen } else { nil } }
}

/// Responses of Mystica's backend, in the shapes of its specification.
enum Wire {
    /// An access token that expires `expires` seconds after noon; its number makes it unique.
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
