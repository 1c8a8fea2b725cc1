import FoundationEssentials
import SQLite
import Web

/// Conditions as rows, so that a restart keeps them.
enum ConditionTable {
    static func insert(_ condition: Condition, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO conditions VALUES \
            (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)
            """,
            [
                .integer(condition.sequence), .text(condition.id),
                .text(condition.workspace), .text(condition.kind.rawValue),
                .text(condition.draft.app), .text(condition.draft.device),
                .text(condition.draft.call),
                .integer(condition.draft.times.map(Int64.init)),
                .text(condition.draft.phase.rawValue),
                .integer(condition.used), .text(settings(condition)),
                .real(condition.madeAt.timeIntervalSince1970),
            ])
    }

    /// Notes a strike, in whatever order they arrive.
    static func note(_ blow: Blow, _ connection: Connection) throws {
        guard !blow.isLast else { return try delete([blow.condition.id], connection) }
        let use = blow.condition.lastUse
        try connection.run(
            """
            UPDATE conditions SET used = ?1, last_exchange = ?2, \
            last_call = ?3, last_at = ?4 WHERE id = ?5 AND used < ?1
            """,
            [
                .integer(blow.number), .text(use?.exchange), .text(use?.call),
                use.map { .real($0.at.timeIntervalSince1970) } ?? .null, .text(blow.condition.id),
            ])
    }

    static func delete(_ ids: [String], _ connection: Connection) throws {
        for id in ids { try connection.run("DELETE FROM conditions WHERE id = ?", [.text(id)]) }
    }

    static func forget(_ workspace: String, _ connection: Connection) throws {
        try connection.run("DELETE FROM conditions WHERE workspace = ?", [.text(workspace)])
    }

    /// In the order of making; those of a kind this version does not know
    /// are left alone.
    static func all(_ connection: Connection) throws -> [Condition] {
        try connection.rows("SELECT * FROM conditions ORDER BY sequence", [], condition).compactMap(
            \.self)
    }

    private static func settings(_ condition: Condition) -> String {
        let draft = condition.draft
        let settings: JSON = [
            "status": JSON(draft.status), "body": JSON(draft.body),
            "headers": .object(
                draft.headers.sorted { $0.key < $1.key }.map {
                    .init($0.key, .string($0.value))
                }),
            "delay": draft.delay.map(JSON.double) ?? .null,
            "retryAfter": JSON(draft.retryAfter), "skew": JSON(draft.skew),
            "set": JSON(condition.set),
        ]
        return settings.description
    }

    private static func condition(_ row: Row) -> Condition? {
        guard let kind = Condition.Kind(rawValue: row.text(3)),
            let phase = Condition.Phase(rawValue: row.text(8)),
            let settings = try? JSON(parsing: row.text(10))
        else { return nil }
        var draft = Condition.Draft(
            kind, app: row.optionalText(4), device: row.optionalText(5), call: row.optionalText(6),
            times: row.optionalInteger(7).map(Int.init), phase: phase)
        draft.status = settings["status"]?.int.map(Int.init)
        draft.body = settings["body"]?.string
        draft.delay = settings["delay"]?.number
        draft.retryAfter = settings["retryAfter"]?.int.map(Int.init)
        draft.skew = settings["skew"]?.int.map(Int.init)
        if case .object(let members)? = settings["headers"] {
            for member in members { draft.headers[member.name] = member.value.string }
        }
        let use = row.optionalText(12).map { exchange in
            Condition.Use(
                exchange: exchange, call: row.text(13),
                at: Date(timeIntervalSince1970: row.real(14)))
        }
        return Condition(
            id: row.text(1), sequence: row.integer(0), workspace: row.text(2), draft: draft,
            set: settings["set"]?.string, used: Int(row.integer(9)),
            madeAt: Date(timeIntervalSince1970: row.real(11)), lastUse: use)
    }
}
