package import FoundationEssentials
import SQLite

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

        package enum Kind: String, Sendable, CaseIterable { case none, touchID, faceID }
        package enum Result: String, Sendable, CaseIterable { case match, noMatch, cancel }
    }
}

extension Device {
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

    static func insert(_ device: Device, _ connection: Connection) throws {
        let fixedColumns: Columns = [
            ("id", .text(device.id)), ("workspace", .text(device.workspace)),
            ("created_at", .date(device.createdAt)), ("uuid", .text(device.uuid)),
        ]
        try connection.insert(fixedColumns + mutableColumns(of: device), into: "devices")
    }

    private static func mutableColumns(of device: Device) -> Columns {
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

    /// Updates the mutable columns, and the copy of the label in the sessions' search text.
    static func update(_ device: Device, _ connection: Connection) throws {
        let exists = try connection.update(
            "devices", mutableColumns(of: device), where: "id", is: .text(device.id))
        guard exists else { throw RowDeleted() }
        try connection.run(
            "UPDATE sessions SET label = ?1 WHERE device = ?2 AND label <> ?1",
            [.text(device.label), .text(device.id)])
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
