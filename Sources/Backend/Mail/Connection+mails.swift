import SQLite

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

    package func record(_ request: MailRequest) throws {
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
