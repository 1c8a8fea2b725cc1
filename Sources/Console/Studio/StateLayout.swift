import Apps

/// Where each screen stands in the state map: a column by how far the flow
/// has come, a lane within it.
struct StateLayout {
    struct Place: Equatable {
        var column: Int
        var lane: Int
    }

    /// A way from one screen to another, as the map draws it.
    struct Way: Equatable {
        var from: String
        var to: String
        var label: String
    }

    let places: [String: Place]
    let ways: [Way]
    let columns: Int
    let lanes: Int

    init(_ app: App) {
        let screens = app.screens.map(\.id)
        let drawn = Self.ways(app, screens)
        let columnOf = Self.columns(app, screens, drawn)
        var placed: [String: Place] = [:]
        let last = columnOf.values.max() ?? 0
        for column in 0...last {
            let here = screens.filter { columnOf[$0] == column }
            let pulls = Dictionary(
                uniqueKeysWithValues: here.map {
                    ($0, Self.pull($0, drawn, placed))
                })
            // A screen stands near those that lead to it.
            let ordered = here.enumerated().sorted { one, other in
                let a = pulls[one.element, default: 0]
                let b = pulls[other.element, default: 0]
                return a == b ? one.offset < other.offset : a < b
            }
            for (lane, entry) in ordered.enumerated() {
                placed[entry.element] = Place(column: column, lane: lane)
            }
        }
        ways = drawn
        places = placed
        columns = last + 1
        lanes = (placed.values.map(\.lane).max() ?? 0) + 1
    }

    /// One way for each pair of screens, the first label that is told.
    private static func ways(_ app: App, _ screens: [String]) -> [Way] {
        var ways: [Way] = []
        for edge in app.edges where edge.from != edge.to {
            guard edge.isDrawn, screens.contains(edge.from),
                screens.contains(edge.to)
            else { continue }
            if let index = ways.firstIndex(where: {
                $0.from == edge.from && $0.to == edge.to
            }) {
                if ways[index].label.isEmpty { ways[index].label = edge.label }
                continue
            }
            let label = edge.kind == .launch ? "" : edge.label
            ways.append(Way(from: edge.from, to: edge.to, label: label))
        }
        return ways
    }

    /// The longest way from the first screen, ways back not counted; tabs of
    /// one another share a column.
    private static func columns(
        _ app: App, _ screens: [String], _ ways: [Way]
    ) -> [String: Int] {
        let order = Dictionary(
            uniqueKeysWithValues: screens.enumerated().map { ($1, $0) })
        var columns = Dictionary(uniqueKeysWithValues: screens.map { ($0, 0) })
        let first = screens.first ?? ""
        for _ in screens {
            for way in ways {
                guard way.to != first,
                    order[way.from, default: 0] < order[way.to, default: 0],
                    !(app.screen(way.from)?.tabs.contains(way.to) ?? false)
                else { continue }
                columns[way.to] = max(
                    columns[way.to, default: 0],
                    columns[way.from, default: 0] + 1)
            }
            for screen in app.screens where screen.tabs.count > 1 {
                let shared = screen.tabs.compactMap { columns[$0] }.max() ?? 0
                for tab in screen.tabs { columns[tab] = shared }
            }
        }
        return columns
    }

    /// The mean lane of the screens that lead to `id`.
    private static func pull(
        _ id: String, _ ways: [Way], _ places: [String: Place]
    ) -> Double {
        let lanes = ways.filter { $0.to == id }
            .compactMap { places[$0.from]?.lane }
        guard !lanes.isEmpty else { return 0 }
        return Double(lanes.reduce(0, +)) / Double(lanes.count)
    }
}
