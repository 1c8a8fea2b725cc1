package import Core
package import FoundationEssentials
import SQLite
import Synchronization
import Web

/// A simulated phone: one browser profile in one workspace.
package struct Device: Sendable, Equatable {
    package let id: String
    package let workspace: String
    package var label: String
    package var build: Build
    package var biometrics: Biometrics
    package var display: Display
    package let createdAt: Date
    /// The UUID that the device's apps use (RFC 9562, version 4).
    package let uuid: String

    /// The app's build configuration, which its settings may depend on.
    package enum Build: String, Sendable, CaseIterable { case debug, release }

    /// The biometric sensor and the result of its next prompt.
    package struct Biometrics: Sendable, Equatable {
        package var kind: Kind
        package var isEnrolled: Bool
        package var nextResult: Result

        package init(kind: Kind = .none, isEnrolled: Bool = true, nextResult: Result = .match) {
            self.kind = kind
            self.isEnrolled = isEnrolled
            self.nextResult = nextResult
        }

        /// Whether a sensor exists and a user is enrolled.
        var isReady: Bool { kind != .none && isEnrolled }

        /// The sensor that the device has.
        package enum Kind: String, Sendable, CaseIterable {
            case none, touchID, faceID

            /// The sensor's product name.
            package var displayName: String {
                switch self {
                case .none: ""
                case .touchID: "Touch ID"
                case .faceID: "Face ID"
                }
            }
        }

        /// The result of a prompt.
        package enum Result: String, Sendable, CaseIterable { case match, noMatch, cancel }
    }

    /// The device's screen size, orientation, and display settings.
    package struct Display: Sendable, Equatable {
        /// `iphone15`, `iphonese`, `ipad` …
        package var size: String
        package var orientation: Orientation
        /// Used by apps that have both a light and a dark design.
        package var appearance: Appearance
        package var textSize: TextSize

        package init(
            size: String = "iphone15", orientation: Orientation = .portrait,
            appearance: Appearance = .system, textSize: TextSize = .default
        ) {
            self.size = size
            self.orientation = orientation
            self.appearance = appearance
            self.textSize = textSize
        }

        /// How the device is held.
        package enum Orientation: String, Sendable, CaseIterable { case portrait, landscape }

        /// `system` follows the browser's setting.
        package enum Appearance: String, Sendable, CaseIterable { case system, light, dark }

        /// Some of iOS's text sizes, from the smallest.
        package enum TextSize: String, Sendable, CaseIterable {
            case small, `default`, large, extraLarge, accessibilityMedium, accessibilityLarge
        }
    }
}

/// The database table of devices.
enum DeviceTable {
    static let columns: StaticSQL = """
        id, workspace, label, build, sensor, enrolled, next, size, \
        created_at, uuid, orientation, appearance, text_size
        """

    static func mutableColumns(of device: Device) -> Columns {
        [
            ("label", .text(device.label)), ("build", .text(device.build.rawValue)),
            ("sensor", .text(device.biometrics.kind.rawValue)),
            ("enrolled", .bool(device.biometrics.isEnrolled)),
            ("next", .text(device.biometrics.nextResult.rawValue)),
            ("size", .text(device.display.size)),
            ("orientation", .text(device.display.orientation.rawValue)),
            ("appearance", .text(device.display.appearance.rawValue)),
            ("text_size", .text(device.display.textSize.rawValue)),
        ]
    }

    /// Nil if the workspace has no such device.
    static func device(_ id: String, _ workspace: String, _ connection: Connection) throws
        -> Device?
    {
        try connection.row(
            "SELECT \(columns) FROM devices WHERE id = ? AND workspace = ?",
            [.text(id), .text(workspace)], device)
    }

    static func device(_ row: Row) -> Device {
        Device(
            id: row.text(0), workspace: row.text(1), label: row.text(2),
            build: Device.Build(rawValue: row.text(3)) ?? .debug,
            biometrics: Device.Biometrics(
                kind: .init(rawValue: row.text(4)) ?? .none, isEnrolled: row.bool(5),
                nextResult: .init(rawValue: row.text(6)) ?? .match),
            display: Device.Display(
                size: row.text(7), orientation: .init(rawValue: row.text(10)) ?? .portrait,
                appearance: .init(rawValue: row.text(11)) ?? .system,
                textSize: .init(rawValue: row.text(12)) ?? .default), createdAt: row.date(8),
            uuid: row.text(9))
    }
}

/// The row to update was deleted meanwhile, with its workspace.
struct RowDeleted: Error {}

extension Simulator {
    /// A page of a workspace's devices, newest first; those whose label or id contains `text`.
    package func devices(
        in workspace: String, text: String? = nil, at keyset: Keyset = Keyset()
    ) async throws -> KeysetPage<Device> {
        try await database.readThrowingProblems { connection in
            try connection.page(
                keyset, by: "sequence", DeviceTable.columns, from: "devices",
                where: [
                    "workspace = ?": .text(workspace),
                    "instr(lower(label || ' ' || id), lower(?)) > 0": .text(text),
                ], DeviceTable.device)
        }
    }

    /// The newest devices of each of these workspaces, at most `limit` of one.
    package func newestDevices(ofEach workspaces: [String], limit: Int) async throws -> [Device] {
        try await database.readThrowingProblems { connection in
            try workspaces.flatMap { workspace in
                try connection.rows(
                    """
                    SELECT \(DeviceTable.columns) FROM devices WHERE workspace = ? \
                    ORDER BY sequence DESC LIMIT ?
                    """, [.text(workspace), .integer(limit)], DeviceTable.device)
            }
        }
    }

    /// Called on every page: costs microseconds for a cached device, and one read otherwise.
    package func device(_ id: String, in workspace: String) async throws -> Device? {
        try await stateStore.device(id, in: workspace)
    }

    /// A device of any workspace; nil if there is none or its lease has ended.
    package func device(_ id: String) async throws -> Device? {
        let workspace = try await database.text(
            "SELECT workspace FROM devices WHERE id = ?", [.text(id)])
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
        id: String? = nil, in workspace: String, label: String? = nil, build: Device.Build = .debug,
        biometrics: Device.Biometrics = Device.Biometrics(),
        display: Device.Display = Device.Display()
    ) async throws -> Device {
        try requireWorkspace(workspace)
        let id = id ?? world.makeID("dev")
        let uuid = Identifier.uuid(world.randomBytes(16)).uppercased()
        let now = world.now()
        let (device, isNew) = try await database.writeThrowingProblems { connection in
            let existing = try DeviceTable.device(id, workspace, connection)
            if let existing { return (existing, false) }
            let key = [Value.text(workspace)]
            try connection.run(
                "UPDATE workspaces SET devices_made = devices_made + 1 WHERE id = ?", key)
            let number = try connection.count(
                "SELECT devices_made FROM workspaces WHERE id = ?", key)
            let device = Device(
                id: id, workspace: workspace, label: label ?? "Device \(number)", build: build,
                biometrics: biometrics, display: display, createdAt: now, uuid: uuid)
            let fixedColumns: Columns = [
                ("id", .text(id)), ("workspace", .text(workspace)), ("created_at", .date(now)),
                ("uuid", .text(uuid)),
            ]
            try connection.insert(
                fixedColumns + DeviceTable.mutableColumns(of: device), into: "devices")
            return (device, true)
        }
        if isNew { publishDeviceChange(device, "\(device.label) was created") }
        return device
    }

    /// Applies `change` and publishes `device.changed`.
    package func updateDevice(
        _ id: String, in workspace: String, _ change: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        let key = AppInstance(workspace: workspace, device: id, app: "")
        await stateStore.instanceLock.lock(key)
        defer { stateStore.instanceLock.unlock(key) }
        let version = stateStore.memory.withLock { $0.workspaceVersion(of: workspace) }
        var device = try await stateStore.requireDevice(id, in: workspace)
        change(&device)
        let changed = device
        try await database.writeThrowingProblems(of: id) { connection in
            let exists = try connection.update(
                "devices", DeviceTable.mutableColumns(of: changed), where: "id", is: .text(id))
            guard exists else { throw RowDeleted() }
            // The copy of the label in the sessions' search text.
            try connection.run(
                "UPDATE sessions SET label = ?1 WHERE device = ?2 AND label <> ?1",
                [.text(changed.label), .text(id)])
        }
        stateStore.sessionIndex.scheduleUpdate()
        stateStore.memory.withLock { $0.setDevice(changed, ifVersion: version) }
        publishDeviceChange(changed, "\(changed.label) was changed")
        return changed
    }

    /// Deletes a device with its apps' data and sessions; publishes `device.removed`.
    package func deleteDevice(_ id: String, in workspace: String) async throws {
        let device = try await stateStore.requireDevice(id, in: workspace)
        // Before the deletion, so that nothing read from now on is cached; and after it, for what
        // was read in between.
        stateStore.evict(device: device)
        try await database.writeThrowingProblems { connection in
            try connection.run("DELETE FROM sessions WHERE device = ?", [.text(id)])
            try connection.run("DELETE FROM devices WHERE id = ?", [.text(id)])
        }
        stateStore.evict(device: device)
        stateStore.sessionIndex.scheduleUpdate()
        hub.publish(
            Event(
                workspace: workspace, kind: .deviceRemoved, device: id, subject: id,
                title: "\(device.label) was deleted"))
    }

    /// Publishes a device's change; with `app`, one that concerns only this app on it.
    func publishDeviceChange(_ device: Device, app: String? = nil, _ title: String) {
        hub.publish(
            Event(
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
