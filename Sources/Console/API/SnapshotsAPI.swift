import FoundationEssentials
import Simulator
import Surroundings
import Web

/// `/api/snapshots`, and putting one moment back.
struct SnapshotsAPI: Sendable {
    let services: Services
    let visitors: Visitors

    private var snapshots: Snapshots { Snapshots(services: services) }

    var routes: [Route] {
        let one = "/api/snapshots/{snapshot}"
        return [
            Route(.get, "/api/snapshots", .listSnapshots, handler: list),
            Route(.post, "/api/snapshots", .takeSnapshot, handler: take),
            Route(.get, one, .readSnapshot, handler: read),
            Route(.delete, one, .deleteSnapshot, handler: delete),
            Route(.post, one + "/restore", .restoreSnapshot, handler: restore),
            Route(.post, "/api/events/{event}/restore", .restoreMoment, handler: restoreMoment),
        ]
    }

    @Sendable private func list(_ visit: Visit) async throws -> Response {
        let paging = try Paging(visit, others: ["name"])
        let asked = try visit.query(allowing: ["name"] + Paging.names)
        let page = try await services.simulator.snapshots(
            in: try visitors.workspace(of: visit), name: asked["name"],
            before: try paging.sequence(), limit: paging.limit)
        return .json(
            Paging.list(
                total: page.total, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    @Sendable private func take(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        var body = try BodyReader(visit.request)
        let name = body.required("name")
        if body.has("name"), let wrong = Snapshot.objection(to: name) { body.fail("name", wrong) }
        let device = body.string("device")
        let app = body.string("app")
        try body.finish()
        var own = device
        if own == nil { own = try await visitors.usedDevice(of: visit, in: workspace)?.id }
        guard let own else { throw Problem.noDeviceNamed }
        do {
            return .json(
                try await snapshots.take(name, ofDevice: own, app: app, in: workspace).json,
                status: 201)
        } catch var problem as Problem where problem.errors.isEmpty {
            // In this call it is the body that named them.
            let field = ["unknown-device": "device", "unknown-app": "app"]
            if let name = field[problem.code] {
                problem.errors = [.init(pointer: "/\(name)", detail: problem.detail)]
            }
            throw problem
        }
    }

    @Sendable private func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        return .json(try await services.snapshot(of: visit, visitors).json)
    }

    @Sendable private func restore(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let snapshot = try await services.snapshot(of: visit, visitors)
        let note = try await snapshots.restore(snapshot)
        return .json(.object(snapshot.members + [.init("note", .string(note))]))
    }

    @Sendable private func delete(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let snapshot = try await services.snapshot(of: visit, visitors)
        try await snapshots.delete(snapshot)
        return .noContent
    }

    /// The app and the device the event names, as they were then.
    @Sendable private func restoreMoment(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let workspace = try visitors.workspace(of: visit)
        let event = try services.event(visit.parameters["event"] ?? "", in: workspace)
        let (place, note) = try await services.restore(event)
        let situation = try await services.simulator.situation(place)
        return .json([
            "event": .int(event.id), "app": .string(place.app), "device": .string(place.device),
            "screen": .string(situation.screen), "note": .string(note),
        ])
    }
}

extension Problem {
    fileprivate static var noDeviceNamed: Problem {
        Problem(
            status: 400, code: "no-device", title: "Of which device?",
            detail: """
                Name one in /device, or send X-Foyer-Device or its cookie. \
                GET /api/devices lists them.
                """, errors: [.init(pointer: "/device", detail: "is missing")])
    }
}
