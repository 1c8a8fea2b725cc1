/// How many exchanges of each sort a workspace keeps.
package struct ExchangeTotals: Sendable, Equatable {
    package var all: Int
    package var refused: Int
    package var noAnswer: Int
    package var refresh: Int

    package init(all: Int, refused: Int, noAnswer: Int, refresh: Int) {
        self.all = all
        self.refused = refused
        self.noAnswer = noAnswer
        self.refresh = refresh
    }
}
