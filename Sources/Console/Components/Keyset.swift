import Web

/// Where in a list a page's address stands: `?before=`, `?after=` and, as a
/// hint for "21–40 of 128", the place of its first row in `from`.
///
/// The cursors are exact; the number is corrected wherever an end of the list
/// is seen, and may be off by what came in between.
struct Keyset: Sendable {
    var before: Int64?
    var after: Int64?
    var firstRowNumber: Int

    /// Rows of a page.
    static let pageSize = 50
    /// No list has more rows.
    private static let maxRowNumber = 1_000_000_000
    static let parameterNames = ["before", "after", "from"]

    /// Reads it from a query whose names were checked already.
    init(_ asked: [String: String]) throws(Problem) {
        before = try Self.cursor("before", asked)
        after = try Self.cursor("after", asked)
        firstRowNumber =
            asked["from"].flatMap(Int.init).map { min(max(1, $0), Self.maxRowNumber) } ?? 1
        if before != nil && after != nil {
            throw .badParameter("after", "cannot stand with before")
        }
    }

    private static func cursor(_ name: String, _ asked: [String: String]) throws(Problem) -> Int64?
    {
        guard let text = asked[name] else { return nil }
        guard let cursor = Int64(text), cursor > 0 else {
            throw .badParameter(name, "is no place in the list; take it from its links")
        }
        return cursor
    }

    /// Its own items of a query.
    var queryItems: [(String, String?)] {
        [
            ("before", before.map { String($0) }), ("after", after.map { String($0) }),
            ("from", firstRowNumber > 1 ? String(firstRowNumber) : nil),
        ]
    }
}

extension PagerModel {
    /// `sequences` are the first and the last row's; `link` makes an address
    /// of this list from paging items. Nil while all stands on one page.
    init?(
        _ keyset: Keyset, rows: Int, total: Int, isExact: Bool = true, first: Int64?, last: Int64?,
        hasNewer: Bool, hasOlder: Bool, link: ([(String, String?)]) -> String
    ) {
        guard rows > 0, let first, let last else { return nil }
        let lastPage = max(1, total - rows + 1)
        let start =
            !hasNewer
            ? 1
            : !isExact
                ? max(1, keyset.firstRowNumber)
                : hasOlder ? min(keyset.firstRowNumber, lastPage) : lastPage
        let newer = max(1, start - Keyset.pageSize)
        self.init(
            range: "\(Format.count(start))–\(Format.count(start + rows - 1)) of "
                + Format.count(max(total, start + rows - 1), isExact: isExact),
            newerURL: hasNewer
                ? link([("after", String(first)), ("from", newer > 1 ? String(newer) : nil)]) : nil,
            olderURL: hasOlder
                ? link([("before", String(last)), ("from", String(start + rows))]) : nil)
    }
}
