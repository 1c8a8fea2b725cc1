/// A position in a list that is sorted by sequence number, newest first, and the size of a page.
///
/// A list may be sorted by another value too; the position is then that value and the sequence
/// number of its item, and the pages before and after are those in the list's order.
package struct Keyset: Sendable, Equatable {
    /// The page of the items below this sequence number.
    package var before: Int64?
    /// The page of the items next above this sequence number; `before` is then ignored.
    package var after: Int64?
    /// The value by which the list is sorted, of the item with the sequence number.
    package var sortValue: String?
    /// The number of items, 1 to 500.
    package var limit: Int {
        get { size }
        set { size = max(1, min(newValue, 500)) }
    }
    private var size = 50

    package init(
        before: Int64? = nil, after: Int64? = nil, sortValue: String? = nil, limit: Int = 50
    ) {
        self.before = before
        self.after = after
        self.sortValue = sortValue
        self.limit = limit
    }
}

/// A page of a list that is sorted by sequence number, newest first.
package struct KeysetPage<Item: Sendable>: Sendable {
    package let items: [Item]
    /// The sequence numbers of the first and the last item; nil without items.
    package let first: Int64?
    package let last: Int64?
    /// The values of these items by which the list is sorted, if not by sequence number.
    package let firstSortValue: String?
    package let lastSortValue: String?
    package let hasNewer: Bool
    package let hasOlder: Bool
    /// The number of items on all pages.
    package var total: Int
    /// Whether counting did not stop at a limit.
    package var totalIsExact: Bool

    /// Whether its items are those of all pages.
    package var isOnlyPage: Bool { !hasNewer && !hasOlder }

    /// The page at `keyset`, from up to `keyset.limit + 1` rows in the order in which they are
    /// read: ascending from `keyset.after`, otherwise descending.
    package init(
        _ keyset: Keyset, _ rows: [(item: Item, sequence: Int64, sortValue: String?)], total: Int,
        totalIsExact: Bool
    ) {
        let hasMore = rows.count > keyset.limit
        let page = rows.prefix(keyset.limit)
        let isAscending = keyset.after != nil
        let ordered = isAscending ? page.reversed() : Array(page)
        items = ordered.map(\.item)
        first = ordered.first?.sequence
        last = ordered.last?.sequence
        firstSortValue = ordered.first?.sortValue
        lastSortValue = ordered.last?.sortValue
        hasNewer = isAscending ? hasMore : keyset.before != nil
        hasOlder = isAscending || hasMore
        self.total = total
        self.totalIsExact = totalIsExact
    }
}
