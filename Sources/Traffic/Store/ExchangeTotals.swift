/// Counts of a workspace's stored exchanges.
package struct ExchangeTotals: Sendable, Equatable {
    package var all: Int
    package var httpErrors: Int
    package var noResponse: Int
    package var refreshes: Int

    /// Up to this number, exchanges can be counted again for every page.
    package static let exactCountLimit = 10_000
}

extension ExchangeTotals {
    /// Counts `exchanges`, which belong to one workspace.
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
