import FoundationEssentials
import SQLite
import Web

/// The database table of archived session tokens.
enum ArchivedTokenTable {
    /// Number of tokens stored per session, the newest; a refresh adds two.
    static let maxPerSession = 64

    /// Adds a token unless it is stored already: after a restore a device retires the same tokens
    /// again.
    static func add(_ token: SealedTokenDraft, _ connection: Connection) throws {
        let draft = token.draft
        let row = try connection.row(
            """
            SELECT s.sequence, coalesce(max(t.number), 0) FROM sessions s \
            LEFT JOIN session_tokens t ON t.session = s.sequence \
            WHERE s.id = ? GROUP BY s.sequence
            """, [.text(draft.session)]
        ) { ($0.integer(0), $0.integer(1)) }
        guard let (sequence, last) = row else { return }
        let isStored = try connection.exists(
            """
            SELECT 1 FROM session_tokens WHERE session = ? AND kind = ? \
            AND generation = ? AND branch = ? AND held = ? AND claims IS ?
            """,
            [
                .integer(sequence), .text(draft.kind.rawValue),
                .integer(draft.generation), .text(draft.origin.rawValue),
                .text(draft.summary.storedJSON.description),
                .text(draft.summary.claims?.description),
            ])
        guard !isStored else { return }
        try connection.run(
            """
            INSERT INTO session_tokens (session, number, kind, generation, \
            branch, held, claims, sealed, exchange) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(sequence), .integer(last + 1),
                .text(draft.kind.rawValue), .integer(draft.generation),
                .text(draft.origin.rawValue),
                .text(draft.summary.storedJSON.description),
                .text(draft.summary.claims?.description), .text(token.sealed),
                .text(draft.exchange),
            ])
        try connection.run(
            "DELETE FROM session_tokens WHERE session = ? AND number <= ?",
            [.integer(sequence), .integer(last + 1 - Int64(maxPerSession))])
    }

    /// Oldest first, each with its sealed value.
    static func all(of session: String, _ workspace: String, _ connection: Connection) throws -> [(
        token: ArchivedToken, sealed: String
    )] {
        try connection.rows(
            """
            SELECT t.number, t.kind, t.generation, t.branch, t.held, \
            t.claims, t.exchange, t.sealed \
            FROM sessions s JOIN session_tokens t ON t.session = s.sequence \
            WHERE s.id = ? AND s.workspace = ? ORDER BY t.number
            """, [.text(session), .text(workspace)]
        ) { row in
            Session.TokenSummary(storedJSON: row.text(4), claims: row.optionalText(5)).map {
                summary in
                (
                    ArchivedToken(
                        number: Int(row.integer(0)), kind: .init(rawValue: row.text(1)) ?? .access,
                        generation: Int(row.integer(2)),
                        origin: .init(rawValue: row.text(3)) ?? .device, summary: summary,
                        exchange: row.optionalText(6)), row.text(7)
                )
            }
        }.compactMap(\.self)
    }
}
