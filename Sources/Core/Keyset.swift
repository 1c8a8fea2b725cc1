/// A position in a list that is sorted by sequence number, newest first, and the size of a page.
package struct Keyset: Sendable, Equatable {
    /// The page of the items below this sequence number.
    package var before: Int64?
    /// The page of the items next above this sequence number; `before` is then ignored.
    package var after: Int64?
    /// The number of items, 1 to 500.
    package var limit: Int {
        get { size }
        set { size = max(1, min(newValue, 500)) }
    }
    private var size = 50

    package init(before: Int64? = nil, after: Int64? = nil, limit: Int = 50) {
        self.before = before
        self.after = after
        self.limit = limit
    }
}

/// A page of a list that is sorted by sequence number, newest first.
package struct KeysetPage<Item: Sendable>: Sendable {
    package let items: [Item]
    /// The sequence numbers of the first and the last item; nil without items.
    package let first: Int64?
    package let last: Int64?
    package let hasNewer: Bool
    package let hasOlder: Bool
    /// The number of items on all pages.
    package var total: Int
    /// Whether counting did not stop at a limit.
    package var totalIsExact: Bool

    /// The page at `keyset`, from up to `keyset.limit + 1` rows in the order in which they are
    /// read: ascending from `keyset.after`, otherwise descending.
    package init(
        _ keyset: Keyset, _ rows: [(item: Item, sequence: Int64)], total: Int, totalIsExact: Bool
    ) {
        let hasMore = rows.count > keyset.limit
        let page = rows.prefix(keyset.limit)
        let isAscending = keyset.after != nil
        let ordered = isAscending ? page.reversed() : Array(page)
        items = ordered.map(\.item)
        first = ordered.first?.sequence
        last = ordered.last?.sequence
        hasNewer = isAscending ? hasMore : keyset.before != nil
        hasOlder = isAscending || hasMore
        self.total = total
        self.totalIsExact = totalIsExact
    }
}
