import Apps

/// The position of each screen in the screen graph: a column by its depth in the flow, and a lane
/// within it.
struct ScreenGraphLayout {
    struct Position: Equatable {
        var column: Int
        var lane: Int
    }

    let positions: [String: Position]
    let edges: [ScreenGraphEdge]

    var columnCount: Int { (positions.values.map(\.column).max() ?? 0) + 1 }
    var laneCount: Int { (positions.values.map(\.lane).max() ?? 0) + 1 }

    /// One column for each layer of the flow.
    static func makeWide(_ app: App) -> ScreenGraphLayout {
        let edges = ScreenGraphEdge.all(of: app)
        let columns = LayerAssignment(app, edges).layers
        var positions: [String: Position] = [:]
        for column in 0...(columns.values.max() ?? 0) {
            var occupiedLanes: Set<Int> = []
            for screen in app.screens where columns[screen.id] == column {
                // A screen is placed next to the first one that leads to it.
                let preferred = preferredLane(of: screen.id, edges, positions)
                let lane =
                    (0...app.screens.count).filter { !occupiedLanes.contains($0) }.min {
                        abs($0 - preferred) < abs($1 - preferred)
                    } ?? 0
                occupiedLanes.insert(lane)
                positions[screen.id] = Position(column: column, lane: lane)
            }
        }
        return ScreenGraphLayout(positions: positions, edges: edges)
    }

    /// Three columns at most: launch, signed out, signed in.
    static func makeCompact(_ app: App) -> ScreenGraphLayout {
        let groups = [
            app.screens.filter { $0.kind == .launch },
            app.screens.filter { $0.kind != .launch && $0.requirement == nil },
            app.screens.filter { $0.kind != .launch && $0.requirement != nil },
        ].filter { !$0.isEmpty }
        var positions: [String: Position] = [:]
        for (column, group) in groups.enumerated() {
            for (lane, screen) in group.enumerated() {
                positions[screen.id] = Position(column: column, lane: lane)
            }
        }
        return ScreenGraphLayout(positions: positions, edges: ScreenGraphEdge.all(of: app))
    }

    /// The lane of the first screen that leads to `id`.
    private static func preferredLane(
        of id: String, _ edges: [ScreenGraphEdge], _ positions: [String: Position]
    ) -> Int {
        edges.lazy.filter { $0.to == id }.compactMap { positions[$0.from]?.lane }.first ?? 0
    }

    /// Whether both are in one row without a screen in between, or adjacent in one column.
    func isStraight(_ from: Position, _ to: Position) -> Bool {
        let allPositions = positions.values
        if from.lane == to.lane {
            let columns = min(from.column, to.column)...max(from.column, to.column)
            return allPositions.filter { $0.lane == from.lane && columns.contains($0.column) }.count
                == 2
        }
        return from.column == to.column && abs(from.lane - to.lane) == 1
    }
}
