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
    /// Sends a mail unless the limit blocks it, and records the outcome. Returns the sequence of
    /// the sent mail, to be published after the commit. For a lost mail the caller sees success.
    package func send(_ outgoing: OutgoingMail, limit: MailLimit) throws -> Int64? {
        let challenge = outgoing.challenge
        let sentAt = challenge.createdAt
        let nextAllowedAt = try mailLimitEnd(for: challenge, limit, at: sentAt)
        let isAllowed = nextAllowedAt.map { $0 <= sentAt } ?? true
        let isLost = isAllowed && outgoing.faultTicket?.triggers(.mailLost) == true
        let sequence =
            !isAllowed
            ? nil
            : isLost
                ? Mailbox.lostSequence
                : try insert(outgoing.mail, challenge.realm, outgoing.sealedContent)
        try recordMailRequest(
            to: challenge.email, for: challenge.purpose.mailPurpose,
            isLost ? .lost : isAllowed ? .sent : .limited,
            nextAllowedAt: isAllowed ? nil : nextAllowedAt, in: challenge.realm, at: sentAt)
        return sequence
    }

    /// Sends a mail with a link and adds its challenge. If the limit blocks the mail, links sent
    /// before stay valid.
    package func sendLink(
        _ outgoing: OutgoingMail, limit: MailLimit, replacesEarlier: Bool = true
    ) throws -> Int64? {
        let sequence = try send(outgoing, limit: limit)
        guard sequence != nil else { return nil }
        if replacesEarlier {
            try add(outgoing.challenge)
        } else {
            try addCode(outgoing.challenge)
        }
        return sequence
    }

    /// When the limit next allows a mail like that of `challenge`: the end of the window of the
    /// oldest mail that counts. Nil if fewer than the limit were sent. Mails dated after `now` do
    /// not count, because the clock may have been set back.
    package func mailLimitEnd(for challenge: Challenge, _ limit: MailLimit, at now: Timestamp)
        throws -> Timestamp?
    {
        let oldest = try integer(
            """
            SELECT requested_at FROM mail_requests
            WHERE workspace = ? AND contract = ? AND email = ? AND purpose = ?
                AND outcome IN ('sent', 'lost') AND requested_at <= ?
            ORDER BY sequence DESC LIMIT 1 OFFSET ?
            """,
            challenge.realm.sqlValues + [
                .text(challenge.email), .text(challenge.purpose.mailPurpose), now.sqlValue,
                .integer(limit.count - 1),
            ])
        return oldest.map { Timestamp(milliseconds: $0) + limit.window }
    }

    /// Records that a mail was requested, and what became of it.
    package func recordMailRequest(
        to email: String, for purpose: String, _ outcome: MailOutcome,
        nextAllowedAt: Timestamp? = nil, in realm: Realm, at now: Timestamp
    ) throws {
        try run(
            "INSERT INTO mail_requests VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            realm.sqlValues + [
                .text(email), .text(purpose), .text(outcome.rawValue),
                .timestamp(nextAllowedAt), now.sqlValue,
            ])
        // Pruned separately: the limits count sent mails, and any client can cause unsent requests.
        try prune("mail_requests", where: ["outcome = 'sent'", "outcome <> 'sent'"], realm)
    }

    /// Stores a mail with its sealed content; returns its sequence.
    func insert(_ mail: Mail, _ realm: Realm, _ sealedContent: String) throws -> Int64 {
        try run(
            "INSERT INTO mails VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, NULL, ?)",
            [.text(mail.id)] + realm.sqlValues + [
                .text(mail.to), .text(mail.purpose), .text(mail.maskedSubject),
                .timestamp(mail.expiresAt.map(Timestamp.init)), Timestamp(mail.sentAt).sqlValue,
                .text(sealedContent), .text(mail.sender), .text(mail.channel.rawValue),
            ])
        let sequence = lastInsertedID
        try prune("mails", where: ["TRUE"], realm)
        return sequence
    }

    /// Called after every insert; acts on every 64th. A workspace retains its newest 5,000 rows of
    /// each kind.
    func prune(_ table: StaticSQL, where kinds: [StaticSQL], _ realm: Realm) throws {
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
        if let mail = try await newestMail(filter) {
            return "The newest matching message, \(mail.id), was sent at \(mail.sentAt.iso8601), "
                + "before the requested time."
        }
        if let newest = matching.first {
            return "A matching message was sent at \(newest.requestedAt.date.iso8601), "
                + "but the mailbox was cleared since."
        }
        let filterText =
            (to.map { " to \($0)" } ?? "") + (app.map { " for app \($0)" } ?? "")
            + (purpose.map { " with purpose \($0)" } ?? "")
        guard !requests.isEmpty else {
            let sinceText = since.map { " since \($0.iso8601)" } ?? ""
            return "No messages were requested in this workspace\(sinceText), so there is none"
                + "\(filterText)."
        }
        let otherRequests = requests.prefix(3).map {
            "\($0.email) (\($0.purpose), \($0.outcome.rawValue), \($0.requestedAt.date.iso8601))"
        }.joined(separator: "; ")
        return "No message\(filterText) was requested. Requested: \(otherRequests)."
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
                SELECT * FROM mail_requests WHERE workspace = ? AND requested_at >= ?
                ORDER BY sequence DESC LIMIT 100
                """, [.text(workspace), .integer(since?.milliseconds ?? 0)]
            ) { MailRequest($0) }.compactMap { $0 }
        }
    }

    private static func explanation(for request: MailRequest) -> String {
        let requestedAt = request.requestedAt.date.iso8601
        let message = "A message (\(request.purpose)) to \(request.email) was"
        return switch request.outcome {
        case .limited:
            "\(message) requested at \(requestedAt), but the rate limit applies"
                + (request.nextAllowedAt.map { " until \($0.date.iso8601)" } ?? "") + "."
        case .lost: "\(message) sent at \(requestedAt), but a fault dropped it (mailLost)."
        case .unknown:
            "\(message) requested at \(requestedAt), but no account has that email; the response "
                + "does not reveal this."
        case .alreadyVerified:
            "\(message) requested at \(requestedAt), but that email is already verified."
        case .sent: "A message to \(request.email) was sent at \(requestedAt)."
        }
    }
}
