import SQLite

/// What is asked of mails and of requests for them, inside a read or a write.
extension Connection {
    /// Sends `draft` unless the limit holds it back, and notes which; gives
    /// the place of the mail that was sent. Whoever sends one that is lost
    /// does not notice.
    func send(_ draft: MailDraft, sealed: String, limit: MailLimit, isLost: () -> Bool = { false })
        throws -> Int64?
    {
        let freeAt = try mailLimitEnd(
            for: draft.to, draft.purpose, in: draft.realm, limit, at: draft.sentAt)
        let isFree = freeAt.map { $0 <= draft.sentAt } ?? true
        let isLost = isFree && isLost()
        let sequence =
            !isFree ? nil : isLost ? Mailbox.lostSequence : try insert(draft, sealed: sealed)
        try record(
            MailRequest(
                realm: draft.realm, email: draft.to, purpose: draft.purpose,
                outcome: isLost ? .lost : isFree ? .sent : .limited,
                nextAllowedAt: isFree ? nil : freeAt,
                requestedAt: draft.sentAt))
        return sequence
    }

    /// When the oldest mail that counts no longer does; nil if there are
    /// fewer than the limit. Of a clock that was set back, mails that are
    /// still to come do not count.
    func mailLimitEnd(
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
            """
            INSERT INTO mail_requests
            VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(request.realm.workspace), .text(request.realm.contract),
                .text(request.email), .text(request.purpose),
                .text(request.outcome.rawValue),
                .integer(request.nextAllowedAt?.milliseconds),
                request.requestedAt.sqlValue,
            ])
        guard isTimeToPrune else { return }
        // Each apart: the limits count what was sent, and anybody can ask for
        // what is not.
        let kinds: [StaticSQL] = ["outcome = 'sent'", "outcome <> 'sent'"]
        for kind in kinds {
            try run(
                """
                DELETE FROM mail_requests
                WHERE workspace = ?1 AND \(kind) AND sequence <= (
                    SELECT sequence FROM mail_requests
                    WHERE workspace = ?1 AND \(kind)
                    ORDER BY sequence DESC LIMIT 1 OFFSET 5000)
                """, [.text(request.realm.workspace)])
        }
    }

    private func insert(_ draft: MailDraft, sealed: String) throws -> Int64 {
        try run(
            "INSERT INTO mails VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)",
            [
                .text(draft.id), .text(draft.realm.workspace),
                .text(draft.realm.contract), .text(draft.to),
                .text(draft.purpose), .text(draft.subject),
                .integer(draft.expiresAt?.milliseconds), draft.sentAt.sqlValue,
                .text(sealed),
            ])
        let sequence = lastInsertedID
        guard isTimeToPrune else { return sequence }
        try run(
            """
            DELETE FROM mails WHERE workspace = ?1 AND sequence <= (
                SELECT sequence FROM mails WHERE workspace = ?1
                ORDER BY sequence DESC LIMIT 1 OFFSET 5000)
            """, [.text(draft.realm.workspace)])
        return sequence
    }

    /// A workspace keeps its newest 5,000 mails, and as many requests that
    /// sent one and that did not; counting them is left to
    /// every 64th insert.
    private var isTimeToPrune: Bool { lastInsertedID % 64 == 0 }
}
