import Apps
import Crypto
import SQLite
package import Web

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
            status: status, code: "storage-failed", title: "The device database failed",
            detail: "\(error).")
    }

    fileprivate init(_ error: CryptoError) {
        self.init(
            status: 500, code: "sealing-failed",
            title: "Stored data could not be encrypted or decrypted", detail: error.detail)
    }

    /// The code of a problem with an app's stored values.
    package static let unreadableStorageCode = "unreadable-storage"

    static func storageUnreadable(_ names: [String], _ instance: AppInstance, _ app: App) -> Problem
    {
        Problem(
            status: 500, code: unreadableStorageCode,
            title: "\(app.name)'s stored data is unreadable",
            detail: names.joined(separator: ", ") + (names.count == 1 ? " was" : " were")
                + " encrypted with another key, or changed. Restore a backup of the"
                + " data folder, or clear the app data.",
            apiHint:
                "DELETE /api/devices/\(instance.device)/apps/\(instance.app)/storage clears it.")
    }
}

/// Reads and writes that throw errors as `Problem`s.
extension Database {
    func readThrowingProblems<Value: Sendable>(
        isLong: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do { return try await read(isLong: isLong, body) } catch let error as DatabaseError {
            throw Problem(error)
        }
    }

    /// Every row of a query, transformed to a value.
    func rows<Element: Sendable>(
        _ sql: StaticSQL, _ values: [Value] = [],
        _ transform: @escaping @Sendable (Row) throws -> Element
    ) async throws -> [Element] {
        try await readThrowingProblems { try $0.rows(sql, values, transform) }
    }

    /// The first row of a query, transformed to a value; nil without one.
    func row<Element: Sendable>(
        _ sql: StaticSQL, _ values: [Value],
        _ transform: @escaping @Sendable (Row) throws -> Element
    ) async throws -> Element? {
        try await readThrowingProblems { try $0.row(sql, values, transform) }
    }

    /// The first column of a query's first row; nil without a row or for NULL.
    func text(_ sql: StaticSQL, _ values: [Value]) async throws -> String? {
        try await readThrowingProblems { try $0.text(sql, values) }
    }

    /// The number that a query returns; 0 for NULL.
    func count(_ sql: StaticSQL, _ values: [Value]) async throws -> Int {
        try await readThrowingProblems { try $0.count(sql, values) }
    }

    /// A write for a device that was deleted meanwhile, with its workspace, throws `unknownDevice`.
    func writeThrowingProblems<Value: Sendable>(
        of device: String? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do { return try await write(body) } catch let error as DatabaseError {
            if let device, error.kind == .constraint { throw Problem.unknownDevice(device) }
            throw Problem(error)
        } catch is RowDeleted { throw Problem.unknownDevice(device ?? "") }
    }
}

/// Sealing and unsealing that throw errors as `Problem`s.
extension Sealer {
    func sealThrowingProblems(_ text: String) throws(Problem) -> String {
        do { return try seal(text) } catch { throw Problem(error) }
    }

    func openThrowingProblems(_ sealed: String) throws(Problem) -> String {
        do { return try open(sealed) } catch { throw Problem(error) }
    }
}

/// Problems for missing resources.
extension Problem {
    package static func unknownDevice(_ id: String) -> Problem {
        unknown(
            "device", "No device of this workspace has the id \(id.prefix(40)), or it was deleted.",
            apiHint: "GET /api/devices lists them; POST /api/devices creates one.")
    }

    package static func unknownApp(_ id: String) -> Problem {
        unknown(
            "app", "No manifest has the id \(id.prefix(40)).", apiHint: "GET /api/apps lists them.")
    }

    static func unknownKey(_ key: String, available: [String]) -> Problem {
        unknown(
            "storage key", "The manifest declares no \(key.prefix(80)); it has ",
            available: available)
    }

    static func unknownWorkspace(_ id: String) -> Problem {
        unknown("workspace", "No workspace has the id \(id.prefix(40)).")
    }
}
