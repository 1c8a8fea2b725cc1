/// The words of a full-text index, looked up so that what nearly every row
/// holds is found as fast as what few hold.
///
/// FTS5 walks a list as far as a page needs it, but only one it has: of a
/// prefix longer than its prefix indexes it first gathers every row of every
/// word that begins so (SQLite manual, FTS5, 4.2), a tenth of a second for a
/// common word among a million. Such a prefix is therefore asked for as the
/// few words it stands for.
package struct FTSTermIndex: Sendable {
    /// An `fts5vocab` table of the type `instance`.
    let table: StaticSQL
    /// The longest prefix, in letters, the index has a list of; it has one of
    /// every shorter one too, so that what is typed is found letter by letter.
    let indexedPrefixLength: Int

    /// Words asked for in place of a prefix; one that so many begin with has
    /// few rows for each.
    private static let termLimit = 32

    package init(table: StaticSQL, indexedPrefixLength: Int) {
        self.table = table
        self.indexedPrefixLength = indexedPrefixLength
    }

    /// What FTS5 is asked for to find rows that hold, for each of `words`,
    /// one that begins so. Words are letters and digits and nothing else.
    package func makeMatchExpression(_ words: some Sequence<Substring>, _ connection: Connection)
        throws(DatabaseError) -> String
    {
        var parts: [String] = []
        for word in words { parts.append(try makePrefixExpression(word, connection)) }
        return parts.joined(separator: " AND ")
    }

    private func makePrefixExpression(_ word: Substring, _ connection: Connection)
        throws(DatabaseError)
        -> String
    {
        let prefix = "\"\(word)\"*"
        // The tokenizer folds letters of other scripts in ways of its own.
        guard word.utf8.count > indexedPrefixLength, word.utf8.allSatisfy({ $0 < 128 }) else {
            return prefix
        }
        let folded = word.lowercased()
        var found: [String] = []
        var from = folded
        while let next = try connection.text(
            "SELECT term FROM \(table) WHERE term >= ? LIMIT 1", [.text(from)]),
            next.hasPrefix(folded)
        {
            guard found.count < Self.termLimit else { return prefix }
            found.append("\"\(next)\"")
            // The least text after it: its other rows are passed over.
            from = next + "\u{1}"
        }
        return found.isEmpty ? prefix : "(" + found.joined(separator: " OR ") + ")"
    }
}
