import Web

/// A list position from a page's URL: `?before=`, `?after=` and, as a hint for "21–40 of 128", its
/// first row's number in `from`.
///
/// The cursors are exact. The number is corrected wherever an end of the list is reached, and may
/// be off by rows added in between.
struct Keyset: Sendable {
    var before: Int64?
    var after: Int64?
    var firstRowNumber: Int

    /// Rows per page.
    static let pageSize = 50
    /// The largest row number; no list has more rows.
    private static let maxRowNumber = 1_000_000_000
    static let parameterNames = ["before", "after", "from"]

    /// Parses the position from a query whose parameter names were already checked.
    init(_ queryParameters: [String: String]) throws(Problem) {
        before = try Self.cursor("before", queryParameters)
        after = try Self.cursor("after", queryParameters)
        firstRowNumber =
            queryParameters["from"].flatMap(Int.init).map { min(max(1, $0), Self.maxRowNumber) }
            ?? 1
        if before != nil && after != nil {
            throw .badParameter("after", "cannot be combined with before")
        }
    }

    private static func cursor(_ name: String, _ queryParameters: [String: String]) throws(Problem)
        -> Int64?
    {
        guard let text = queryParameters[name] else { return nil }
        guard let cursor = Int64(text), cursor > 0 else {
            throw .badParameter(name, "is not a valid list position; use the list's links")
        }
        return cursor
    }

    /// The position as query items.
    var queryItems: [(String, String?)] {
        [
            ("before", before.map { String($0) }), ("after", after.map { String($0) }),
            ("from", firstRowNumber > 1 ? String(firstRowNumber) : nil),
        ]
    }
}

extension PagerModel {
    /// `first` and `last` are the sequence numbers of the first and the last row; `link` makes a
    /// URL of this list from paging items. Nil without rows.
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
