/// Terms of a full-text index, which make frequent prefixes as fast to search as rare ones.
///
/// FTS5 reads an existing list only as far as a page needs it. For a prefix longer than its prefix
/// indexes it first collects every row of every term with that prefix (SQLite manual, FTS5, 4.2),
/// which takes a tenth of a second for a common word among a million. Such a prefix is therefore
/// replaced by the few terms it matches.
package enum FTSTermIndex {
    /// Maximum number of terms that replace a prefix; a prefix of more terms has few rows for each.
    private static let termLimit = 32

    /// An FTS5 query for rows that contain, for each of `words`, a term with that prefix. Words
    /// consist of letters and digits only; several, separated by blanks, are a phrase.
    ///
    /// `table` is an `fts5vocab` table of the type `instance`; prefixes of up to
    /// `indexedPrefixLength` letters are indexed, for search as you type.
    package static func matchExpression(
        for words: some Sequence<Substring>, in table: StaticSQL, indexedPrefixLength: Int = 6,
        _ connection: Connection
    ) throws -> String {
        try words.map { word in
            word.utf8.count > indexedPrefixLength
                ? try prefixExpression(word, table, connection) : "\"\(word)\"*"
        }.joined(separator: " AND ")
    }

    private static func prefixExpression(
        _ word: Substring, _ table: StaticSQL, _ connection: Connection
    ) throws(DatabaseError) -> String {
        let prefix = "\"\(word)\"*"
        // The tokenizer folds letters of other scripts in ways of its own.
        guard word.utf8.allSatisfy({ $0 < 128 }) else { return prefix }
        let folded = word.lowercased()
        var terms: [String] = []
        var lowerBound = folded
        while let next = try connection.text(
            "SELECT term FROM \(table) WHERE term >= ? LIMIT 1", [.text(lowerBound)]),
            next.hasPrefix(folded)
        {
            guard terms.count < termLimit else { return prefix }
            terms.append("\"\(next)\"")
            // The smallest text after it: the term's other rows are skipped.
            lowerBound = next + "\u{1}"
        }
        return terms.isEmpty ? prefix : "(" + terms.joined(separator: " OR ") + ")"
    }
}
