import Apps
import FoundationEssentials
import Inspection
import Simulator
import Web

/// `/api/devices`: the simulated devices of a workspace, and the apps on them.
enum DevicesAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/devices", "listDevices", "Lists the workspace's devices, newest first.",
            reading: { Paging(&$0.query) },
            returning: .ok(.list(of: Device.representation), "The list of devices.")
        ) { call, paging in
            ListPage(
                try await call.services.simulator.devices(
                    in: call.workspace, at: paging.keyset()))
        },

        Endpoint(
            .post, "/api/devices", "createDevice",
            "Creates a simulated phone and returns its cookies.", isBodyOptional: true,
            reading: { DeviceChange(&$0.body) },
            returning: .created(createdDevice, "The new device.") { "/api/devices/\($0.device.id)" }
        ) { call, change in
            let device = try await call.services.simulator.makeDevice(
                in: try call.workspace, label: change.label, build: change.build ?? .debug,
                biometrics: change.biometrics ?? Device.Biometrics(),
                display: change.display.applied(to: Device.Display()))
            let name = call.services.scopeResolver.deviceCookieName(in: device.workspace)
            return (device, [StorageStateCookie(name: name, value: device.id)])
        },

        Endpoint(
            .get, "/api/devices/current", "currentDevice",
            "Returns the device of the request's cookie or header.",
            returning: .ok(Device.representation, "The device.")
        ) { call in
            let workspace = try call.workspace
            let device = try await call.services.scopeResolver.resolveDevice(
                of: call.context, in: workspace)
            guard let device else {
                let cookie = call.services.scopeResolver.deviceCookieName(in: workspace)
                throw Problem(
                    status: 404, code: "no-device", title: "No device",
                    detail: """
                        Send the cookie \(cookie) that any page sets, or X-Foyer-Device with an \
                        id from POST /api/devices.
                        """)
            }
            return device
        },

        Endpoint(
            .get, devicePath, "readDevice", "Returns one device.",
            returning: .ok(Device.representation, "The device."), handler: device),

        Endpoint(
            .patch, devicePath, "updateDevice", "Changes a device.",
            reading: { DeviceChange(&$0.body) },
            returning: .ok(Device.representation, "The updated device.")
        ) { call, change in
            let device = try await device(call)
            return try await call.services.simulator.updateDevice(device.id, in: device.workspace) {
                device in
                if let label = change.label { device.label = label }
                if let build = change.build { device.build = build }
                device.display = change.display.applied(to: device.display)
                if let biometrics = change.biometrics { device.biometrics = biometrics }
            }
        },

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
            .post, appPath + "/relaunch", "relaunch", "Restarts the app and runs its launch table.",
            returning: .ok(AppState.representation, "The app's state.")
        ) { call in
            let instance = try await instance(call)
            try await call.services.simulator.relaunch(instance, isKill: false)
            _ = try await call.services.simulator.launch(instance)
            return try await AppState(instance, call)
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

        Endpoint(
            .delete, itemPath, "deleteStorageItem", "Deletes one key.",
            returning: .ok(AppState.representation, "The app's state.")
        ) { call in
            let instance = try await instance(call)
            try await call.services.simulator.deleteItem(instance, key: call.path("key"))
            return try await AppState(instance, call)
        },

        Endpoint(
            .delete, appPath + "/storage", "deleteStorage", "Clears the app's data.",
            returning: .ok(AppState.representation, "The app's state.")
        ) { call in
            let instance = try await instance(call)
            try await call.services.simulator.clearStorage(instance)
            return try await AppState(instance, call)
        },
    ]

    private static let devicePath = "/api/devices/{device}"
    private static let appPath = devicePath + "/apps/{app}"
    private static let itemPath = appPath + "/storage/{key}"

    /// The device that the path names; throws a 404 problem if it does not exist.
    @Sendable private static func device(_ call: APICall) async throws -> Device {
        let id = call.path("device")
        guard let device = try await call.services.simulator.device(id, in: call.workspace) else {
            throw Problem.unknownDevice(id)
        }
        return device
    }

    /// The app and device that the path names.
    private static func instance(_ call: APICall) async throws -> AppInstance {
        let device = try await device(call)
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

    /// Includes the cookies that select the device in a browser.
    private static let createdDevice = Representation<
        (device: Device, cookies: [StorageStateCookie])
    >(
        Device.members.map { $0.of { $0.device } } + [
            .init("cookies", array: StorageStateCookie.representation) { $0.cookies }
        ])

    private static let storedValue = Representation<
        (key: String, area: StorageKey.Area?, value: String)
    >([.init("key") { $0.key }, .init("area") { $0.area?.rawValue }, .init("value") { $0.value }])
}

/// The fields that create or change a device; nil leaves a value unchanged.
private struct DeviceChange: Sendable {
    let label: String?
    let build: Device.Build?
    let biometrics: Device.Biometrics?
    let display: DisplayChange

    init(_ body: inout BodyReader) {
        label = body.string("label", limit: 80)
        build = body.choice("build", of: Device.Build.self)
        biometrics = Self.readBiometrics(&body)
        display = DisplayChange(&body)
    }

    /// Reads `"faceID"` or `{kind, enrolled, next}`.
    private static func readBiometrics(_ body: inout BodyReader) -> Device.Biometrics? {
        body.choice(
            "biometrics", among: Device.Biometrics.Kind.allCases.map(\.rawValue),
            convert: { Device.Biometrics.Kind(rawValue: $0).map { Device.Biometrics(kind: $0) } }
        ) { part in
            var biometrics = Device.Biometrics()
            biometrics.kind = part.choice("kind", of: Device.Biometrics.Kind.self) ?? .none
            biometrics.isEnrolled = part.bool("enrolled") ?? true
            biometrics.nextResult = part.choice("next", of: Device.Biometrics.Result.self) ?? .match
            return biometrics
        }
    }
}

extension Device {
    fileprivate static let representation = Representation("Device", members)

    fileprivate static let members: [Representation<Device>.Member] = [
        .init("id") { $0.id }, .init("label") { $0.label }, .init("build", choice: { $0.build }),
        .init(
            "biometrics",
            Representation([
                .init("kind", choice: { $0.kind }), .init("enrolled") { $0.isEnrolled },
                .init("next", choice: { $0.nextResult }),
            ])
        ) { $0.biometrics },
        .init("size", schema: Schema.choice(DeviceSizes.all.map(\.id))) {
            .string($0.display.size)
        }, .init("orientation", choice: { $0.display.orientation }),
        .init("appearance", choice: { $0.display.appearance }),
        .init("textSize", choice: { $0.display.textSize }), .init("createdAt") { $0.createdAt },
    ]
}

/// A cookie of this console in the format of Playwright's `storageState`.
struct StorageStateCookie: Sendable {
    let name: String
    let value: String
    var domain = "127.0.0.1"

    static let representation = Representation<Self>([
        .init("name") { $0.name }, .init("value") { $0.value }, .init("domain") { $0.domain },
        .init("path") { _ in "/" }, .init("expires") { _ in -1 }, .init("httpOnly") { _ in true },
        .init("secure") { _ in false }, .init("sameSite") { _ in "Strict" },
    ])
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
        ])
}
