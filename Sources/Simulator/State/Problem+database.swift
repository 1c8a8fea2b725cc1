import Apps
import Crypto
import SQLite
import Web

/// Problems of the database and of sealing.
extension Problem {
    init(_ error: DatabaseError) {
        let status =
            switch error.kind {
            case .diskFull: 507
            case .busy, .closed: 503
            default: 500
            }
        self.init(
            status: status, code: "storage-failed", title: "The devices' database would not do it",
            detail: "\(error).")
    }
}

extension Problem {
    init(_ error: CryptoError) {
        self.init(
            status: 500, code: "sealing-failed",
            title: "The device could not seal or open what it stores", detail: error.detail)
    }

    /// The code of a problem with an app's stored values.
    package static let unreadableStorageCode = "unreadable-storage"

    static func storageUnreadable(_ names: [String], _ instance: AppInstance, _ app: App) -> Problem
    {
        Problem(
            status: 500, code: unreadableStorageCode,
            title: "What \(app.name) stores cannot be read",
            detail: names.joined(separator: ", ") + (names.count == 1 ? " was" : " were")
                + " sealed with another key, or changed. Put a backup of the"
                + " data folder back, or forget what the app stores.",
            apiHint:
                "DELETE /api/devices/\(instance.device)/apps/\(instance.app)/storage forgets it.")
    }
}

/// Reads and writes that throw errors as `Problem`s.
extension Database {
    func readThrowingProblems<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    )
        async throws -> Value
    { do { return try await read(body) } catch let error as DatabaseError { throw Problem(error) } }

    /// A write for a device that was deleted meanwhile, with its workspace, throws `unknownDevice`.
    func writeThrowingProblems<Value: Sendable>(
        of device: String? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do { return try await write(body) } catch let error as DatabaseError {
            if let device, error.kind == .constraint { throw Problem.unknownDevice(device) }
            throw Problem(error)
        } catch is AppInstanceTable.RowDeleted { throw Problem.unknownDevice(device ?? "") }
    }
}
