import Apps

/// Where each screen stands in the state map: a column by how far the flow
/// has come, a lane within it.
struct ScreenGraphLayout {
    struct Position: Equatable {
        var column: Int
        var lane: Int
    }

    let positions: [String: Position]
    let edges: [ScreenGraphEdge]

    var columnCount: Int { (positions.values.map(\.column).max() ?? 0) + 1 }
    var laneCount: Int { (positions.values.map(\.lane).max() ?? 0) + 1 }

    /// As many columns as the flow is long.
    static func makeWide(_ app: App) -> ScreenGraphLayout {
        let ways = ScreenGraphEdge.all(of: app)
        let columns = LayerAssignment(app, ways).layers
        var places: [String: Position] = [:]
        for column in 0...(columns.values.max() ?? 0) {
            var taken: Set<Int> = []
            for screen in app.screens where columns[screen.id] == column {
                // A screen stands beside those that lead to it.
                let wish = preferredLane(of: screen.id, ways, places)
                let lane =
                    (0...app.screens.count).filter { !taken.contains($0) }.min {
                        abs($0 - wish) < abs($1 - wish)
                    } ?? 0
                taken.insert(lane)
                places[screen.id] = Position(column: column, lane: lane)
            }
        }
        return ScreenGraphLayout(positions: places, edges: ways)
    }

    /// Three columns at most: the start, before signing in, after it.
    static func makeCompact(_ app: App) -> ScreenGraphLayout {
        let groups = [
            app.screens.filter { $0.kind == .launch },
            app.screens.filter { $0.kind != .launch && $0.requirement == nil },
            app.screens.filter { $0.kind != .launch && $0.requirement != nil },
        ].filter { !$0.isEmpty }
        var places: [String: Position] = [:]
        for (column, group) in groups.enumerated() {
            for (lane, screen) in group.enumerated() {
                places[screen.id] = Position(column: column, lane: lane)
            }
        }
        return ScreenGraphLayout(positions: places, edges: ScreenGraphEdge.all(of: app))
    }

    /// The lane of the first screen that leads to `id`.
    private static func preferredLane(
        of id: String, _ ways: [ScreenGraphEdge], _ places: [String: Position]
    ) -> Int {
        ways.lazy.filter { $0.to == id }.compactMap { places[$0.from]?.lane }.first ?? 0
    }

    /// Whether nothing stands between two neighbours of a lane or a column.
    func isStraight(_ from: Position, _ to: Position) -> Bool {
        let taken = positions.values
        if from.lane == to.lane {
            let between = min(from.column, to.column)...max(from.column, to.column)
            return taken.filter { $0.lane == from.lane && between.contains($0.column) }.count == 2
        }
        return from.column == to.column && abs(from.lane - to.lane) == 1
    }
}
