import Apps

/// How far into the flow each screen stands: the longest way from the first
/// one, ways back not counted.
struct StateColumns {
    private(set) var columns: [String: Int]

    init(_ app: App, _ ways: [StateWay]) {
        let screens = app.screens.map(\.id)
        let order = Dictionary(
            uniqueKeysWithValues: screens.enumerated().map { ($1, $0) })
        let groups = Self.groups(app, ways)
        columns = Dictionary(uniqueKeysWithValues: screens.map { ($0, 0) })
        for _ in screens {
            for way in ways {
                guard way.to != screens.first,
                    order[way.from, default: 0] < order[way.to, default: 0],
                    !groups.contains(where: {
                        $0.contains(way.from) && $0.contains(way.to)
                    })
                else { continue }
                columns[way.to] = max(
                    columns[way.to, default: 0],
                    columns[way.from, default: 0] + 1)
            }
            for group in groups {
                let shared = group.compactMap { columns[$0] }.max() ?? 0
                for screen in group { columns[screen] = shared }
            }
        }
        putSignedInLast(app)
    }

    /// Screens that stand below each other: tabs of one another, and two that
    /// lead to each other.
    private static func groups(
        _ app: App, _ ways: [StateWay]
    ) -> [Set<String>] {
        var groups: [Set<String>] = []
        for screen in app.screens where screen.tabs.count > 1 {
            let tabs = Set(screen.tabs)
            if !groups.contains(tabs) { groups.append(tabs) }
        }
        let starts = Set(
            app.screens.filter { $0.kind == .launch }.map(\.id))
        for way in ways where way.isLook && !starts.contains(way.from) {
            guard ways.contains(where: {
                $0.from == way.to && $0.to == way.from
            }),
                app.screen(way.from)?.needs == app.screen(way.to)?.needs,
                app.screen(way.from)?.needs == nil,
                !groups.contains(where: {
                    $0.contains(way.from) || $0.contains(way.to)
                })
            else { continue }
            groups.append([way.from, way.to])
        }
        return groups
    }

    /// What needs a session comes after everything that does not.
    private mutating func putSignedInLast(_ app: App) {
        let inside = app.screens.filter { $0.needs != nil }.map(\.id)
        let outside = app.screens.filter { $0.needs == nil }.map(\.id)
        let end = outside.compactMap { columns[$0] }.max() ?? -1
        guard let first = inside.compactMap({ columns[$0] }).min(),
            first <= end
        else { return }
        for screen in inside {
            columns[screen, default: 0] += end + 1 - first
        }
    }
}
