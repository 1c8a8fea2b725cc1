import Apps
import FoundationEssentials
import Inspection
import Simulator
import Web
import Workspaces

/// `/api/devices/{device}/apps/{app}`: an app on a device, with its stored values.
enum DeviceAppsAPI {
    static let endpoints = [
        Endpoint(
            .get, appPath, "readAppState", "Returns an app's state on a device.",
            returning: .ok(AppState.representation, "The app's state.")
        ) { call in try await AppState(try await instance(call), call) },

        Endpoint(
            .patch, appPath, "chooseBackend",
            "Selects the app's backend, its base URL and settings.",
            reading: readBackendChange, returning: .ok(AppState.representation, "The app's state.")
        ) { call, change in
            let instance = try await instance(call)
            var backend = change.backend
            if backend == nil {
                backend = try await call.services.simulator.status(instance).backend
            }
            try await call.services.simulator.chooseBackend(
                instance, backend: backend ?? "", base: change.base, settings: change.settings)
            return try await AppState(instance, call)
        },

        Endpoint(
            .get, appPath + "/log", "readAppLog",
            "Returns the app's debug log on a device, without secrets.",
            returning: .response(
                200, "One line per event, oldest first.",
                [.init("text/plain", ["schema": Schema.string])]),
            errors: [404: "The app writes no log with its backend."]
        ) { call in
            let instance = try await instance(call)
            let status = try await call.services.simulator.status(instance)
            return .plainText(try call.services.appLogText(of: instance, status))
        },

        action(
            .post, appPath + "/relaunch", "relaunch", "Restarts the app and runs its launch table."
        ) { instance, call in
            try await call.services.simulator.relaunch(instance, isKill: false)
            _ = try await call.services.simulator.launch(instance)
        },

        action(
            .post, appPath + "/force-quit", "forceQuit",
            "Ends the app and restarts it; the response to a running request is discarded."
        ) { instance, call in
            try await call.services.simulator.relaunch(instance, isKill: true)
            _ = try await call.services.simulator.launch(instance)
        },

        action(
            .post, appPath + "/background", "sendToBackground",
            "Sends the app to the background, where it makes no calls."
        ) { instance, call in try await call.services.simulator.enterBackground(instance) },

        action(
            .post, appPath + "/foreground", "bringToForeground",
            "Brings the app back to the foreground and repeats the calls that load its screen."
        ) { instance, call in try await call.services.simulator.enterForeground(instance) },

        Endpoint(
            .post, appPath + "/link", "openLink",
            "Opens a link with the app's URL scheme; a screen that needs a session is remembered "
                + "until the sign-in.",
            reading: { $0.body.requiredString("link", limit: 2_048) },
            returning: .ok(AppState.representation, "The app's state.")
        ) { call, link in
            let instance = try await instance(call)
            _ = try await call.services.simulator.openLink(instance, link)
            return try await AppState(instance, call)
        },

        Endpoint(
            .post, appPath + "/crash", "crashDuringNextRequest",
            "Crashes the app when the next submitted form has sent its request.",
            isBodyOptional: true, reading: { $0.body.bool("enabled") },
            returning: .ok(AppState.representation, "The app's state.")
        ) { call, isEnabled in
            let instance = try await instance(call)
            try await call.services.simulator.setKillOnNextSubmit(
                instance, isArmed: isEnabled ?? true)
            return try await AppState(instance, call)
        },

        action(
            .post, appPath + "/expire", "expireAccessToken",
            "Replaces the stored access token with one that has expired."
        ) { instance, call in
            try await call.services.simulator.expireAccessToken(instance, at: call.services.backend)
        },

        Endpoint(
            .post, appPath + "/copy", "copyAppData",
            "Replaces the app's stored data with that of another device, and restarts the app.",
            reading: { $0.body.requiredString("from", limit: 80) },
            returning: .ok(AppState.representation, "The app's state.")
        ) { call, source in
            let instance = try await instance(call)
            guard try await call.services.simulator.device(source, in: instance.workspace) != nil
            else { throw Problem.unknownDevice(source) }
            try await call.services.simulator.copyAppData(
                from: AppInstance(
                    workspace: instance.workspace, device: source, app: instance.app),
                to: instance)
            return try await AppState(instance, call)
        },

        Endpoint(
            .post, appPath + "/seed", "seedDevice",
            "Creates a user on the embedded backend, and signs it in on this device as far as the "
                + "state goes.", isBodyOptional: true,
            reading: { Seed(app: "", &$0.body, state: .signedIn) },
            returning: .created(
                Representation("SeededUser", Seeder.SeedResult.members),
                "The user with its password, and the session if the state has one."),
            errors: [409: "A user is signed in, or the backend is not the embedded one."]
        ) { call, seed in
            let instance = try await instance(call)
            var seed = seed
            seed.app = instance.app
            do {
                return try await call.services.seed(seed, on: instance, opensScreen: false)
            } catch let problem as Problem {
                throw problem.removingPointerPrefix("/seed")
            }
        },

        // The only call that returns an unmasked value.
        Endpoint(
            .get, itemPath, "readStorageItem",
            "Returns an unmasked stored value and logs an event.",
            returning: .ok(storedValue, "The stored value.")
        ) { call in
            let instance = try await instance(call)
            let key = call.path("key")
            let value = try await call.services.simulator.reveal(instance, key: key)
            let items = try await call.services.simulator.storageItems(instance)
            return (key, items.first { $0.key == key }?.area, value)
        },

        Endpoint(
            .put, itemPath, "writeStorageItem", "Sets the value of a key that the app declares.",
            reading: { $0.body.requiredString("value", limit: 64 << 10) },
            returning: .ok(AppState.representation, "The app's state.")
        ) { call, value in
            let instance = try await instance(call)
            try await call.services.simulator.writeItem(
                instance, key: call.path("key"), value: value)
            return try await AppState(instance, call)
        },

        action(.delete, itemPath, "deleteStorageItem", "Deletes one key.") { instance, call in
            try await call.services.simulator.deleteItem(instance, key: call.path("key"))
        },

        action(.delete, appPath + "/storage", "deleteStorage", "Clears the app's data.") {
            instance, call in
            try await call.services.simulator.clearStorage(instance)
        },
    ]

    private static let appPath = DevicesAPI.devicePath + "/apps/{app}"
    private static let itemPath = appPath + "/storage/{key}"

    /// An operation without a body, which returns the state after `act`.
    private static func action(
        _ method: Method, _ path: String, _ id: String, _ summary: String,
        _ act: @escaping @Sendable (AppInstance, APICall) async throws -> Void
    ) -> Endpoint {
        Endpoint(
            method, path, id, summary,
            returning: .ok(AppState.representation, "The app's state.")
        ) { call in
            let instance = try await instance(call)
            try await act(instance, call)
            return try await AppState(instance, call)
        }
    }

    /// The app and device that the path names.
    private static func instance(_ call: APICall) async throws -> AppInstance {
        let device = try await DevicesAPI.device(call)
        let app = call.path("app")
        guard call.services.appCatalog.app(app) != nil else { throw Problem.unknownApp(app) }
        return AppInstance(workspace: device.workspace, device: device.id, app: app)
    }

    @Sendable private static func readBackendChange(_ parameters: inout ParameterReader) -> (
        backend: String?, base: String?, settings: [String: String]?
    ) {
        let backend = parameters.body.string("backend")
        let app = parameters.call.flatMap { $0.services.appCatalog.app($0.path("app")) }
        if let backend, let app, !app.backends.contains(where: { $0.id == backend }) {
            parameters.body.addError(
                "backend", "must be one of " + app.backends.map(\.id).joined(separator: ", "))
        }
        return (
            backend, parameters.body.string("base", limit: 2_048),
            parameters.body.strings("settings")
        )
    }

    private static let storedValue = Representation<
        (key: String, area: StorageKey.Area?, value: String)
    >(
        "StoredValue",
        [.init("key") { $0.key }, .init("area") { $0.area?.rawValue }, .init("value") { $0.value }])
}

/// An app's state on a device, with its session and its stored values.
private struct AppState: Sendable {
    let instance: AppInstance
    let status: AppStatus
    let session: VerifiedSession?
    let items: [StorageItemSummary]

    init(_ instance: AppInstance, _ call: APICall) async throws {
        let simulator = call.services.simulator
        await simulator.sessionChecks.waitUntilIdle(in: instance.workspace)
        self.instance = instance
        status = try await simulator.status(instance)
        items = try await simulator.storageItems(instance)
        session =
            if let session = status.session {
                VerifiedSession(
                    session: session,
                    signature: try await call.services.signatureVerifier.verdict(session))
            } else { nil }
    }

    static let representation = Representation<AppState>(
        "AppState",
        [
            .init("app") { $0.instance.app }, .init("device") { $0.instance.device },
            .init("screen") { $0.status.screen }, .init("launching") { $0.status.isLaunching },
            .init("crashesOnNextRequest") { $0.status.willKillOnNextSubmit },
            .init("inBackground") { $0.status.isInBackground },
            .init("linkedScreen") { $0.status.linkedScreen },
            .init("backend") { $0.status.backend }, .init("base") { $0.status.baseURL },
            .init("session", optional: VerifiedSession.representation) { $0.session },
            .init("storage", array: storedItem) { $0.items },
            .init("notice") { $0.status.failure?.message ?? $0.status.toast },
        ])

    /// A stored value, masked.
    private static let storedItem = Representation<StorageItemSummary>(
        "StoredItem",
        [
            .init("area", choice: { $0.area }), .init("key") { $0.key },
            .init("holds") { $0.captureName }, .init("masked") { $0.maskedValue },
            .init("bytes") { $0.byteCount }, .init("writtenAt") { $0.writtenAt },
            .init("accessible") { $0.accessibilityClass },
            .init("sensorLocked") { $0.isLocked },
        ])
}
