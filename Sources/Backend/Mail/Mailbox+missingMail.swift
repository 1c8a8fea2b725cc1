package import FoundationEssentials
import SQLite
import Web

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
