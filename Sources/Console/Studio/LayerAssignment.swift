import Apps

/// How far into the flow each screen stands: the longest way from the first
/// one, ways back not counted.
struct LayerAssignment {
    private(set) var layers: [String: Int]

    /// Nodes of their whole width have room beside each other in so many.
    static let layerLimit = 6

    init(_ app: App, _ ways: [ScreenGraphEdge]) {
        let screens = app.screens.map(\.id)
        let order = Dictionary(uniqueKeysWithValues: screens.enumerated().map { ($1, $0) })
        let forward = ways.filter {
            $0.to != screens.first && order[$0.from, default: 0] < order[$0.to, default: 0]
        }
        let groups = Self.groups(app, ways, forward)
        layers = Self.longestPaths(screens, forward, groups)
        moveSignedInLast(app)
        limitLayerCount()
    }

    /// The longest way to each group of screens, a screen of none being its
    /// own. A group counts as its first screen: so no way leads back, and
    /// there are never more columns than groups.
    private static func longestPaths(
        _ screens: [String], _ forward: [ScreenGraphEdge], _ groups: [Set<String>]
    )
        -> [String: Int]
    {
        let order = Dictionary(uniqueKeysWithValues: screens.enumerated().map { ($1, $0) })
        func first(_ screen: String) -> Int {
            groups.first { $0.contains(screen) }?.compactMap { order[$0] }.min()
                ?? order[screen, default: 0]
        }
        var reached: [Int: Int] = [:]
        for place in screens.indices {
            for way in forward where first(way.from) == place {
                let to = first(way.to)
                guard place < to else { continue }
                reached[to] = max(reached[to, default: 0], reached[place, default: 0] + 1)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: screens.map { ($0, reached[first($0), default: 0]) })
    }

    /// Screens that stand below each other: tabs of one another, and two that
    /// lead to each other with nothing between them.
    private static func groups(_ app: App, _ ways: [ScreenGraphEdge], _ forward: [ScreenGraphEdge])
        -> [Set<
            String
        >]
    {
        var groups: [Set<String>] = []
        for screen in app.screens where screen.tabs.count > 1 {
            let tabs = Set(screen.tabs)
            if !groups.contains(tabs) { groups.append(tabs) }
        }
        let starts = Set(app.screens.filter { $0.kind == .launch }.map(\.id))
        for way in ways where way.isNavigationOnly && !starts.contains(way.from) {
            guard ways.contains(where: { $0.from == way.to && $0.to == way.from }),
                app.screen(way.from)?.requirement == app.screen(way.to)?.requirement,
                app.screen(way.from)?.requirement == nil,
                !groups.contains(where: { $0.contains(way.from) || $0.contains(way.to) }),
                !hasIndirectPath(way.from, way.to, forward),
                !hasIndirectPath(way.to, way.from, forward)
            else { continue }
            groups.append([way.from, way.to])
        }
        return groups
    }

    /// Whether the flow also leads from one to the other over a third.
    private static func hasIndirectPath(_ from: String, _ to: String, _ forward: [ScreenGraphEdge])
        -> Bool
    {
        var seen: Set<String> = [from, to]
        var waiting = forward.filter { $0.from == from }.map(\.to)
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            let onward = forward.filter { $0.from == next }.map(\.to)
            if onward.contains(to) { return true }
            waiting += onward
        }
        return false
    }

    /// A flow longer than there is room for stands in fewer columns, in its
    /// order.
    private mutating func limitLayerCount() {
        let count = (layers.values.max() ?? 0) + 1
        guard count > Self.layerLimit else { return }
        layers = layers.mapValues { $0 * Self.layerLimit / count }
    }

    /// What needs a session comes after everything that does not.
    private mutating func moveSignedInLast(_ app: App) {
        let inside = app.screens.filter { $0.requirement != nil }.map(\.id)
        let outside = app.screens.filter { $0.requirement == nil }.map(\.id)
        let end = outside.compactMap { layers[$0] }.max() ?? -1
        guard let first = inside.compactMap({ layers[$0] }).min(), first <= end else { return }
        for screen in inside { layers[screen, default: 0] += end + 1 - first }
    }
}
