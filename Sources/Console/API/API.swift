import Core
import Inspection
import Web
import Workspaces

/// The JSON API's routes, one line each.
enum API {
    static func routes(
        _ services: Services, _ scopeResolver: ScopeResolver,
        _ signatureVerifier: SignatureVerifier,
        _ leases: Leases,
        _ accessGuard: Guard
    ) -> [Route] {
        let apps = AppsAPI(services: services, scopeResolver: scopeResolver)
        let devices = DevicesAPI(services: services, scopeResolver: scopeResolver)
        let appStates = AppStateAPI(
            services: services, devices: devices, signatureVerifier: signatureVerifier)
        let storage = StorageAPI(services: services, appStates: appStates)
        let sessions = SessionsAPI(
            services: services, scopeResolver: scopeResolver, signatureVerifier: signatureVerifier)
        let tokens = TokensAPI(sessions: sessions)
        let exchanges = ExchangesAPI(services: services, scopeResolver: scopeResolver)
        let traffic = TrafficAPI(services: services, scopeResolver: scopeResolver)
        let mailbox = MailboxAPI(services: services, scopeResolver: scopeResolver)
        let events = EventsAPI(services: services, scopeResolver: scopeResolver)
        let workspace = WorkspaceAPI(services: services, scopeResolver: scopeResolver)
        let faults = FaultsAPI(services: services, scopeResolver: scopeResolver)
        let backend = BackendAPI(services: services, scopeResolver: scopeResolver)
        let clock = ClockAPI(services: services, scopeResolver: scopeResolver)
        let accounts = AccountsAPI(services: services, scopeResolver: scopeResolver)
        let leasesAPI = LeasesAPI(
            services: services, scopeResolver: scopeResolver, leases: leases,
            accessGuard: accessGuard)
        let appPath = "/api/devices/{device}/apps/{app}"
        let snapshots = SnapshotsAPI(services: services, scopeResolver: scopeResolver)
        return accounts.routes + snapshots.routes + [
            Route(.get, "/health", access: .open, .health, handler: workspace.health),

            Route(.get, "/api/apps", .listApps, handler: apps.list),
            Route(
                .get, "/api/apps/{app}/map", .readTransitionMap,
                handler: TransitionMapAPI(services: services).read),

            Route(.get, "/api/devices", .listDevices, handler: devices.list),
            Route(.post, "/api/devices", .createDevice, handler: devices.create),
            Route(.get, "/api/devices/current", .currentDevice, handler: devices.current),
            Route(.get, "/api/devices/{device}", .readDevice, handler: devices.read),
            Route(.patch, "/api/devices/{device}", .updateDevice, handler: devices.update),

            Route(.get, appPath, .readAppState, handler: appStates.read),
            Route(.patch, appPath, .chooseBackend, handler: appStates.update),
            Route(.post, appPath + "/relaunch", .relaunch, handler: appStates.relaunch),
            Route(.get, appPath + "/storage/{key}", .readStorageItem, handler: storage.read),
            Route(.put, appPath + "/storage/{key}", .writeStorageItem, handler: storage.write),
            Route(.delete, appPath + "/storage/{key}", .deleteStorageItem, handler: storage.delete),
            Route(.delete, appPath + "/storage", .deleteStorage, handler: storage.deleteAll),

            Route(.get, "/api/sessions", .listSessions, handler: sessions.list),
            Route(.get, "/api/sessions/{session}", .readSession, handler: sessions.read),
            Route(
                .post, "/api/sessions/{session}/refresh", .refreshSession, handler: sessions.refresh
            ), Route(.delete, "/api/sessions/{session}", .endSession, handler: sessions.signOut),

            Route(
                .post, "/api/sessions/{session}/refresh-tests", .runRefreshTest,
                handler: tokens.runRefreshTest),
            Route(.post, "/api/tokens/inspect", .inspectToken, handler: tokens.inspect),
            Route(.post, "/api/tokens/probe", .probeToken, handler: tokens.probe),

            Route(.get, "/api/exchanges", .listExchanges, handler: exchanges.list),
            Route(.delete, "/api/exchanges", .clearExchanges, handler: exchanges.clear),
            Route(.get, "/api/exchanges/{exchange}", .readExchange, handler: exchanges.read),
            Route(.post, "/api/exchanges/import", .importExchanges, handler: traffic.importArchive),
            Route(.get, "/api/exchanges/diff", .compareExchanges, handler: traffic.compare),
            Route(
                .post, "/api/exchanges/{exchange}/resend", .resendExchange, handler: traffic.resend),

            Route(.get, "/api/mailbox", .listMail, handler: mailbox.list),
            Route(.delete, "/api/mailbox", .clearMail, handler: mailbox.clear),
            Route(.get, "/api/mailbox/wait", .waitForMail, handler: mailbox.wait),
            Route(.get, "/api/mailbox/{mail}", .readMail, handler: mailbox.read),

            Route(.get, "/api/backend", .readBackend, handler: backend.read),
            Route(.patch, "/api/backend/{contract}", .updateBackend, handler: backend.update),

            Route(.get, "/api/workspaces", .listWorkspaces, handler: leasesAPI.list),
            Route(.post, "/api/workspaces", .leaseWorkspace, handler: leasesAPI.lease),
            Route(.get, "/api/workspaces/{workspace}", .readWorkspace, handler: leasesAPI.read),
            Route(
                .patch, "/api/workspaces/{workspace}", .extendWorkspace, handler: leasesAPI.update),
            Route(
                .delete, "/api/workspaces/{workspace}", .deleteWorkspace, handler: leasesAPI.delete),
            Route(.get, "/api/clock", .readClock, handler: clock.read),
            Route(.patch, "/api/clock", .setClock, handler: clock.update),
            Route(.get, "/api/faults", .listFaults, handler: faults.list),
            Route(.post, "/api/faults", .createFault, handler: faults.create),
            Route(.delete, "/api/faults", .deleteFaults, handler: faults.deleteAll),
            Route(.get, "/api/faults/presets", .listFaultPresets, handler: faults.presets),
            Route(.get, "/api/faults/{fault}", .readFault, handler: faults.read),
            Route(.delete, "/api/faults/{fault}", .deleteFault, handler: faults.delete),

            Route(.get, "/api/events", .streamEvents, handler: events.stream),
            Route(.post, "/api/reset", .reset, handler: workspace.reset),
        ]
    }
}

/// `POST /api/reset` and `GET /health`.
struct WorkspaceAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    /// Clears the workspace: devices, accounts, mail, traffic and faults.
    @Sendable func reset(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        try await services.leases.reset(workspace: scopeResolver.workspace(of: context))
        return .noContent
    }

    @Sendable func health(_ context: RequestContext) async throws -> Response {
        .json(["status": "ok", "version": .string(services.version)])
    }
}

/// `/api/events`: the workspace's timeline as server-sent events.
struct EventsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    private let cache = EncodedEventCache()

    init(services: Services, scopeResolver: ScopeResolver) {
        self.services = services
        self.scopeResolver = scopeResolver
    }

    /// Resumes after `Last-Event-ID` or `?after=`; without either, sends new events only.
    @Sendable func stream(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let queryParameters = try context.query(allowing: ["after"])
        let lastEventID = context.request.headers["Last-Event-ID"] ?? queryParameters["after"]
        let after = try lastEventID.map { text throws(Problem) in
            guard let id = Int64(text), id >= 0 else {
                throw Problem.badParameter(
                    "after", "must be an event id; 0 replays all stored events")
            }
            return id
        }
        return Response(
            status: 200,
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream(
                EventStreamChunks(
                    events: services.hub.listen(to: workspace, after: after), cache: cache)))
    }
}
