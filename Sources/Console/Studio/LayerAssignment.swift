import Apps

/// Assigns each screen a layer: the length of the longest path from the first screen, without
/// backward edges.
struct LayerAssignment {
    private(set) var layers: [String: Int]

    /// The number of layers that fit side by side with nodes of full width.
    static let layerLimit = 6

    init(_ app: App, _ edges: [ScreenGraphEdge]) {
        let screens = app.screens.map(\.id)
        let order = Dictionary(uniqueKeysWithValues: screens.enumerated().map { ($1, $0) })
        let forward = edges.filter {
            $0.to != screens.first && order[$0.from, default: 0] < order[$0.to, default: 0]
        }
        let groups = Self.groups(app, edges, forward)
        layers = Self.longestPaths(screens, forward, groups)
        moveSignedInLast(app)
        limitLayerCount()
    }

    /// The longest path to each group of screens; a screen in no group forms its own. A group takes
    /// the order of its first screen, so that no edge leads backward and there are no more layers
    /// than groups.
    private static func longestPaths(
        _ screens: [String], _ forward: [ScreenGraphEdge], _ groups: [Set<String>]
    )
        -> [String: Int]
    {
        let order = Dictionary(uniqueKeysWithValues: screens.enumerated().map { ($1, $0) })
        func groupOrder(_ screen: String) -> Int {
            groups.first { $0.contains(screen) }?.compactMap { order[$0] }.min()
                ?? order[screen, default: 0]
        }
        var depths: [Int: Int] = [:]
        for index in screens.indices {
            for edge in forward where groupOrder(edge.from) == index {
                let target = groupOrder(edge.to)
                guard index < target else { continue }
                depths[target] = max(depths[target, default: 0], depths[index, default: 0] + 1)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: screens.map { ($0, depths[groupOrder($0), default: 0]) })
    }

    /// Screens that share a layer: tabs of one another, and pairs that link to each other without a
    /// screen in between.
    private static func groups(_ app: App, _ edges: [ScreenGraphEdge], _ forward: [ScreenGraphEdge])
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
        for edge in edges where edge.isNavigationOnly && !starts.contains(edge.from) {
            guard edges.contains(where: { $0.from == edge.to && $0.to == edge.from }),
                app.screen(edge.from)?.requirement == app.screen(edge.to)?.requirement,
                app.screen(edge.from)?.requirement == nil,
                !groups.contains(where: { $0.contains(edge.from) || $0.contains(edge.to) }),
                !hasIndirectPath(edge.from, edge.to, forward),
                !hasIndirectPath(edge.to, edge.from, forward)
            else { continue }
            groups.append([edge.from, edge.to])
        }
        return groups
    }

    /// Whether a path through a third screen leads from one to the other.
    private static func hasIndirectPath(_ from: String, _ to: String, _ forward: [ScreenGraphEdge])
        -> Bool
    {
        var visited: Set<String> = [from, to]
        var pending = forward.filter { $0.from == from }.map(\.to)
        while let next = pending.popLast() {
            guard visited.insert(next).inserted else { continue }
            let successors = forward.filter { $0.from == next }.map(\.to)
            if successors.contains(to) { return true }
            pending += successors
        }
        return false
    }

    /// Compresses longer flows to the limit; preserves the order.
    private mutating func limitLayerCount() {
        let count = (layers.values.max() ?? 0) + 1
        guard count > Self.layerLimit else { return }
        layers = layers.mapValues { $0 * Self.layerLimit / count }
    }

    /// Moves screens that require a session behind all others.
    private mutating func moveSignedInLast(_ app: App) {
        let signedInScreens = app.screens.filter { $0.requirement != nil }.map(\.id)
        let otherScreens = app.screens.filter { $0.requirement == nil }.map(\.id)
        let lastLayer = otherScreens.compactMap { layers[$0] }.max() ?? -1
        guard let firstLayer = signedInScreens.compactMap({ layers[$0] }).min(),
            firstLayer <= lastLayer
        else { return }
        for screen in signedInScreens { layers[screen, default: 0] += lastLayer + 1 - firstLayer }
    }
}
