/// A page of exchanges, newest first.
package struct ExchangePage: Sendable {
    package var items: [Exchange]
    /// The number of exchanges that match the query. With a filter at most 10,000 are counted, and
    /// at most 1,000 if the workspace stores very many.
    package var total: Int
    /// Whether `total` is exact.
    package var totalIsExact: Bool
    /// Whether there are older exchanges after the last item.
    package var hasOlder: Bool
    /// Whether there are newer exchanges before the first item.
    package var hasNewer: Bool

    package init(items: [Exchange], total: Int, totalIsExact: Bool, hasOlder: Bool, hasNewer: Bool)
    {
        self.items = items
        self.total = total
        self.totalIsExact = totalIsExact
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
    }
}
