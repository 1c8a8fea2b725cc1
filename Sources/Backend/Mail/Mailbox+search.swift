import Email
import SQLite
import Web

/// Full-text search over recipient, sender, subject and text.
///
/// Links and codes give access to accounts and are stored sealed only, so they are not indexed.
extension Mailbox {
    /// Mails indexed per transaction.
    private static let batchSize = 256

    /// The FTS5 query for the words of `text`, each a prefix; nil without a word. Indexes pending
    /// mails first, so that a search misses none.
    func matchExpression(for text: String?) async throws -> String? {
        let words = (text ?? "").split { !$0.isLetter && !$0.isNumber }.prefix(12)
        guard !words.isEmpty else { return nil }
        try await indexPendingMails()
        return try await database.read { connection in
            try FTSTermIndex.matchExpression(for: Array(words), in: "mail_terms", connection)
        }
    }

    private func indexPendingMails() async throws {
        while true {
            // The content is opened outside of a write, because all tasks share the one writer.
            let pending = try await database.read { connection in
                try connection.rows(
                    """
                    SELECT mails.* FROM mail_unworded JOIN mails USING (sequence)
                    ORDER BY sequence LIMIT ?
                    """, [.integer(Self.batchSize)]
                ) { try mail($0) }
            }
            guard !pending.isEmpty else { return }
            try await database.write { connection in
                for mail in pending {
                    let sequence = Value.integer(mail.sequence)
                    // Deleted, or indexed by another search in the meantime.
                    guard
                        try connection.exists(
                            "SELECT 1 FROM mail_unworded WHERE sequence = ?", [sequence])
                    else { continue }
                    try connection.run(
                        """
                        INSERT OR REPLACE INTO mail_words \
                        (rowid, recipient, sender, subject, text) VALUES (?, ?, ?, ?, ?)
                        """,
                        [
                            sequence, .text(mail.to), .text(mail.sender),
                            .text(mail.searchable(mail.subject)),
                            .text(
                                mail.searchable(
                                    mail.text.nonEmpty ?? HTMLText.plainText(of: mail.html))),
                        ])
                    try connection.run("DELETE FROM mail_unworded WHERE sequence = ?", [sequence])
                }
            }
        }
    }
}

extension Mail {
    /// The words of `text` that are no secret: without URLs, the code, tags, and words that could
    /// be a token or a code.
    func searchable(_ text: String) -> String {
        text.prefix(100_000).split { $0.isWhitespace || $0 == "<" || $0 == ">" || $0 == "\"" }
            .filter { word in
                !word.contains("://") && word.utf8.count <= 32 && word != code ?? ""
                    && word.count(where: \.isNumber) < 4
            }.joined(separator: " ")
    }
}
