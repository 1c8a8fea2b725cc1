import Core
import SQLite
import Web

extension Simulator {
    /// Up to `limit` devices, newest first, created before the device `before`; and the total
    /// count.
    package func devices(in workspace: String, before: String?, limit: Int) async throws -> (
        devices: [Device], total: Int
    ) {
        try await database.readThrowingProblems { connection in
            try DeviceTable.page(
                workspace, before: before, limit: max(1, min(limit, 501)), connection)
        }
    }

    /// Called on every page: costs microseconds for a cached device, and one read otherwise.
    package func device(_ id: String, in workspace: String) async throws -> Device? {
        try await stateStore.device(id, in: workspace)
    }

    /// A device of any workspace; nil if there is none or its lease has ended.
    package func device(_ id: String) async throws -> Device? {
        let found = try await database.readThrowingProblems { try DeviceTable.device(id, $0) }
        guard let found, hasWorkspace(found.workspace) else { return nil }
        return try await device(id, in: found.workspace)
    }

    /// Creates a device; without a label it is named by its number.
    package func makeDevice(
        in workspace: String, label: String? = nil, build: Device.Build = .debug,
        biometrics: Device.Biometrics = Device.Biometrics(),
        display: Device.Display = Device.Display()
    ) async throws -> Device {
        try await makeDevice(
            world.makeID("dev"), in: workspace, label: label, build: build, biometrics: biometrics,
            display: display)
    }

    /// The device with an id that a browser received in its cookie, created at first use.
    /// Concurrent requests create it once.
    package func findOrMakeDevice(id: String, in workspace: String, label: String? = nil)
        async throws -> Device
    {
        if let device = try await device(id, in: workspace) { return device }
        return try await makeDevice(id, in: workspace, label: label)
    }

    private func makeDevice(
        _ id: String, in workspace: String, label: String? = nil, build: Device.Build = .debug,
        biometrics: Device.Biometrics = Device.Biometrics(),
        display: Device.Display = Device.Display()
    ) async throws -> Device {
        guard hasWorkspace(workspace) else { throw Problem.unknownWorkspace(workspace) }
        let uuid = Identifier.uuid(world.randomBytes(16)).uppercased()
        let now = world.now()
        let (device, isNew) = try await database.writeThrowingProblems { connection in
            let existing = try DeviceTable.device(id, workspace, connection)
            if let existing { return (existing, false) }
            let number = try DeviceTable.takeNextNumber(workspace, connection)
            let device = Device(
                id: id, workspace: workspace, label: label ?? "Device \(number)", build: build,
                biometrics: biometrics, display: display, createdAt: now, uuid: uuid)
            try DeviceTable.insert(device, connection)
            return (device, true)
        }
        if isNew { publishDeviceChange(device, "\(device.label) was created") }
        return device
    }

    /// Applies `change` and publishes `device.changed`.
    package func updateDevice(
        _ id: String, in workspace: String, _ change: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        let device = try await stateStore.updateDevice(id, in: workspace, change)
        publishDeviceChange(device, "\(device.label) was changed")
        return device
    }

    /// Publishes a device's change; with `app`, one that concerns only this app on it.
    func publishDeviceChange(_ device: Device, app: String? = nil, _ title: String) {
        hub.publish(
            EventDraft(
                workspace: device.workspace, kind: .deviceChanged, app: app, device: device.id,
                subject: device.id, title: title,
                details: [
                    "build": device.build.rawValue, "biometrics": device.biometrics.kind.rawValue,
                    "size": device.display.size, "orientation": device.display.orientation.rawValue,
                    "appearance": device.display.appearance.rawValue,
                    "textSize": device.display.textSize.rawValue,
                ]))
    }
}
