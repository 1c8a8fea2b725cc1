import FoundationEssentials
import SQLite
import Web

/// A token of a session that the device does not hold or no longer holds.
///
/// Its value is stored sealed, so that it can be sent to its backend again; this describes it
/// without the value.
package struct ArchivedToken: Sendable, Equatable {
    /// Its number among the session's archived tokens, from 1; 0 before it is stored.
    package var number = 0
    package var kind: Kind
    /// Its generation: 1 for the sign-in, one more per refresh.
    package var generation: Int
    package var origin: Origin
    package var summary: Session.TokenSummary
    /// The exchange that issued it, if known.
    package var exchange: String?

    package enum Kind: String, Sendable, CaseIterable { case access, refresh }

    /// Why the device does not hold the token.
    package enum Origin: String, Sendable, CaseIterable {
        /// The device held it until it was replaced or the session ended.
        case device
        /// The response that contained it never reached the device.
        case responseLost
        /// Another client received it in a concurrent refresh.
        case otherClient
        /// It was issued for the reuse of an old refresh token.
        case reuse
    }
}

/// A token of a session in the archive, or to be added to it.
struct StoredToken: Sendable {
    let session: String
    let token: ArchivedToken
    /// Sealed in the database.
    var value: String
}

/// The database table of archived session tokens.
enum ArchivedTokenTable {
    /// Number of tokens stored per session, the newest; a refresh adds two.
    static let maxPerSession = 64

    /// Adds a token unless it is stored already: after a restore a device retires the same tokens
    /// again.
    static func add(_ added: StoredToken, _ connection: Connection) throws {
        let token = added.token
        let row = try connection.row(
            """
            SELECT s.sequence, coalesce(max(t.number), 0) FROM sessions s \
            LEFT JOIN session_tokens t ON t.session = s.sequence \
            WHERE s.id = ? GROUP BY s.sequence
            """, [.text(added.session)]
        ) { ($0.integer(0), $0.integer(1)) }
        guard let (sequence, last) = row else { return }
        let columns: Columns = [
            ("session", .integer(sequence)), ("kind", .text(token.kind.rawValue)),
            ("generation", .integer(token.generation)), ("branch", .text(token.origin.rawValue)),
            ("held", .text(token.summary.storedJSON.description)),
            ("claims", .text(token.summary.claims?.description)),
        ]
        let conditions = columns.map { "\($0.name) IS ?" as StaticSQL }
        let condition = StaticSQL.joined(conditions, separator: " AND ")
        let isStored = try connection.exists(
            "SELECT 1 FROM session_tokens WHERE \(condition)", columns.map(\.value))
        guard !isStored else { return }
        let otherColumns: Columns = [
            ("number", .integer(last + 1)), ("sealed", .text(added.value)),
            ("exchange", .text(token.exchange)),
        ]
        try connection.insert(columns + otherColumns, into: "session_tokens")
        try connection.run(
            "DELETE FROM session_tokens WHERE session = ? AND number <= ?",
            [.integer(sequence), .integer(last + 1 - Int64(maxPerSession))])
    }

    /// Oldest first, each with its sealed value.
    static func all(of session: String, _ workspace: String, _ connection: Connection) throws
        -> [StoredToken]
    {
        try connection.rows(
            """
            SELECT t.number, t.kind, t.generation, t.branch, t.held, \
            t.claims, t.exchange, t.sealed \
            FROM sessions s JOIN session_tokens t ON t.session = s.sequence \
            WHERE s.id = ? AND s.workspace = ? ORDER BY t.number
            """, [.text(session), .text(workspace)]
        ) { row in
            Session.TokenSummary(storedJSON: row.text(4), claims: row.optionalText(5)).map {
                StoredToken(
                    session: session,
                    token: ArchivedToken(
                        number: Int(row.integer(0)), kind: .init(rawValue: row.text(1)) ?? .access,
                        generation: Int(row.integer(2)),
                        origin: .init(rawValue: row.text(3)) ?? .device, summary: $0,
                        exchange: row.optionalText(6)), value: row.text(7))
            }
        }.compactMap(\.self)
    }
}
