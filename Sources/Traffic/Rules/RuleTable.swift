import Crypto
import SQLite
import Web

/// The table of rules, so that they survive a restart.
enum RuleTable {
    static func save(_ rule: TrafficRule, _ sealer: Sealer, _ connection: Connection) throws {
        let draft = rule.draft
        let match: JSON = [
            "method": JSON(draft.match.method), "host": JSON(draft.match.host),
            "path": JSON(draft.match.path), "app": JSON(draft.match.app),
            "device": JSON(draft.match.device), "call": JSON(draft.match.call),
        ]
        try connection.run(
            "INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(rule.id), .text(rule.workspace), .integer(rule.position),
                .text(rule.kind.rawValue), .integer(draft.isOn ? 1 : 0), .real(draft.timeout),
                .text(match.description), .text(try draft.response?.sealed(by: sealer)),
                .date(rule.createdAt),
            ])
    }

    static func delete(_ ids: [String], _ connection: Connection) throws {
        for id in ids { try connection.run("DELETE FROM rules WHERE id = ?", [.text(id)]) }
    }

    /// In their order. Skips rows of a kind this version does not know, without deleting them.
    static func loadAll(_ sealer: Sealer, _ connection: Connection) throws -> [TrafficRule] {
        try connection.rows("SELECT * FROM rules ORDER BY position", []) { row in
            try rule(row, sealer)
        }.compactMap(\.self)
    }

    private static func rule(_ row: Row, _ sealer: Sealer) throws -> TrafficRule? {
        guard let kind = TrafficRule.Kind(rawValue: row.text(3)),
            let match = try? JSON(parsing: row.text(6))
        else { return nil }
        func text(_ name: String) -> String? { match[name]?.string }
        return TrafficRule(
            id: row.text(0), workspace: row.text(1), position: row.integer(2),
            draft: .init(
                kind,
                .init(
                    method: text("method"), host: text("host"), path: text("path"),
                    app: text("app"), device: text("device"), call: text("call")),
                isOn: row.integer(4) != 0, timeout: row.real(5),
                response: try row.optionalText(7).map {
                    try MappedResponse(sealed: $0, sealer)
                }), createdAt: row.date(8))
    }
}
