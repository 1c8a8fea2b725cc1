import Core
import Crypto
package import FoundationEssentials
import SQLite
package import Web

/// A signed-in user of an app on a device, until the record is deleted.
package struct Session: Sendable, Equatable {
    package var id: String
    package var workspace: String
    package var app: String
    package var device: String
    package var backend: String
    package var userID: String?
    package var email: String?
    package var state: State = .active
    package var createdAt: Date
    package var refreshedAt: Date?
    package var refreshCount = 0
    package var endedAt: Date?
    /// The last access token, decoded; nil before the first.
    package var accessToken: TokenSummary?
    package var refreshToken: TokenSummary?
    /// The access token's generation, from 1.
    var accessTokenGeneration = 1
    /// Number of discrepancies between device, token and backend at the last check.
    package var discrepancyCount = 0

    /// `expired` is computed with the clock when read. `revoked` without `endedAt` means that the
    /// server ended the session and its device has not noticed yet.
    package enum State: String, Sendable, CaseIterable {
        case active, expired, revoked, signedOut

        /// How the session ended, on its device or as far as known at its server; empty while it
        /// is active.
        var endedColumn: String { [.active, .expired].contains(self) ? "" : rawValue }
    }

    /// A token without its value, decoded but not verified.
    package struct TokenSummary: Sendable, Equatable {
        package var maskedValue: String
        /// The JWT's header; nil for an opaque token.
        package var header: JSON?
        /// The JWT's claims; nil for an opaque token.
        package var claims: JSON?
        /// `iat` and `exp` (RFC 7519, 4.1), if present.
        package var issuedAt: Date?
        package var expiresAt: Date?
        package var byteCount: Int
        package var receivedAt: Date

        package var isJWT: Bool { header != nil }
        /// The header's `alg`, not verified.
        package var algorithm: String? { header?["alg"]?.string }
        package var keyID: String? { header?["kid"]?.string }
        /// The id of the server's session: the claim `sid` (OpenID Connect Front-Channel Logout
        /// 1.0, section 3), at Supabase `session_id`.
        var serverSession: String? { (claims?["sid"] ?? claims?["session_id"])?.string }
    }

    /// The generation that its device holds, or held last, from 1.
    package var generation: Int { refreshCount + 1 }

    /// The session's state at `now`: an expired access token makes it `expired`.
    func withState(at now: Date) -> Session {
        guard endedAt == nil, state != .revoked else { return self }
        var current = self
        let isExpired = accessToken?.expiresAt.map { $0 <= now } ?? false
        current.state = isExpired ? .expired : .active
        return current
    }

    /// The app instance that the session belongs to.
    package var instance: AppInstance {
        AppInstance(workspace: workspace, device: device, app: app)
    }
}

extension Session.TokenSummary {
    /// Decodes a token without verifying it; the summary is not enough to use it.
    package init(decoding text: String, at receivedAt: Date) {
        let token = Token(decoding: text)
        func json(_ text: String?) -> JSON? {
            text.flatMap {
                try? JSONReader.read(Array($0.utf8), maxDepth: JSONReader.upstreamDepth)
            }
        }
        func date(_ seconds: Int64?) -> Date? { seconds.map { Date(clamping: Double($0)) } }
        self.init(
            maskedValue: Token.masked(text), header: json(token.header), claims: json(token.claims),
            issuedAt: date(token.issuedAt), expiresAt: date(token.expiresAt),
            byteCount: text.utf8.count, receivedAt: receivedAt)
    }

    // MARK: Stored

    /// All but the claims, which have their own column.
    var storedJSON: JSON {
        [
            "masked": .string(maskedValue), "header": header ?? .null,
            "iat": .epochSeconds(issuedAt), "exp": .epochSeconds(expiresAt),
            "bytes": JSON(byteCount), "at": .epochSeconds(receivedAt),
        ]
    }

    init?(storedJSON text: String, claims: String?) {
        guard let json = try? JSON(parsing: text) else { return nil }
        let header = json["header"]
        self.init(
            maskedValue: json["masked"]?.string ?? "…", header: header == .null ? nil : header,
            claims: claims.flatMap { try? JSON(parsing: $0) },
            issuedAt: json["iat"]?.dateFromSeconds, expiresAt: json["exp"]?.dateFromSeconds,
            byteCount: Int(json["bytes"]?.int ?? 0),
            receivedAt: json["at"]?.dateFromSeconds ?? .distantPast)
    }
}

/// The database tables of sessions and their history.
enum SessionTable {
    static let columns: StaticSQL = """
        s.id, s.workspace, s.app, s.device, s.backend, s.ended, s.created_at, s.refreshed_at, \
        s.ended_at, s.refresh_count, s.user_id, s.email, s.access, s.refresh, s.claims, \
        s.generation, s.sequence, s.disagreements
        """

    /// Number of history entries per session: the newest, and always the first.
    private static let maxHistoryEntries = 500

    static func write(_ session: Session, label: String, _ connection: Connection) throws {
        let columns: Columns = [
            ("ended", .text(session.state.endedColumn)),
            ("expires_at", .date(session.accessToken?.expiresAt)),
            ("refreshed_at", .date(session.refreshedAt)), ("ended_at", .date(session.endedAt)),
            ("refresh_count", .integer(session.refreshCount)),
            ("generation", .integer(session.accessTokenGeneration)),
            ("user_id", .text(session.userID)), ("email", .text(session.email)),
            ("access", .text(session.accessToken?.storedJSON.description)),
            ("refresh", .text(session.refreshToken?.storedJSON.description)),
            ("claims", .text(session.accessToken?.claims?.description)),
            ("backend", .text(session.backend)), ("disagreements", .integer(0)),
        ]
        let exists = try connection.update("sessions", columns, where: "id", is: .text(session.id))
        guard !exists else { return }
        let fixedColumns: Columns = [
            ("id", .text(session.id)), ("workspace", .text(session.workspace)),
            ("app", .text(session.app)), ("device", .text(session.device)),
            ("created_at", .date(session.createdAt)), ("label", .text(label)),
        ]
        try connection.insert(columns + fixedColumns, into: "sessions")
    }

    static func addHistoryEntry(
        _ entry: SessionHistoryEntry, to session: String, _ connection: Connection
    ) throws {
        guard let (sequence, last) = try lastNumber(in: "session_moments", of: session, connection)
        else { return }
        try connection.run(
            "INSERT INTO session_moments VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(sequence), .integer(last + 1), .date(entry.at), .text(entry.kind),
                .text(entry.title), .integer(entry.generation), .text(entry.exchange),
                .integer(entry.tokenNumber.map { Int64($0) }),
            ])
        try connection.run(
            "DELETE FROM session_moments WHERE session = ? AND number > 1 AND number <= ?",
            [.integer(sequence), .integer(last + 1 - Int64(maxHistoryEntries))])
    }

    /// The sequence of a session and the last number of its rows in `table`.
    static func lastNumber(in table: StaticSQL, of session: String, _ connection: Connection) throws
        -> (session: Int64, number: Int64)?
    {
        try connection.row(
            """
            SELECT s.sequence, coalesce(max(t.number), 0) FROM sessions s \
            LEFT JOIN \(table) t ON t.session = s.sequence \
            WHERE s.id = ? GROUP BY s.sequence
            """, [.text(session)]
        ) { ($0.integer(0), $0.integer(1)) }
    }

    // MARK: Reading

    /// The active session of an app on a device.
    static func activeSession(of instance: AppInstance, _ connection: Connection) throws -> Session?
    {
        try connection.row(
            """
            SELECT \(columns) FROM sessions s \
            WHERE s.device = ? AND s.app = ? AND s.ended_at IS NULL \
            ORDER BY s.sequence DESC LIMIT 1
            """, [.text(instance.device), .text(instance.app)], session)
    }

    /// A session as stored: one that has not ended is `active`, regardless of the clock.
    static func session(_ row: Row) -> Session {
        let claims = row.optionalText(14)
        return Session(
            id: row.text(0), workspace: row.text(1), app: row.text(2), device: row.text(3),
            backend: row.text(4), userID: row.optionalText(10), email: row.optionalText(11),
            state: Session.State(rawValue: row.text(5)) ?? .active, createdAt: row.date(6),
            refreshedAt: row.optionalDate(7), refreshCount: Int(row.integer(9)),
            endedAt: row.optionalDate(8),
            accessToken: row.optionalText(12).flatMap {
                Session.TokenSummary(storedJSON: $0, claims: claims)
            },
            refreshToken: row.optionalText(13).flatMap {
                Session.TokenSummary(storedJSON: $0, claims: nil)
            }, accessTokenGeneration: Int(row.integer(15)), discrepancyCount: Int(row.integer(17)))
    }
}

/// An entry of a session's history.
package struct SessionHistoryEntry: Sendable, Equatable {
    package var at: Date
    /// `signedIn`, `refreshed`, `expiredManually`, `edited`, `restored`, `signedOut`, `revoked`;
    /// for a refresh test its kind and outcome: `concurrent.stored`, `replay.rejected`,
    /// `dropResponse.accepted` …
    package var kind: String
    /// A sentence without secrets.
    package var title: String
    /// The access token's generation after it, from 1; for a refresh test that of the refresh token
    /// it sent.
    package var generation: Int
    package var exchange: String?
    /// For a reuse test the number of the archived token it sent; nil for the device's current one.
    package var tokenNumber: Int?
}

/// What a backend's response to a call with an access token reveals about its session.
package struct SessionObservation: Sendable, Equatable {
    /// By the workspace's clock.
    package var at: Date
    /// By the system clock: its age must not change with the workspace's clock.
    package var observedAt: Date
    package var exchange: String
    /// The call's name in the manifest.
    package var call: String
    /// Nil without a response.
    package var status: Int?
    /// Whether the token was accepted; nil if the response does not show it.
    package var isAccepted: Bool?
    /// Values captured from the response, without tokens.
    package var capturedValues: [String: JSON] = [:]
    /// Duration in milliseconds.
    package var totalMilliseconds: Double
    /// The masked value of the call's token.
    package var maskedToken: String
    /// Whether it is a deliberate token check, not an app's call.
    package var isProbe: Bool
    /// Whether the session had ended, on its device or at its server, when the call was made; nil
    /// if unknown.
    package var hadEnded: Bool?
}

/// Each session's last status according to its backend's responses. In memory only: empty after a
/// restart.
struct ObservedSessionStatus {
    /// By session.
    var latest = LRUCache<String, SessionObservation>(capacity: 4_000)
    /// The last check of each token, by session and the token's masked value.
    var probes = LRUCache<[String], SessionObservation>(capacity: 4_000)

    /// Records an observation and returns whether it differs from the last one. Only a response to
    /// the current or last token (`isCurrent`) counts for the session.
    mutating func record(_ observation: SessionObservation, of session: String, isCurrent: Bool)
        -> Bool
    {
        if observation.isProbe { probes.set([session, observation.maskedToken], observation) }
        guard isCurrent else { return false }
        let last = latest.value(for: session)
        latest.set(session, observation)
        return last?.isAccepted != observation.isAccepted
            || last?.maskedToken != observation.maskedToken
            || last?.capturedValues != observation.capturedValues
    }
}
