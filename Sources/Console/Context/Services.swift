package import Apps
package import Backend
package import Core
package import Inspection
package import Simulator
import Storyboards
package import Templates
package import Traffic
import Web
package import Workspaces

/// The services used by the console's handlers, created once by the composition root.
package struct Services: Sendable {
    package var appCatalog: AppCatalog
    package var simulator: Simulator
    package var exchanges: ExchangeStore
    package var faults: FaultStore
    package var rules: RuleStore
    package var recorder: Recorder
    package var backend: EmbeddedBackend
    package var leases: Leases
    package var snapshots: Snapshots
    package var signatureVerifier: SignatureVerifier
    package var templates: Templates
    package var hub: EventHub
    package var world: World
    /// The version of Foyer, `0.1.0`.
    package var version: String
    /// The console's own port, part of its cookie names.
    package var port: UInt16
    /// The embedded backend's address, `http://127.0.0.1:7071`.
    package var backendBase: String
    /// The port of the SMTP server on 127.0.0.1; nil if it is off.
    package var smtpPort: UInt16?
    /// Signs what a browser stores: session and device cookies.
    let mac: @Sendable (String) -> String
    var scopeResolver: ScopeResolver
    /// Rendered parts of pages, by the page's URL, the part's name and `Page.sharedPartsKey`.
    let sharedParts = SharedCache<[String], [UInt8]>(capacity: 64)
    /// By manifest.
    let screenGraphs = SharedCache<ScreenGraph.Key, ScreenGraph>(capacity: 128)
    /// By manifest; an entry keeps its manifest, so that the identifier is not used again.
    let storyboardStates = SharedCache<ObjectIdentifier, (App, [StoryboardState])>(capacity: 16)

    package init(
        appCatalog: AppCatalog, simulator: Simulator, exchanges: ExchangeStore,
        faults: FaultStore, rules: RuleStore, recorder: Recorder, backend: EmbeddedBackend,
        leases: Leases,
        snapshots: Snapshots, signatureVerifier: SignatureVerifier, templates: Templates,
        hub: EventHub, world: World, version: String,
        port: UInt16, backendBase: String, smtpPort: UInt16? = nil,
        mac: @escaping @Sendable (String) -> String
    ) {
        self.appCatalog = appCatalog
        self.simulator = simulator
        self.exchanges = exchanges
        self.faults = faults
        self.rules = rules
        self.recorder = recorder
        self.backend = backend
        self.leases = leases
        self.snapshots = snapshots
        self.signatureVerifier = signatureVerifier
        self.templates = templates
        self.hub = hub
        self.world = world
        self.version = version
        self.port = port
        self.backendBase = backendBase
        self.smtpPort = smtpPort
        self.mac = mac
        scopeResolver = ScopeResolver(
            simulator: simulator, port: port, world: world,
            deferredDevices: DeferredDevices(mac: mac))
    }
}

extension Services {
    /// The requested workspace; `main` if none is named.
    func workspace(of context: RequestContext) throws(Problem) -> String {
        try scopeResolver.workspace(of: context)
    }

    var seeder: Seeder { Seeder(simulator: simulator, backend: backend, catalog: appCatalog) }

    var resend: Resend {
        Resend(
            exchanges: exchanges, recorder: recorder, catalog: appCatalog, backendBase: backendBase)
    }

    var harImport: HARImport {
        HARImport(recorder: recorder, catalog: appCatalog, hub: hub, backendBase: backendBase)
    }

    var rejectionReader: RejectionReader {
        RejectionReader(exchanges: exchanges, signatureVerifier: signatureVerifier)
    }

    var sessionSourcesReader: SessionSourcesReader {
        SessionSourcesReader(signatureVerifier)
    }
}
