import Apps
import Inspection
import Simulator
import Web

/// `/api/devices/{device}/apps/{app}`: an app's state on a device.
struct AppStateAPI: Sendable {
    let services: Services
    let devices: DevicesAPI
    let signatureVerifier: SignatureVerifier

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return .json(try await json(try await instance(context)))
    }

    /// Changes the backend, the base URL and the settings.
    @Sendable func update(_ context: RequestContext) async throws -> Response {
        let instance = try await instance(context)
        let status = try await services.simulator.status(instance)
        var body = try BodyReader(context.request)
        let backend = body.string("backend")
        let base = body.string("base", limit: 2_048)
        let settings = body.strings("settings")
        if let backend, !status.app.backends.contains(where: { $0.id == backend }) {
            let backendIDs = status.app.backends.map(\.id).joined(separator: ", ")
            body.addError("backend", "must be one of \(backendIDs)")
        }
        try body.finish()
        try await services.simulator.chooseBackend(
            instance, backend: backend ?? status.backend, base: base, settings: settings)
        return .json(try await json(instance))
    }

    /// Runs the launch table as a cold start.
    @Sendable func relaunch(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let instance = try await instance(context)
        try BodyReader.requireEmptyBody(context.request)
        try await services.simulator.relaunch(instance, isKill: false)
        _ = try await services.simulator.launch(instance)
        return .json(try await json(instance))
    }

    /// The app and device named in the path.
    func instance(_ context: RequestContext) async throws -> AppInstance {
        let device = try await devices.requestedDevice(context)
        let app = context.parameters["app"] ?? ""
        guard services.appCatalog.app(app) != nil else { throw Problem.unknownApp(app) }
        return AppInstance(workspace: device.workspace, device: device.id, app: app)
    }

    func json(_ instance: AppInstance) async throws -> JSON {
        await services.simulator.sessionChecks.waitUntilIdle(in: instance.workspace)
        let status = try await services.simulator.status(instance)
        let items = try await services.simulator.storageItems(instance)
        var session = JSON.null
        if let storedSession = status.session {
            session = storedSession.json(
                signature: try await signatureVerifier.verdict(storedSession))
        }
        let notice = status.failure?.message ?? status.toast
        return [
            "app": .string(instance.app),
            "device": .string(instance.device),
            "screen": .string(status.screen),
            "launching": .bool(status.isLaunching),
            "backend": .string(status.backend),
            "base": .string(status.baseURL),
            "session": session,
            "storage": .array(items.map(\.json)),
            "notice": JSON(notice),
        ]
    }
}

extension StorageItemSummary {
    /// The list representation, with the value masked.
    var json: JSON {
        [
            "area": .string(area.rawValue),
            "key": .string(key),
            "holds": JSON(captureName),
            "masked": .string(maskedValue),
            "bytes": JSON(byteCount),
            "writtenAt": .string(writtenAt.iso8601),
            "accessible": JSON(accessibilityClass),
        ]
    }
}
