import Apps
import Simulator
import Web

/// `/api/devices/{device}/apps/{app}`: where an app stands on a device.
struct SituationAPI: Sendable {
    let services: Services
    let devices: DevicesAPI
    let judge: SignatureJudge

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        return .json(try await json(try await place(visit)))
    }

    /// Another backend, another base, other settings.
    @Sendable func update(_ visit: Visit) async throws -> Response {
        let place = try await place(visit)
        let now = try await services.simulator.situation(place)
        var body = try BodyReader(visit.request)
        let backend = body.string("backend")
        let base = body.string("base", limit: 2_048)
        let settings = body.strings("settings")
        if let backend, !now.app.backends.contains(where: { $0.id == backend }) {
            let known = now.app.backends.map(\.id).joined(separator: ", ")
            body.fail("backend", "is unknown; there are \(known)")
        }
        try body.finish()
        try await services.simulator.chooseBackend(
            place, backend: backend ?? now.backend, base: base, settings: settings)
        return .json(try await json(place))
    }

    /// Runs the launch table as a cold start.
    @Sendable func relaunch(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let place = try await place(visit)
        try BodyReader.expectNothing(visit.request)
        try await services.simulator.relaunch(place, kill: false)
        _ = try await services.simulator.launch(place)
        return .json(try await json(place))
    }

    /// The app and device named in the path.
    func place(_ visit: Visit) async throws -> Place {
        let device = try await devices.named(visit)
        let app = visit.parameters["app"] ?? ""
        guard services.catalogue.app(app) != nil else { throw Problem.unknownApp(app) }
        return Place(workspace: device.workspace, device: device.id, app: app)
    }

    func json(_ place: Place) async throws -> JSON {
        await services.simulator.checks.settle(in: place.workspace)
        let situation = try await services.simulator.situation(place)
        let items = try await services.simulator.items(place)
        var session = JSON.null
        if let held = situation.session {
            session = held.json(signature: try await judge.verdict(held))
        }
        let notice = situation.failure?.message ?? situation.toast
        return [
            "app": .string(place.app),
            "device": .string(place.device),
            "screen": .string(situation.screen),
            "launching": .bool(situation.launching),
            "backend": .string(situation.backend),
            "base": .string(situation.base),
            "session": session,
            "storage": .array(items.map(\.json)),
            "notice": JSON(notice),
        ]
    }
}

extension StoredItem {
    /// Without the whole value.
    var json: JSON {
        [
            "area": .string(area.rawValue),
            "key": .string(key),
            "holds": JSON(holds),
            "masked": .string(masked),
            "bytes": JSON(bytes),
            "writtenAt": .string(writtenAt.iso8601),
            "accessible": JSON(accessible),
        ]
    }
}
