import Apps
import FoundationEssentials
import Simulator
import Web

/// `/api/devices`: the simulated devices of a workspace.
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
            .delete, devicePath, "deleteDevice",
            "Deletes a device with its apps' data and sessions.",
            returning: .noContent("The device was deleted.")
        ) { call in
            let device = try await device(call)
            try await call.services.simulator.deleteDevice(device.id, in: device.workspace)
        },
    ]

    static let devicePath = "/api/devices/{device}"

    /// The device that the path names; throws a 404 problem if it does not exist.
    @Sendable static func device(_ call: APICall) async throws -> Device {
        let id = call.path("device")
        guard let device = try await call.services.simulator.device(id, in: call.workspace) else {
            throw Problem.unknownDevice(id)
        }
        return device
    }

    /// Includes the cookies that select the device in a browser.
    private static let createdDevice = Representation<
        (device: Device, cookies: [StorageStateCookie])
    >(
        "CreatedDevice",
        Device.members.map { $0.of { $0.device } } + [
            .init("cookies", array: StorageStateCookie.representation) { $0.cookies }
        ])
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
        .init("size", schema: DeviceSizes.schema) {
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
