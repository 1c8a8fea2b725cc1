import Apps
import Backend
import Core
import Simulator
import Templates
import Web
import Workspaces

/// Sessions created without a screen, and several ended at once.
extension SessionsPages {
    // MARK: Seed a session

    @Sendable func showSeedForm(_ context: RequestContext) async throws -> Response {
        let app = try context.query(allowing: ["app", "part"])["app"]
        return try await services.respond(
            to: context, try await seedPage(context, app: app, device: nil, state: nil),
            "sessions/seedpage", parts: ["dialog": "sessions/seed"])
    }

    /// Signs a test user in on the chosen device, or a new one, and shows the session.
    @Sendable func seed(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let workspace = try services.workspace(of: context)
        do {
            let state =
                try form.choice(
                    "state", of: Seed.State.allCases.filter(\.isSignedIn).map(\.rawValue)
                ).flatMap(Seed.State.init) ?? .signedIn
            let app = form["app"] ?? ""
            _ = try services.requireContract(app)
            let device =
                if let id = form["device"]?.nonEmpty {
                    try await services.simulator.device(id, in: workspace)
                } else { try await services.simulator.makeDevice(in: workspace) }
            guard let device else { throw Problem.unknownDevice(form["device"] ?? "") }
            let result = try await services.seed(
                Seed(app: app, state: state),
                on: AppInstance(workspace: workspace, device: device.id, app: app),
                opensScreen: true)
            return .redirect(to: result.session.map { Links.session($0) } ?? Links.sessions)
        } catch let problem as Problem where problem.status < 500 {
            let page = try await seedPage(
                context, app: form["app"], device: form["device"], state: form["state"],
                error: problem.formMessage)
            return try await services.respond(
                to: context, page, "sessions/seedpage", status: problem.status)
        }
    }

    private func seedPage(
        _ context: RequestContext, app: String?, device: String?, state: String?,
        error: String? = nil
    ) async throws -> Page {
        let workspace = try services.workspace(of: context)
        let devices = try await services.simulator.devices(in: workspace, at: Keyset(limit: 50))
        return Page(
            title: "Seed a session", navItem: "sessions", url: Links.seedSession,
            model: [
                "apps": services.appCatalog.apps.filter {
                    services.appCatalog.contract(ofApp: $0.id) != nil
                }.map { ChoiceModel(value: $0.id, label: $0.name, chosen: $0.id == app) },
                "states": Seed.State.allCases.filter(\.isSignedIn).map {
                    ChoiceModel(
                        value: $0.rawValue, label: $0.label,
                        chosen: $0.rawValue == state ?? Seed.State.signedIn.rawValue)
                },
                "devices": [ChoiceModel(value: "", label: "New device", chosen: device == nil)]
                    + devices.items.map {
                        ChoiceModel(value: $0.id, label: $0.label, chosen: $0.id == device)
                    }, "error": error,
            ])
    }

    // MARK: Sign out all

    /// The form's action has the list's filters in its query.
    @Sendable func confirmSignOutAll(_ context: RequestContext) async throws -> Response {
        let query = try filteredQuery(context)
        let count = try await services.openSessions(query).count
        let filters = context.target.query.filter { $0.name != "part" }.map { ($0.name, $0.value) }
        let scope = filters.isEmpty ? "" : " of this list"
        return try await services.confirm(
            context, "Sign out all", navItem: "sessions",
            ConfirmModel(
                action: Links.url(Links.signOutAll, filters.map { ($0.0, Optional($0.1)) }),
                question: "Sign out \(Format.count(count, "session"))\(scope)?",
                consequence: "Each app's own logout runs, and its device clears the tokens. "
                    + "Accounts stay.",
                confirmLabel: "Sign out \(Format.count(count, "session"))",
                backURL: Links.url(Links.sessions, filters.map { ($0.0, Optional($0.1)) })))
    }

    @Sendable func signOutAll(_ context: RequestContext) async throws -> Response {
        let query = try filteredQuery(context)
        let result = try await services.signOutAll(query)
        if let failure = result.failures.first {
            throw Problem(
                status: 409, code: "sign-out-failed",
                title: "\(Format.count(result.failures.count, "session")) not signed out",
                detail: "\(Format.count(result.signedOut)) signed out. \(failure)")
        }
        return .redirect(to: Links.sessions)
    }

    private func filteredQuery(_ context: RequestContext) throws(Problem) -> SessionQuery {
        var reader = QueryReader(context, allowing: ["part"])
        var query = SessionQuery(&reader)
        try reader.finish()
        query.workspace = try services.workspace(of: context)
        return query
    }
}

extension Services {
    /// Signs a test user in on a device that has no session of the app.
    func seed(_ seed: Seed, on instance: AppInstance, opensScreen: Bool) async throws
        -> Seeder.SeedResult
    {
        let status = try await simulator.status(instance)
        if let session = status.session, session.endedAt == nil {
            throw Problem(
                status: 409, code: "signed-in", title: "A user is already signed in on this device",
                detail: "Sign out on the device, or clear the app data first.")
        }
        guard let contract = appCatalog.contract(ofBackend: status.backend, app: instance.app)
        else {
            throw Problem(
                status: 409, code: "no-seeds", title: "This backend has no test users",
                detail: "Test users need the embedded backend: select it for this device.")
        }
        return try await seeder.seed(
            seed, on: instance, contract: contract, opensScreen: opensScreen)
    }

    /// The sessions of a query whose tokens the devices still store.
    func openSessions(_ query: SessionQuery) async throws -> [Session] {
        var sessions: [Session] = []
        let states = query.state.map { [$0] } ?? [.active, .expired, .revoked]
        for state in states where state != .signedOut {
            var query = query
            query.state = state
            query.keyset = Keyset(limit: 500)
            while true {
                let page = try await simulator.sessions(query).page
                sessions += page.items.filter { $0.endedAt == nil }
                guard page.hasOlder, let last = page.last else { break }
                query.keyset = Keyset(before: last, limit: 500)
            }
        }
        return sessions
    }

    /// Signs out each of them, at most eight at a time.
    func signOutAll(_ query: SessionQuery) async throws -> (signedOut: Int, failures: [String]) {
        let sessions = try await openSessions(query)
        var failures: [String] = []
        await withTaskGroup(of: String?.self) { group in
            var remaining = sessions[...]
            func next() {
                guard let session = remaining.popFirst() else { return }
                group.addTask {
                    do {
                        try await simulator.signOut(session: session.id, in: session.workspace)
                        return nil
                    } catch let problem as Problem {
                        // Ended in the meantime.
                        return problem.code == "session-ended" ? nil : problem.detail
                    } catch { return "The sign-out failed." }
                }
            }
            for _ in 0..<8 { next() }
            for await failure in group {
                if let failure { failures.append(failure) }
                next()
            }
        }
        return (sessions.count - failures.count, failures)
    }
}
