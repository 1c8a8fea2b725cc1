/// Terms of a full-text index, which make frequent prefixes as fast to search as rare ones.
///
/// FTS5 reads an existing list only as far as a page needs it. For a prefix longer than its prefix
/// indexes it first collects every row of every term with that prefix (SQLite manual, FTS5, 4.2),
/// which takes a tenth of a second for a common word among a million. Such a prefix is therefore
/// replaced by the few terms it matches.
package struct FTSTermIndex: Sendable {
    /// An `fts5vocab` table of the type `instance`.
    let table: StaticSQL
    /// The longest prefix, in letters, that is indexed; every shorter one is indexed too, for
    /// search as you type.
    let indexedPrefixLength: Int

    /// Maximum number of terms that replace a prefix; a prefix of more terms has few rows for each.
    private static let termLimit = 32

    package init(table: StaticSQL, indexedPrefixLength: Int) {
        self.table = table
        self.indexedPrefixLength = indexedPrefixLength
    }

    /// An FTS5 query for rows that contain, for each of `words`, a term with that prefix. Words
    /// consist of letters and digits only.
    package func makeMatchExpression(_ words: some Sequence<Substring>, _ connection: Connection)
        throws(DatabaseError) -> String
    {
        var parts: [String] = []
        for word in words { parts.append(try makePrefixExpression(word, connection)) }
        return parts.joined(separator: " AND ")
    }

    private func makePrefixExpression(_ word: Substring, _ connection: Connection)
        throws(DatabaseError) -> String
    {
        let prefix = "\"\(word)\"*"
        // The tokenizer folds letters of other scripts in ways of its own.
        guard word.utf8.count > indexedPrefixLength, word.utf8.allSatisfy({ $0 < 128 }) else {
            return prefix
        }
        let folded = word.lowercased()
        var terms: [String] = []
        var lowerBound = folded
        while let next = try connection.text(
            "SELECT term FROM \(table) WHERE term >= ? LIMIT 1", [.text(lowerBound)]),
            next.hasPrefix(folded)
        {
            guard terms.count < Self.termLimit else { return prefix }
            terms.append("\"\(next)\"")
            // The smallest text after it: the term's other rows are skipped.
            lowerBound = next + "\u{1}"
        }
        return terms.isEmpty ? prefix : "(" + terms.joined(separator: " OR ") + ")"
    }
}
