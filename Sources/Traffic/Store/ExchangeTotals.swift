/// How many exchanges of each sort a workspace keeps.
package struct ExchangeTotals: Sendable, Equatable {
    package var all: Int
    package var refused: Int
    package var noAnswer: Int
    package var refresh: Int

    /// So many can be counted anew for every page.
    package static let fewEnough = 10_000

    package init(all: Int, refused: Int, noAnswer: Int, refresh: Int) {
        self.all = all
        self.refused = refused
        self.noAnswer = noAnswer
        self.refresh = refresh
    }

    /// Those of `exchanges` of one workspace.
    init(of exchanges: [Exchange]) {
        all = exchanges.count
        refused = exchanges.count { ($0.status ?? 0) >= 400 }
        noAnswer = exchanges.count { $0.failure != nil }
        refresh = exchanges.count { $0.cause == .refresh }
    }

    static prefix func - (_ totals: ExchangeTotals) -> ExchangeTotals {
        ExchangeTotals(
            all: -totals.all, refused: -totals.refused, noAnswer: -totals.noAnswer,
            refresh: -totals.refresh)
    }
}
