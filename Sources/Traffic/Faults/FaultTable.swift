import SQLite
import Web

/// The table of faults, so that they survive a restart.
enum FaultTable {
    static func insert(_ fault: Fault, _ connection: Connection) throws {
        try connection.run(
            "INSERT INTO conditions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)",
            [
                .integer(fault.sequence), .text(fault.id), .text(fault.workspace),
                .text(fault.kind.rawValue), .text(fault.draft.app), .text(fault.draft.device),
                .text(fault.draft.call), .integer(fault.draft.times.map(Int64.init)),
                .text(fault.draft.phase.rawValue), .integer(fault.appliedCount),
                .text(settingsJSON(fault)), .date(fault.createdAt),
            ])
    }

    /// Stores one application; calls may arrive in any order.
    static func saveApplication(_ applied: AppliedFault, _ connection: Connection) throws {
        guard !applied.isLast else { return try delete([applied.fault.id], connection) }
        let affected = applied.fault.lastAffected
        try connection.run(
            """
            UPDATE conditions SET used = ?1, last_exchange = ?2, \
            last_call = ?3, last_at = ?4 WHERE id = ?5 AND used < ?1
            """,
            [
                .integer(applied.ordinal), .text(affected?.exchangeID), .text(affected?.call),
                .date(affected?.at), .text(applied.fault.id),
            ])
    }

    static func delete(_ ids: [String], _ connection: Connection) throws {
        for id in ids { try connection.run("DELETE FROM conditions WHERE id = ?", [.text(id)]) }
    }

    /// In order of creation. Skips rows of a kind this version does not know, without deleting
    /// them.
    static func loadAll(_ connection: Connection) throws -> [Fault] {
        try connection.rows("SELECT * FROM conditions ORDER BY sequence", [], fault).compactMap(
            \.self)
    }

    private static func settingsJSON(_ fault: Fault) -> String {
        let draft = fault.draft
        let settings: JSON = [
            "status": JSON(draft.status), "body": JSON(draft.body),
            "headers": JSON(sorting: draft.headers), "delay": draft.delay.map(JSON.double) ?? .null,
            "retryAfter": JSON(draft.retryAfter), "skew": JSON(draft.skew),
            "preset": JSON(fault.presetID),
        ]
        return settings.description
    }

    private static func fault(_ row: Row) -> Fault? {
        guard let kind = Fault.Kind(rawValue: row.text(3)),
            let phase = Fault.Phase(rawValue: row.text(8)),
            let settings = try? JSON(parsing: row.text(10))
        else { return nil }
        func integer(_ name: String) -> Int? { settings[name]?.int.map(Int.init) }
        let draft = Fault.Draft(
            kind, app: row.optionalText(4), device: row.optionalText(5), call: row.optionalText(6),
            times: row.optionalInteger(7).map(Int.init), phase: phase, status: integer("status"),
            body: settings["body"]?.string, headers: settings["headers"]?.texts ?? [:],
            delay: settings["delay"]?.number, retryAfter: integer("retryAfter"),
            skew: integer("skew"))
        let lastAffected = row.optionalText(12).map { exchange in
            Fault.AffectedExchange(exchangeID: exchange, call: row.text(13), at: row.date(14))
        }
        return Fault(
            id: row.text(1), sequence: row.integer(0), workspace: row.text(2), draft: draft,
            presetID: settings["preset"]?.string, appliedCount: Int(row.integer(9)),
            createdAt: row.date(11), lastAffected: lastAffected)
    }
}
