/// How many exchanges of each sort a workspace keeps.
package struct ExchangeTotals: Sendable, Equatable {
    package var all: Int
    package var httpErrors: Int
    package var noResponse: Int
    package var refreshes: Int

    /// So many can be counted anew for every page.
    package static let exactCountLimit = 10_000

    package init(all: Int, httpErrors: Int, noResponse: Int, refreshes: Int) {
        self.all = all
        self.httpErrors = httpErrors
        self.noResponse = noResponse
        self.refreshes = refreshes
    }

    /// Those of `exchanges` of one workspace.
    init(of exchanges: [Exchange]) {
        all = exchanges.count
        httpErrors = exchanges.count { ($0.status ?? 0) >= 400 }
        noResponse = exchanges.count { $0.failure != nil }
        refreshes = exchanges.count { $0.cause == .refresh }
    }

    static prefix func - (_ totals: ExchangeTotals) -> ExchangeTotals {
        ExchangeTotals(
            all: -totals.all, httpErrors: -totals.httpErrors, noResponse: -totals.noResponse,
            refreshes: -totals.refreshes)
    }
}
