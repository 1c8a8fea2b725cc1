import Email
import SQLite
import Web

/// Full-text search over recipient, sender, subject and text.
///
/// Links and codes give access to accounts and are stored sealed only, so they are not indexed.
extension Mailbox {
    /// Mails indexed per transaction.
    private static let batchSize = 256

    /// Adds the words of `text` to a filter, each a prefix. An address is one phrase, and a symbol
    /// is found anywhere. Indexes pending mails first, so that a search misses none.
    func add(_ text: String?, to filter: inout MailFilter) async throws {
        let words = (text ?? "").split(whereSeparator: \.isWhitespace).prefix(12)
        guard !words.isEmpty else { return }
        try await indexPendingMails()
        let phrases = words.compactMap { word -> Substring? in
            let parts = word.split { !$0.isLetter && !$0.isNumber }
            return parts.isEmpty ? nil : Substring(parts.joined(separator: " "))
        }
        filter.symbols = words.filter { String($0).isSymbolsOnly }.map(String.init)
        guard !phrases.isEmpty else { return }
        filter.match = try await database.read { connection in
            try FTSTermIndex.matchExpression(for: phrases, in: "mail_terms", connection)
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
                !word.contains("://") && word.utf8.count <= 32
                    && code.map { !word.contains($0) } ?? true
                    && word.count(where: \.isNumber) < 4
            }.joined(separator: " ")
    }
}
