import Web

/// The JSON API, one line a call.
enum API {
    static func routes(
        _ services: Services, _ scopeResolver: ScopeResolver, _ judge: SignatureVerifier,
        _ leases: Leases,
        _ keeper: Guard
    ) -> [Route] {
        let apps = AppsAPI(services: services, scopeResolver: scopeResolver)
        let devices = DevicesAPI(services: services, scopeResolver: scopeResolver)
        let situations = AppStateAPI(services: services, devices: devices, signatureVerifier: judge)
        let storage = StorageAPI(services: services, appStates: situations)
        let sessions = SessionsAPI(
            services: services, scopeResolver: scopeResolver, signatureVerifier: judge)
        let tokens = TokensAPI(sessions: sessions)
        let exchanges = ExchangesAPI(services: services, scopeResolver: scopeResolver)
        let traffic = TrafficAPI(services: services, scopeResolver: scopeResolver)
        let mailbox = MailboxAPI(services: services, scopeResolver: scopeResolver)
        let events = EventsAPI(services: services, scopeResolver: scopeResolver)
        let workspace = WorkspaceAPI(services: services, scopeResolver: scopeResolver)
        let conditions = FaultsAPI(services: services, scopeResolver: scopeResolver)
        let backend = BackendAPI(services: services, scopeResolver: scopeResolver)
        let clock = ClockAPI(services: services, scopeResolver: scopeResolver)
        let accounts = AccountsAPI(services: services, scopeResolver: scopeResolver)
        let leasing = LeasesAPI(
            services: services, scopeResolver: scopeResolver, leases: leases, accessGuard: keeper)
        let place = "/api/devices/{device}/apps/{app}"
        let snapshots = SnapshotsAPI(services: services, scopeResolver: scopeResolver)
        return accounts.routes + snapshots.routes + [
            Route(.get, "/health", access: .open, .health, handler: workspace.health),

            Route(.get, "/api/apps", .listApps, handler: apps.list),
            Route(
                .get, "/api/apps/{app}/flow", .readTransitionMap,
                handler: TransitionMapAPI(services: services).read),

            Route(.get, "/api/devices", .listDevices, handler: devices.list),
            Route(.post, "/api/devices", .createDevice, handler: devices.create),
            Route(.get, "/api/devices/current", .currentDevice, handler: devices.current),
            Route(.get, "/api/devices/{device}", .readDevice, handler: devices.read),
            Route(.patch, "/api/devices/{device}", .updateDevice, handler: devices.update),

            Route(.get, place, .readAppState, handler: situations.read),
            Route(.patch, place, .chooseBackend, handler: situations.update),
            Route(.post, place + "/relaunch", .relaunch, handler: situations.relaunch),
            Route(.get, place + "/storage/{key}", .readStorageItem, handler: storage.read),
            Route(.put, place + "/storage/{key}", .writeStorageItem, handler: storage.write),
            Route(.delete, place + "/storage/{key}", .deleteStorageItem, handler: storage.delete),
            Route(.delete, place + "/storage", .deleteStorage, handler: storage.deleteAll),

            Route(.get, "/api/sessions", .listSessions, handler: sessions.list),
            Route(.get, "/api/sessions/{session}", .readSession, handler: sessions.read),
            Route(
                .post, "/api/sessions/{session}/refresh", .refreshSession, handler: sessions.refresh
            ), Route(.delete, "/api/sessions/{session}", .endSession, handler: sessions.signOut),

            Route(
                .post, "/api/sessions/{session}/trials", .runRefreshTest,
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

            Route(.get, "/api/workspaces", .listWorkspaces, handler: leasing.list),
            Route(.post, "/api/workspaces", .leaseWorkspace, handler: leasing.lease),
            Route(.get, "/api/workspaces/{workspace}", .readWorkspace, handler: leasing.read),
            Route(.patch, "/api/workspaces/{workspace}", .extendWorkspace, handler: leasing.update),
            Route(
                .delete, "/api/workspaces/{workspace}", .deleteWorkspace, handler: leasing.delete),
            Route(.get, "/api/clock", .readClock, handler: clock.read),
            Route(.patch, "/api/clock", .setClock, handler: clock.update),
            Route(.get, "/api/conditions", .listFaults, handler: conditions.list),
            Route(.post, "/api/conditions", .createFault, handler: conditions.create),
            Route(.delete, "/api/conditions", .deleteFaults, handler: conditions.deleteAll),
            Route(.get, "/api/conditions/sets", .listFaultPresets, handler: conditions.presets),
            Route(.get, "/api/conditions/{condition}", .readFault, handler: conditions.read),
            Route(.delete, "/api/conditions/{condition}", .deleteFault, handler: conditions.delete),

            Route(.get, "/api/events", .streamEvents, handler: events.stream),
            Route(.post, "/api/reset", .reset, handler: workspace.reset),
        ]
    }
}
