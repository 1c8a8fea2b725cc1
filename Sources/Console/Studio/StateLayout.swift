import Apps

/// Where each screen stands in the state map: a column by how far the flow
/// has come, a lane within it.
struct StateLayout {
    struct Place: Equatable {
        var column: Int
        var lane: Int
    }

    let places: [String: Place]
    let ways: [StateWay]

    var columns: Int { (places.values.map(\.column).max() ?? 0) + 1 }
    var lanes: Int { (places.values.map(\.lane).max() ?? 0) + 1 }

    /// As many columns as the flow is long.
    static func wide(_ app: App) -> StateLayout {
        let ways = StateWay.all(of: app)
        let columns = StateColumns(app, ways).columns
        var places: [String: Place] = [:]
        for column in 0...(columns.values.max() ?? 0) {
            var taken: Set<Int> = []
            for screen in app.screens where columns[screen.id] == column {
                // A screen stands beside those that lead to it.
                let wish = pull(screen.id, ways, places)
                let lane =
                    (0...app.screens.count).filter { !taken.contains($0) }.min {
                        abs($0 - wish) < abs($1 - wish)
                    } ?? 0
                taken.insert(lane)
                places[screen.id] = Place(column: column, lane: lane)
            }
        }
        return StateLayout(places: places, ways: ways)
    }

    /// Three columns at most: the start, before signing in, after it.
    static func compact(_ app: App) -> StateLayout {
        let groups = [
            app.screens.filter { $0.kind == .launch },
            app.screens.filter { $0.kind != .launch && $0.needs == nil },
            app.screens.filter { $0.kind != .launch && $0.needs != nil },
        ].filter { !$0.isEmpty }
        var places: [String: Place] = [:]
        for (column, group) in groups.enumerated() {
            for (lane, screen) in group.enumerated() {
                places[screen.id] = Place(column: column, lane: lane)
            }
        }
        return StateLayout(places: places, ways: StateWay.all(of: app))
    }

    /// The lane of the first screen that leads to `id`.
    private static func pull(_ id: String, _ ways: [StateWay], _ places: [String: Place]) -> Int {
        ways.lazy.filter { $0.to == id }.compactMap { places[$0.from]?.lane }.first ?? 0
    }

    /// Whether nothing stands between two neighbours of a lane or a column.
    func isStraight(_ from: Place, _ to: Place) -> Bool {
        let taken = places.values
        if from.lane == to.lane {
            let between = min(from.column, to.column)...max(from.column, to.column)
            return taken.filter { $0.lane == from.lane && between.contains($0.column) }.count == 2
        }
        return from.column == to.column && abs(from.lane - to.lane) == 1
    }
}
