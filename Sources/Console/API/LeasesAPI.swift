import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// `/api/workspaces`: a world of one's own in one call.
struct LeasesAPI: Sendable {
    let services: Services
    let visitors: Visitors
    let leases: Leases
    let keeper: Guard

    @Sendable func list(_ visit: Visit) async throws -> Response {
        let paging = try Paging(visit)
        let page = try await services.simulator.workspaces(
            after: paging.after, limit: paging.limit + 1)
        let shown = page.workspaces.prefix(paging.limit)
        let now = services.world.now()
        return .json(
            Paging.list(
                total: page.total, shown.map { $0.json(now: now) },
                next: page.workspaces.count > shown.count ? shown.last?.id : nil))
    }

    /// A workspace with a device, and all a test needs to use both.
    @Sendable func lease(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        var body = try BodyReader(visit.request, optional: true)
        let label = self.label(&body) ?? ""
        let lease = Self.lease(&body)
        let run = Self.run(&body)
        let isNewRun = body.bool("newRun") ?? false
        let seed = Self.seed(&body)
        try body.finish()
        let workspace = try await leases.make(label: label, lease: lease, for: .rehearsal)
        let device: Device
        let number: Int
        var planted = Seeding.Planted()
        do {
            device = try await services.simulator.makeDevice(in: workspace.id)
            if let seed {
                planted = try await Seeding(services: services).plant(
                    seed, on: Place(workspace: workspace.id, device: device.id, app: seed.app))
            }
            // What is planted was not the test's doing.
            number = try await services.simulator.count(
                workspace.id, toRun: run, isNew: isNewRun,
                standing: seed.map {
                    Place(workspace: workspace.id, device: device.id, app: $0.app)
                })
        } catch {
            // Nobody has heard of it yet: half a world is none.
            await leases.abandon(workspace.id)
            throw error
        }
        var response = Response.json(
            json(workspace, device, planted, run: number, host(visit)), status: 201)
        response.headers["Location"] = "/api/workspaces/\(workspace.id)"
        return response
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try await named(visit)
        return .json(workspace.json(now: services.world.now()))
    }

    /// `{ttl}`: so many seconds more, from now; `{label}`: another name.
    @Sendable func extend(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try await named(visit)
        var body = try BodyReader(visit.request)
        let label = self.label(&body, for: workspace.id)
        let lease = Self.lease(&body)
        try body.finish()
        if lease != nil, workspace.id == Workspace.main { throw Problem.mainStays }
        let changed = try await leases.change(workspace.id, label: label, lease: lease)
        return .json(changed.json(now: services.world.now()))
    }

    @Sendable func drop(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        try await leases.end(try await named(visit).id)
        return .noContent
    }

    private func named(_ visit: Visit) async throws -> Workspace {
        try await services.simulator.workspace(visit.parameters["workspace"] ?? "")
    }

    private func label(_ body: inout BodyReader, for id: String? = nil) -> String? {
        let label = body.string("label", limit: Leases.longestLabel)
        if let fault = label.flatMap({ leases.fault(ofLabel: $0, for: id) }) {
            body.fail("label", fault)
        }
        return label
    }

    /// A test run's name; blank, it has none.
    private static func run(_ body: inout BodyReader) -> String {
        let name = (body.string("run", limit: TestRun.longestName) ?? "").trimmed
        let isSeen = name.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                $0.properties.generalCategory)
        }
        if !isSeen { body.fail("run", "has characters that nobody sees") }
        return name
    }

    private static func seed(_ body: inout BodyReader) -> Seed? {
        guard var part = body.object("seed") else { return nil }
        let seed = Seed(&part)
        body.take(errorsOf: part)
        return seed
    }

    /// `ttl` in seconds.
    private static func lease(_ body: inout BodyReader) -> Duration? {
        guard let seconds = body.number("ttl") else { return nil }
        let lease = Leases.lease(seconds: seconds)
        if lease == nil { body.fail("ttl", Leases.rule) }
        return lease
    }

    /// The name the client reached us by: its cookies are for that one.
    private func host(_ visit: Visit) -> String {
        let host = visit.request.headers["Host"] ?? "127.0.0.1"
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
        return String(host[..<colon])
    }

    private func json(
        _ workspace: Workspace, _ device: Device, _ planted: Seeding.Planted, run: Int,
        _ host: String
    ) -> JSON {
        guard case .object(var members) = workspace.json(now: services.world.now()) else {
            preconditionFailure("a workspace is an object")
        }
        let key = keeper.freshCookie()
        let cookies: [JSON] = [
            .storageStateCookie(key.name, key.value, at: host),
            .storageStateCookie(visitors.workspaceCookie, workspace.id, at: host),
            .storageStateCookie(visitors.deviceCookie(in: workspace.id), device.id, at: host),
        ]
        let bases = services.apps.compactMap { app in
            services.contract(ofApp: app.id).map { contract in
                JSON.Member(app.id, .string("\(services.backendBase)/\(workspace.id)/\(contract)"))
            }
        }
        members += [
            .init("device", .string(device.id)),
            .init("storageState", ["cookies": .array(cookies), "origins": .array([])]),
            .init("backendBase", .object(bases)),
            .init("mailbox", .string("http://\(host):\(services.port)/api/mailbox")),
            .init("user", planted.json), .init("session", JSON(planted.session)),
            .init("run", JSON(run)),
        ]
        return .object(members)
    }
}

extension Seeding.Planted {
    /// Null where nobody was planted.
    fileprivate var json: JSON {
        guard email != nil || userID != nil else { return .null }
        return ["id": JSON(userID), "email": JSON(email), "password": JSON(password)]
    }
}
