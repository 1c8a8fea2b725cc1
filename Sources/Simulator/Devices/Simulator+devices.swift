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
            let devices = try connection.rows(
                """
                SELECT \(DeviceTable.columns) FROM devices WHERE workspace = ?1 AND \
                sequence < coalesce((SELECT sequence FROM devices \
                WHERE id = ?2 AND workspace = ?1), 9223372036854775807) \
                ORDER BY sequence DESC LIMIT ?3
                """,
                [.text(workspace), .text(before), .integer(max(1, min(limit, 501)))],
                DeviceTable.device)
            let total = try connection.integer(
                "SELECT count(*) FROM devices WHERE workspace = ?", [.text(workspace)])
            return (devices, Int(total ?? 0))
        }
    }

    /// Called on every page: costs microseconds for a cached device, and one read otherwise.
    package func device(_ id: String, in workspace: String) async throws -> Device? {
        try await stateStore.device(id, in: workspace)
    }

    /// A device of any workspace; nil if there is none or its lease has ended.
    package func device(_ id: String) async throws -> Device? {
        let workspace = try await database.readThrowingProblems {
            try $0.text("SELECT workspace FROM devices WHERE id = ?", [.text(id)])
        }
        guard let workspace, hasWorkspace(workspace) else { return nil }
        return try await device(id, in: workspace)
    }

    /// The device with an id that a browser received in its cookie, created at first use.
    /// Concurrent requests create it once.
    package func findOrMakeDevice(id: String, in workspace: String, label: String? = nil)
        async throws -> Device
    {
        if let device = try await device(id, in: workspace) { return device }
        return try await makeDevice(id: id, in: workspace, label: label)
    }

    /// Creates a device, or returns the one with this `id`; without a label it is named by its
    /// number.
    package func makeDevice(
        id: String? = nil, in workspace: String, label: String? = nil,
        build: Device.Build = .debug, biometrics: Device.Biometrics = Device.Biometrics(),
        display: Device.Display = Device.Display()
    ) async throws -> Device {
        guard hasWorkspace(workspace) else { throw Problem.unknownWorkspace(workspace) }
        let id = id ?? world.makeID("dev")
        let uuid = Identifier.uuid(world.randomBytes(16)).uppercased()
        let now = world.now()
        let (device, isNew) = try await database.writeThrowingProblems { connection in
            let existing = try DeviceTable.device(id, workspace, connection)
            if let existing { return (existing, false) }
            let key = [Value.text(workspace)]
            try connection.run(
                "UPDATE workspaces SET devices_made = devices_made + 1 WHERE id = ?", key)
            let number = try connection.integer(
                "SELECT devices_made FROM workspaces WHERE id = ?", key)
            let device = Device(
                id: id, workspace: workspace, label: label ?? "Device \(number ?? 1)", build: build,
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
