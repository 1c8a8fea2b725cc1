import Web

/// The JSON API, one line a call.
enum API {
    static func routes(
        _ services: Services, _ visitors: Visitors, _ judge: SignatureJudge, _ leases: Leases,
        _ keeper: Guard
    ) -> [Route] {
        let apps = AppsAPI(services: services, visitors: visitors)
        let devices = DevicesAPI(services: services, visitors: visitors)
        let situations = SituationAPI(services: services, devices: devices, judge: judge)
        let storage = StorageAPI(services: services, situations: situations)
        let sessions = SessionsAPI(services: services, visitors: visitors, judge: judge)
        let tokens = TokensAPI(sessions: sessions)
        let exchanges = ExchangesAPI(services: services, visitors: visitors)
        let traffic = TrafficAPI(services: services, visitors: visitors)
        let mailbox = MailboxAPI(services: services, visitors: visitors)
        let events = EventsAPI(services: services, visitors: visitors)
        let workspace = WorkspaceAPI(services: services, visitors: visitors)
        let conditions = ConditionsAPI(services: services, visitors: visitors)
        let backend = BackendAPI(services: services, visitors: visitors)
        let clock = ClockAPI(services: services, visitors: visitors)
        let accounts = AccountsAPI(services: services, visitors: visitors)
        let leasing = LeasesAPI(
            services: services, visitors: visitors, leases: leases, keeper: keeper)
        let place = "/api/devices/{device}/apps/{app}"
        let snapshots = SnapshotsAPI(services: services, visitors: visitors)
        return accounts.routes + snapshots.routes + [
            Route(.get, "/health", access: .open, .health, handler: workspace.health),

            Route(.get, "/api/apps", .listApps, handler: apps.list),
            Route(
                .get, "/api/apps/{app}/flow", .readFlow, handler: FlowAPI(services: services).read),

            Route(.get, "/api/devices", .listDevices, handler: devices.list),
            Route(.post, "/api/devices", .createDevice, handler: devices.create),
            Route(.get, "/api/devices/current", .currentDevice, handler: devices.current),
            Route(.get, "/api/devices/{device}", .readDevice, handler: devices.read),
            Route(.patch, "/api/devices/{device}", .updateDevice, handler: devices.update),

            Route(.get, place, .readSituation, handler: situations.read),
            Route(.patch, place, .chooseBackend, handler: situations.update),
            Route(.post, place + "/relaunch", .relaunch, handler: situations.relaunch),
            Route(.get, place + "/storage/{key}", .readItem, handler: storage.read),
            Route(.put, place + "/storage/{key}", .writeItem, handler: storage.write),
            Route(.delete, place + "/storage/{key}", .deleteItem, handler: storage.delete),
            Route(.delete, place + "/storage", .deleteItems, handler: storage.deleteAll),

            Route(.get, "/api/sessions", .listSessions, handler: sessions.list),
            Route(.get, "/api/sessions/{session}", .readSession, handler: sessions.read),
            Route(
                .post, "/api/sessions/{session}/refresh", .refreshSession, handler: sessions.refresh
            ), Route(.delete, "/api/sessions/{session}", .endSession, handler: sessions.signOut),

            Route(.post, "/api/sessions/{session}/trials", .trySession, handler: tokens.trial),
            Route(.post, "/api/tokens/inspect", .inspectToken, handler: tokens.inspect),
            Route(.post, "/api/tokens/probe", .probeToken, handler: tokens.probe),

            Route(.get, "/api/exchanges", .listExchanges, handler: exchanges.list),
            Route(.delete, "/api/exchanges", .forgetExchanges, handler: exchanges.forget),
            Route(.get, "/api/exchanges/{exchange}", .readExchange, handler: exchanges.read),
            Route(.post, "/api/exchanges/import", .importExchanges, handler: traffic.take),
            Route(.get, "/api/exchanges/diff", .compareExchanges, handler: traffic.compare),
            Route(
                .post, "/api/exchanges/{exchange}/resend", .resendExchange, handler: traffic.resend),

            Route(.get, "/api/mailbox", .listMail, handler: mailbox.list),
            Route(.delete, "/api/mailbox", .forgetMail, handler: mailbox.forget),
            Route(.get, "/api/mailbox/wait", .waitForMail, handler: mailbox.wait),
            Route(.get, "/api/mailbox/{mail}", .readMail, handler: mailbox.read),

            Route(.get, "/api/backend", .readBackend, handler: backend.read),
            Route(.patch, "/api/backend/{contract}", .updateBackend, handler: backend.update),

            Route(.get, "/api/workspaces", .listWorkspaces, handler: leasing.list),
            Route(.post, "/api/workspaces", .leaseWorkspace, handler: leasing.lease),
            Route(.get, "/api/workspaces/{workspace}", .readWorkspace, handler: leasing.read),
            Route(.patch, "/api/workspaces/{workspace}", .extendWorkspace, handler: leasing.extend),
            Route(.delete, "/api/workspaces/{workspace}", .dropWorkspace, handler: leasing.drop),
            Route(.get, "/api/clock", .readClock, handler: clock.read),
            Route(.patch, "/api/clock", .setClock, handler: clock.update),
            Route(.get, "/api/conditions", .listConditions, handler: conditions.list),
            Route(.post, "/api/conditions", .createCondition, handler: conditions.create),
            Route(.delete, "/api/conditions", .endConditions, handler: conditions.endAll),
            Route(.get, "/api/conditions/sets", .listConditionSets, handler: conditions.sets),
            Route(.get, "/api/conditions/{condition}", .readCondition, handler: conditions.read),
            Route(.delete, "/api/conditions/{condition}", .endCondition, handler: conditions.end),

            Route(.get, "/api/events", .events, handler: events.stream),
            Route(.post, "/api/reset", .reset, handler: workspace.reset),
        ]
    }
}
