import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web
import Workspaces

/// `/api/workspaces`: isolated workspaces with an expiring lease.
struct LeasesAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let leases: Leases
    let accessGuard: Guard

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let paging = try Paging(context)
        let page = try await services.simulator.workspaces(
            after: paging.after, limit: paging.limit + 1)
        let workspaces = page.workspaces.prefix(paging.limit)
        let now = services.world.now()
        return .json(
            Paging.list(
                total: page.total, workspaces.map { $0.json(now: now) },
                next: page.workspaces.count > workspaces.count ? workspaces.last?.id : nil))
    }

    /// Creates a workspace with a device, and returns what a test needs to use both.
    @Sendable func lease(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        var body = try BodyReader(context.request, optional: true)
        let label = self.readLabel(&body) ?? ""
        let duration = Self.lease(&body)
        let runName = Self.readRunName(&body)
        let isNewRun = body.bool("newRun") ?? false
        let seed = Self.readSeed(&body)
        try body.finish()
        let workspace = try await leases.create(label: label, duration: duration, for: .playback)
        let device: Device
        let runNumber: Int
        var seedResult = Seeder.SeedResult()
        do {
            device = try await services.simulator.makeDevice(in: workspace.id)
            if let seed {
                seedResult = try await services.seeder.seed(
                    seed,
                    on: AppInstance(workspace: workspace.id, device: device.id, app: seed.app),
                    contract: contract(of: seed))
            }
            // After seeding, because the seed's activity does not belong to the test run.
            runNumber = try await services.simulator.assignWorkspace(
                workspace.id, toTestRun: runName, startsNewRun: isNewRun,
                currentInstance: seed.map {
                    AppInstance(workspace: workspace.id, device: device.id, app: $0.app)
                })
        } catch {
            // The client does not know the workspace yet; do not leave it half set up.
            await leases.abandon(workspace.id)
            throw error
        }
        var response = Response.json(
            json(workspace, device, seedResult, run: runNumber, requestedHost(context)), status: 201
        )
        response.headers["Location"] = "/api/workspaces/\(workspace.id)"
        return response
    }

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try await requestedWorkspace(context)
        return .json(workspace.json(now: services.world.now()))
    }

    /// `{ttl}` sets the expiry to that many seconds from now, `{label}` the name.
    @Sendable func update(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try await requestedWorkspace(context)
        var body = try BodyReader(context.request)
        let label = self.readLabel(&body, for: workspace.id)
        let duration = Self.lease(&body)
        try body.finish()
        if duration != nil, workspace.id == Workspace.mainID {
            throw Problem.mainWorkspaceIsPermanent
        }
        let changed = try await leases.update(workspace.id, label: label, duration: duration)
        return .json(changed.json(now: services.world.now()))
    }

    @Sendable func delete(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        try await leases.end(try await requestedWorkspace(context).id)
        return .noContent
    }

    private func requestedWorkspace(_ context: RequestContext) async throws -> Workspace {
        try await services.simulator.workspace(context.parameters["workspace"] ?? "")
    }

    private func readLabel(_ body: inout BodyReader, for id: String? = nil) -> String? {
        let label = body.string("label", limit: Leases.maxLabelBytes)
        if let error = label.flatMap({ leases.labelError(in: $0, for: id) }) {
            body.addError("label", error)
        }
        return label
    }

    /// A test run's name; empty for none.
    private static func readRunName(_ body: inout BodyReader) -> String {
        let name = (body.string("run", limit: TestRun.maxNameLength) ?? "").whitespaceCollapsed
        let isPrintable = name.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                $0.properties.generalCategory)
        }
        if !isPrintable { body.addError("run", "contains invisible characters") }
        return name
    }

    private static func readSeed(_ body: inout BodyReader) -> Seed? {
        guard var part = body.object("seed") else { return nil }
        let seed = Seed(&part)
        body.collectErrors(of: part)
        return seed
    }

    /// The embedded contract the app uses by default.
    private func contract(of seed: Seed) throws(Problem) -> String {
        do { return try services.requireContract(seed.app) } catch {
            throw error.prefixingPointers { _ in "/seed" }
        }
    }

    /// Reads `ttl`, in seconds.
    private static func lease(_ body: inout BodyReader) -> Duration? {
        guard let seconds = body.number("ttl") else { return nil }
        let duration = Leases.duration(seconds: seconds)
        if duration == nil { body.addError("ttl", Leases.durationRule) }
        return duration
    }

    /// The host name in the request's `Host` header, to which the cookies are bound.
    private func requestedHost(_ context: RequestContext) -> String {
        let host = context.request.headers["Host"] ?? "127.0.0.1"
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
        return String(host[..<colon])
    }

    private func json(
        _ workspace: Workspace, _ device: Device, _ seedResult: Seeder.SeedResult, run: Int,
        _ host: String
    ) -> JSON {
        guard case .object(var members) = workspace.json(now: services.world.now()) else {
            preconditionFailure("a workspace is an object")
        }
        let accessCookie = accessGuard.makeCookie()
        let cookies: [JSON] = [
            .storageStateCookie(accessCookie.name, accessCookie.value, at: host),
            .storageStateCookie(scopeResolver.workspaceCookieName, workspace.id, at: host),
            .storageStateCookie(
                scopeResolver.deviceCookieName(in: workspace.id), device.id, at: host),
        ]
        let bases = services.appCatalog.apps.compactMap { app in
            services.appCatalog.contract(ofApp: app.id).map { contract in
                JSON.Member(app.id, .string("\(services.backendBase)/\(workspace.id)/\(contract)"))
            }
        }
        members += [
            .init("device", .string(device.id)),
            .init("storageState", ["cookies": .array(cookies), "origins": .array([])]),
            .init("backendBase", .object(bases)),
            .init("mailbox", .string("http://\(host):\(services.port)/api/mailbox")),
            .init("user", seedResult.json), .init("session", JSON(seedResult.session)),
            .init("run", JSON(run)),
        ]
        return .object(members)
    }
}

extension Seeder.SeedResult {
    /// Null if no account was seeded.
    fileprivate var json: JSON {
        guard email != nil || userID != nil else { return .null }
        return ["id": JSON(userID), "email": JSON(email), "password": JSON(password)]
    }
}
