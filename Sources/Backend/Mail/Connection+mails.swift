package import FoundationEssentials
import SQLite
import Web

/// A request for a mail, with its outcome.
///
/// The endpoint's response does not reveal the outcome; the mailbox uses it to explain a missing
/// mail.
struct MailRequest: Sendable, Equatable {
    let realm: Realm
    /// Normalized.
    let email: String
    let purpose: String
    let outcome: MailOutcome
    /// For `limited`: when the next mail is allowed.
    var nextAllowedAt: Timestamp?
    let requestedAt: Timestamp
}

/// What became of a request for a mail.
package enum MailOutcome: String, Sendable {
    case sent
    /// An injected fault dropped the mail.
    case lost
    /// The rate limit blocked the mail.
    case limited
    /// No account has that address.
    case unknown
    case alreadyVerified
}

extension MailRequest {
    /// Reads all columns of `mail_requests`.
    fileprivate init?(_ row: Row) {
        guard let outcome = MailOutcome(rawValue: row.text(5)) else { return nil }
        self.init(
            realm: Realm(row, from: 1), email: row.text(3), purpose: row.text(4), outcome: outcome,
            nextAllowedAt: row.optionalTimestamp(6), requestedAt: row.timestamp(7))
    }
}

/// Queries of mails and mail requests for use inside a read or a write.
extension Connection {
    /// Sends `draft` unless the limit blocks it, and records the outcome. Returns the sequence of
    /// the sent mail. For a lost mail the caller sees success.
    func send(_ draft: MailDraft, sealed: String, limit: MailLimit, isLost: () -> Bool = { false })
        throws -> Int64?
    {
        let nextAllowedAt = try mailLimitEnd(
            for: draft.to, draft.purpose, in: draft.realm, limit, at: draft.sentAt)
        let isAllowed = nextAllowedAt.map { $0 <= draft.sentAt } ?? true
        let isLost = isAllowed && isLost()
        let sequence =
            !isAllowed ? nil : isLost ? Mailbox.lostSequence : try insert(draft, sealed: sealed)
        try record(
            MailRequest(
                realm: draft.realm, email: draft.to, purpose: draft.purpose,
                outcome: isLost ? .lost : isAllowed ? .sent : .limited,
                nextAllowedAt: isAllowed ? nil : nextAllowedAt, requestedAt: draft.sentAt))
        return sequence
    }

    /// When the limit next allows a mail: the end of the window of the oldest mail that counts. Nil
    /// if fewer than the limit were sent. Mails dated after `now` do not count, because the clock
    /// may have been set back.
    package func mailLimitEnd(
        for email: String, _ purpose: String, in realm: Realm, _ limit: MailLimit, at now: Timestamp
    ) throws -> Timestamp? {
        let oldest = try integer(
            """
            SELECT requested_at FROM mail_requests
            WHERE workspace = ? AND email = ? AND contract = ?
                AND purpose = ? AND outcome IN ('sent', 'lost')
                AND requested_at <= ?
            ORDER BY sequence DESC LIMIT 1 OFFSET ?
            """,
            [
                .text(realm.workspace), .text(email), .text(realm.contract), .text(purpose),
                now.sqlValue, .integer(limit.count - 1),
            ])
        return oldest.map { Timestamp(milliseconds: $0) + limit.window }
    }

    func record(_ request: MailRequest) throws {
        try run(
            "INSERT INTO mail_requests VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            request.realm.sqlValues + [
                .text(request.email), .text(request.purpose), .text(request.outcome.rawValue),
                .timestamp(request.nextAllowedAt), .timestamp(request.requestedAt),
            ])
        // Pruned separately: the limits count sent mails, and any client can cause unsent requests.
        try prune("mail_requests", where: ["outcome = 'sent'", "outcome <> 'sent'"], request.realm)
    }

    private func insert(_ draft: MailDraft, sealed: String) throws -> Int64 {
        try run(
            "INSERT INTO mails VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)",
            [.text(draft.id)] + draft.realm.sqlValues + [
                .text(draft.to), .text(draft.purpose), .text(draft.subject),
                .timestamp(draft.expiresAt), .timestamp(draft.sentAt), .text(sealed),
            ])
        let sequence = lastInsertedID
        try prune("mails", where: ["TRUE"], draft.realm)
        return sequence
    }

    /// Called after every insert; acts on every 64th. A workspace retains its newest 5,000 rows of
    /// each kind.
    private func prune(_ table: StaticSQL, where kinds: [StaticSQL], _ realm: Realm) throws {
        guard lastInsertedID % 64 == 0 else { return }
        for kind in kinds {
            try run(
                """
                DELETE FROM \(table) WHERE workspace = ?1 AND \(kind) AND sequence <= (
                    SELECT sequence FROM \(table) WHERE workspace = ?1 AND \(kind)
                    ORDER BY sequence DESC LIMIT 1 OFFSET 5000)
                """, [.text(realm.workspace)])
        }
    }
}

/// How many mails of one purpose an address gets within a time window.
package struct MailLimit: Sendable {
    /// High enough for manual testing, low enough to be reached.
    let count: Int
    let window: Duration

    package init(count: Int = 5, window: Duration = .seconds(600)) {
        self.count = count
        self.window = window
    }
}

extension MailLimit {
    /// For servers without a mail limit.
    package static let unlimited = MailLimit(count: .max)
}

extension Mailbox {
    /// Explains in a sentence why there is no such mail: none was requested, another address was
    /// used, the rate limit applies until a time …
    package func explainMissingMail(
        workspace: String, to: String?, app: String? = nil, purpose: String?, since: Date?
    ) async throws -> String {
        let filter = MailFilter(workspace: workspace, to: to, app: app, purpose: purpose)
        let requests = try await recentRequests(workspace, since: since.map(Timestamp.init))
        let matching = requests.filter { request in
            to.map { MailFilter.normalized($0) == request.email } ?? true
                && app.map { $0 == request.realm.contract } ?? true
                && purpose.map { $0 == request.purpose } ?? true
        }
        if let newest = matching.first(where: { $0.outcome != .sent }) {
            return Self.explanation(for: newest)
        }
        if let olderMail = try await newestMail(filter) {
            return """
                The newest matching message, \(olderMail.id), was sent at \
                \(olderMail.sentAt.iso8601), before the requested time.
                """
        }
        if matching.first != nil {
            return """
                A matching message was sent at \(matching[0].requestedAt.date.iso8601), \
                but the mailbox was cleared since.
                """
        }
        let filterText = Self.filterText(to: to, app: app, purpose: purpose)
        guard !requests.isEmpty else {
            return """
                No messages were requested in this workspace\
                \(since.map { " since \($0.iso8601)" } ?? ""), so there \
                is none\(filterText).
                """
        }
        let otherRequests = requests.prefix(3).map {
            "\($0.email) (\($0.purpose), \($0.outcome.rawValue), "
                + "\($0.requestedAt.date.iso8601))"
        }
        return """
            No message\(filterText) was requested. Requested: \
            \(otherRequests.joined(separator: "; ")).
            """
    }

    /// Why the newest requested mail was not sent; nil if it was sent, or none was requested.
    package func newestFailedRequestReason(workspace: String) async throws -> String? {
        let newest = try await recentRequests(workspace, since: nil).first
        guard let newest, newest.outcome != .sent else { return nil }
        return Self.explanation(for: newest)
    }

    /// Newest first, at most 100.
    private func recentRequests(_ workspace: String, since: Timestamp?) async throws
        -> [MailRequest]
    {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM mail_requests
                WHERE workspace = ? AND requested_at >= ?
                ORDER BY sequence DESC LIMIT 100
                """, [.text(workspace), .integer(since?.milliseconds ?? 0)]
            ) { MailRequest($0) }.compactMap { $0 }
        }
    }

    private static func explanation(for request: MailRequest) -> String {
        let requestedAt = request.requestedAt.date.iso8601
        switch request.outcome {
        case .limited:
            let limitText = request.nextAllowedAt.map { " until \($0.date.iso8601)" } ?? ""
            return """
                A message (\(request.purpose)) to \(request.email) was requested \
                at \(requestedAt), but the rate limit applies\(limitText).
                """
        case .lost:
            return """
                A message (\(request.purpose)) to \(request.email) was sent at \
                \(requestedAt), but a fault dropped it (mailLost).
                """
        case .unknown:
            return """
                A message (\(request.purpose)) to \(request.email) was requested \
                at \(requestedAt), but no account has that email; the response does \
                not reveal this.
                """
        case .alreadyVerified:
            return """
                A message (\(request.purpose)) to \(request.email) was requested \
                at \(requestedAt), but that email is already verified.
                """
        case .sent: return "A message to \(request.email) was sent at \(requestedAt)."
        }
    }

    private static func filterText(to: String?, app: String?, purpose: String?) -> String {
        (to.map { " to \($0)" } ?? "") + (app.map { " for app \($0)" } ?? "")
            + (purpose.map { " with purpose \($0)" } ?? "")
    }
}
