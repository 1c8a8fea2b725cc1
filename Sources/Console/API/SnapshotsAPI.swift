import Core
import FoundationEssentials
import Simulator
import Web
import Workspaces

/// `/api/snapshots`, and restoring an app to an event.
struct SnapshotsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    private var snapshots: Snapshots { services.snapshots }

    var routes: [Route] {
        let path = "/api/snapshots/{snapshot}"
        return [
            Route(.get, "/api/snapshots", .listSnapshots, handler: list),
            Route(.post, "/api/snapshots", .takeSnapshot, handler: take),
            Route(.get, path, .readSnapshot, handler: read),
            Route(.delete, path, .deleteSnapshot, handler: delete),
            Route(.post, path + "/restore", .restoreSnapshot, handler: restore),
            Route(.post, "/api/events/{event}/restore", .restoreToEvent, handler: restoreToEvent),
        ]
    }

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        let paging = try Paging(context, otherParameters: ["name"])
        let queryParameters = try context.query(allowing: ["name"] + Paging.parameterNames)
        let page = try await services.simulator.snapshots(
            in: try scopeResolver.workspace(of: context), name: queryParameters["name"],
            before: try paging.sequence(), limit: paging.limit)
        return .json(
            Paging.list(
                total: page.total, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    @Sendable private func take(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        var body = try BodyReader(context.request)
        let name = body.requiredString("name")
        if body.has("name"), let error = Snapshot.validationError(forName: name) {
            body.addError("name", error)
        }
        let device = body.string("device")
        let app = body.string("app")
        try body.finish()
        var deviceID = device
        if deviceID == nil {
            deviceID = try await scopeResolver.resolveDevice(of: context, in: workspace)?.id
        }
        guard let deviceID else { throw Problem.deviceRequired }
        do {
            return .json(
                try await snapshots.take(name, ofDevice: deviceID, app: app, in: workspace).json,
                status: 201)
        } catch var problem as Problem where problem.errors.isEmpty {
            // In this call the body names the device and the app.
            let field = ["unknown-device": "device", "unknown-app": "app"]
            if let name = field[problem.code] {
                problem.errors = [.init(pointer: "/\(name)", detail: problem.detail)]
            }
            throw problem
        }
    }

    @Sendable private func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return .json(try await services.snapshot(of: context, scopeResolver).json)
    }

    @Sendable private func restore(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        let snapshot = try await services.snapshot(of: context, scopeResolver)
        let note = try await snapshots.restore(snapshot)
        return .json(.object(snapshot.jsonMembers + [.init("note", .string(note))]))
    }

    @Sendable private func delete(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        let snapshot = try await services.snapshot(of: context, scopeResolver)
        try await snapshots.delete(snapshot)
        return .noContent
    }

    /// Restores the event's app on its device to the state right after the event.
    @Sendable private func restoreToEvent(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        let workspace = try scopeResolver.workspace(of: context)
        let event = try services.event(context.parameters["event"] ?? "", in: workspace)
        let (instance, note) = try await services.snapshots.restore(event)
        let status = try await services.simulator.status(instance)
        return .json([
            "event": .int(event.id), "app": .string(instance.app),
            "device": .string(instance.device),
            "screen": .string(status.screen), "note": .string(note),
        ])
    }
}

extension Problem {
    fileprivate static var deviceRequired: Problem {
        Problem(
            status: 400, code: "no-device", title: "Missing device",
            detail: """
                Set /device, or send X-Foyer-Device or the device cookie. \
                GET /api/devices lists the devices.
                """, errors: [.init(pointer: "/device", detail: "is missing")])
    }
}
