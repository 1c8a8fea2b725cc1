/// A page of exchanges, newest first.
package struct ExchangePage: Sendable {
    package var items: [Exchange]
    /// All that fit the query; under a filter no
    /// more than 10,000 are counted, of very many kept no more than 1,000.
    package var total: Int
    /// Whether `total` is all there are.
    package var totalIsExact: Bool
    /// Whether there are older ones after the last item.
    package var hasOlder: Bool
    /// Whether there are newer ones before the first item.
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
