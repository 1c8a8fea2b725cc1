import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web
import Workspaces

/// `/api/workspaces`: isolated workspaces with an expiring lease.
enum WorkspacesAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/workspaces", "listWorkspaces", "Lists the workspaces, newest first.",
            reading: { Paging(&$0.query) },
            returning: .ok(.list(of: representation), "The list of workspaces.")
        ) { call, paging in
            let page = try await call.services.simulator.workspaces(
                after: paging.after, limit: paging.limit + 1)
            let workspaces = page.workspaces.prefix(paging.limit)
            let now = call.services.world.now()
            return ListPage(
                total: page.total, items: workspaces.map { ($0, now) },
                next: page.workspaces.count > workspaces.count ? workspaces.last?.id : nil)
        },

        Endpoint(
            .post, "/api/workspaces", "leaseWorkspace",
            """
            Creates an isolated workspace with a device, and returns the cookies to \
            use it. It expires after ttl seconds, 3600 by default. Its screens count \
            for the test run named by run, which ends when all its workspaces are \
            closed and it was idle for a minute; newRun starts another. The response \
            has the run's number.
            """, isBodyOptional: true, reading: { LeaseRequest(&$0) },
            returning: .created(LeasedWorkspace.representation, "The new workspace.") {
                "/api/workspaces/\($0.workspace.id)"
            }, errors: [409: "The app did not sign in the seed's user."], handler: lease),

        Endpoint(
            .get, workspacePath, "readWorkspace", "Returns one workspace.",
            returning: .ok(representation, "The workspace.")
        ) { call in (try await workspace(call), call.services.world.now()) },

        Endpoint(
            .patch, workspacePath, "extendWorkspace",
            "Extends a lease to ttl seconds from now, or renames the workspace.",
            reading: { (readLabel(&$0), readDuration(&$0.body)) },
            returning: .ok(representation, "The updated workspace."),
            errors: [409: "The workspace main is permanent."]
        ) { call, input in
            let (label, duration) = input
            let workspace = try await workspace(call)
            if duration != nil, workspace.id == Workspace.mainID {
                throw Problem.mainWorkspaceIsPermanent
            }
            let changed = try await call.services.leases.update(
                workspace.id, label: label, duration: duration)
            return (changed, call.services.world.now())
        },

        Endpoint(
            .delete, workspacePath, "deleteWorkspace", "Deletes a workspace and its contents.",
            returning: .noContent("The workspace was deleted."),
            errors: [409: "The workspace main is permanent."]
        ) { call in try await call.services.leases.end(try await workspace(call).id) },

        // Clears the workspace: devices, accounts, mail, traffic and faults.
        Endpoint(
            .post, "/api/reset", "reset", "Resets the workspace.",
            returning: .noContent("The workspace was reset.")
        ) { call in try await call.services.leases.reset(workspace: call.workspace) },
    ]

    private static let workspacePath = "/api/workspaces/{workspace}"

    private static func workspace(_ call: APICall) async throws -> Workspace {
        try await call.services.simulator.workspace(call.path("workspace"))
    }

    fileprivate static func readLabel(_ parameters: inout ParameterReader) -> String? {
        let label = parameters.body.string("label", limit: Leases.maxLabelBytes)
        if let label, let call = parameters.call,
            let error = call.services.leases.labelError(
                in: label, for: call.context.parameters["workspace"])
        {
            parameters.body.addError("label", error)
        }
        return label
    }

    /// Reads `ttl`, in seconds.
    fileprivate static func readDuration(_ body: inout BodyReader) -> Duration? {
        guard let seconds = body.number("ttl") else { return nil }
        let duration = Leases.duration(seconds: seconds)
        if duration == nil { body.addError("ttl", Leases.durationRule) }
        return duration
    }

    /// Creates a workspace with a device, and returns what a test needs to use both.
    @Sendable private static func lease(_ call: APICall, _ request: LeaseRequest) async throws
        -> LeasedWorkspace
    {
        let services = call.services
        let workspace = try await services.leases.create(
            label: request.label, duration: request.duration, for: .playback)
        do {
            let device = try await services.simulator.makeDevice(in: workspace.id)
            var seedResult = Seeder.SeedResult()
            var instance: AppInstance?
            if let seed = request.seed {
                let seeded = AppInstance(workspace: workspace.id, device: device.id, app: seed.app)
                seedResult = try await services.seeder.seed(
                    seed, on: seeded, contract: contract(of: seed, services))
                instance = seeded
            }
            // After seeding, because the seed's activity does not belong to the test run.
            let run = try await services.simulator.assignWorkspace(
                workspace.id, toTestRun: request.runName, startsNewRun: request.isNewRun,
                currentInstance: instance)
            return LeasedWorkspace(
                workspace: workspace, now: services.world.now(), device: device,
                seedResult: seedResult, run: run, host: requestedHost(call), call: call)
        } catch {
            // The client does not know the workspace yet; do not leave it half set up.
            await services.leases.abandon(workspace.id)
            throw error
        }
    }

    /// The embedded contract the app uses by default.
    private static func contract(of seed: Seed, _ services: Services) throws(Problem) -> String {
        do { return try services.requireContract(seed.app) } catch {
            throw error.prefixingPointers { _ in "/seed" }
        }
    }

    /// The host name in the request's `Host` header, to which the cookies are bound.
    private static func requestedHost(_ call: APICall) -> String {
        let host = call.context.request.headers["Host"] ?? "127.0.0.1"
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
        return String(host[..<colon])
    }

    /// `now` is the system time.
    fileprivate static let members: [Representation<(workspace: Workspace, now: Date)>.Member] = [
        .init("id") { $0.workspace.id }, .init("label") { $0.workspace.label },
        .init("createdAt") { workspace, _ in
            workspace.createdAt.timeIntervalSince1970 == 0 ? nil : workspace.createdAt
        }, .init("expiresAt") { $0.workspace.expiresAt },
        .init(
            "clock",
            Representation<(workspace: Workspace, now: Date)>([
                .init("now") { $0.workspace.clock.time(at: $0.now) },
                .init("offset") { $0.workspace.clock.roundedOffset },
                .init("frozen") { $0.workspace.clock.isFrozen },
            ])
        ) { $0 },
    ]

    private static let representation = Representation("Workspace", members)
}

/// The body that leases a workspace.
private struct LeaseRequest: Sendable {
    let label: String
    let duration: Duration?
    /// A test run's name; empty for none.
    let runName: String
    let isNewRun: Bool
    let seed: Seed?

    init(_ parameters: inout ParameterReader) {
        label = WorkspacesAPI.readLabel(&parameters) ?? ""
        duration = WorkspacesAPI.readDuration(&parameters.body)
        let run = parameters.body.string("run", limit: TestRun.maxNameLength)
        runName = (run ?? "").whitespaceCollapsed
        let isPrintable = runName.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                $0.properties.generalCategory)
        }
        if !isPrintable { parameters.body.addError("run", "contains invisible characters") }
        isNewRun = parameters.body.bool("newRun") ?? false
        seed = parameters.body.object("seed") { Seed(&$0) }
    }
}

/// A new workspace and what a test needs to use it.
private struct LeasedWorkspace: Sendable {
    let workspace: Workspace
    let now: Date
    let device: Device
    let seedResult: Seeder.SeedResult
    let run: Int
    let host: String
    let call: APICall

    private var cookies: [StorageStateCookie] {
        let access = call.accessGuard.makeCookie()
        let scopeResolver = call.services.scopeResolver
        return [
            (access.name, access.value), (scopeResolver.workspaceCookieName, workspace.id),
            (scopeResolver.deviceCookieName(in: workspace.id), device.id),
        ].map { StorageStateCookie(name: $0.0, value: $0.1, domain: host) }
    }

    /// The base URL of each app's embedded backend.
    private var backendBases: [String: String] {
        call.services.appCatalog.apps.reduce(into: [:]) { bases, app in
            bases[app.id] = app.backends.lazy.compactMap(\.contract).first.map {
                "\(call.services.backendBase)/\(workspace.id)/\($0)"
            }
        }
    }

    static let representation = Representation<LeasedWorkspace>(
        "LeasedWorkspace",
        WorkspacesAPI.members.map { $0.of { ($0.workspace, $0.now) } } + [
            .init("device") { $0.device.id },
            .init(
                "storageState",
                Representation([
                    .init("cookies", array: StorageStateCookie.representation) { $0.cookies },
                    .init("origins", schema: Schema.array(Schema.anyObject)) { _ in [] },
                ])
            ) { $0 }, .init("backendBase") { $0.backendBases },
            .init("mailbox") { "http://\($0.host):\($0.call.services.port)/api/mailbox" },
            // Null if no account was seeded.
        ] + Seeder.SeedResult.members.map { $0.of { $0.seedResult } } + [
            .init("run") { $0.run }
        ])
}

extension Seeder.SeedResult {
    static let members: [Representation<Self>.Member] = [
        .init(
            "user",
            optional: Representation([
                .init("id") { $0.userID }, .init("email") { $0.email },
                .init("password") { $0.password },
            ])
        ) { $0.email == nil && $0.userID == nil ? nil : $0 }, .init("session") { $0.session },
    ]
}

extension Seed {
    /// Reads `{app, user: {email?, password?, displayName?}, state, accessTokenTTL?}`.
    fileprivate init(_ body: inout BodyReader) {
        self.init(app: body.requiredString("app"), &body, state: .verified)
    }

    /// Reads all but the app; `state` is the state if the body names none.
    init(app: String, _ body: inout BodyReader, state: State) {
        self.init(app: app, state: body.choice("state", of: State.self) ?? state)
        person.accessTokenTTL = body.integer(
            "accessTokenTTL", in: AccountChange.accessTokenTTLRange)
        let user = body.object("user") { user in
            (
                email: user.string("email", limit: 254), password: user.string("password"),
                displayName: user.string("displayName", limit: 100)
            )
        }
        person.email = user?.email
        person.password = user?.password
        person.displayName = user?.displayName
    }
}
