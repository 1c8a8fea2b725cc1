/// The position of each node of a directed graph in a grid: a column by its depth, and a lane
/// within it.
package struct LayeredLayout: Sendable {
    /// A node's cell.
    package struct Position: Sendable, Equatable {
        package var column: Int
        package var lane: Int
    }

    package let positions: [String: Position]

    package var columnCount: Int { (positions.values.map(\.column).max() ?? 0) + 1 }
    package var laneCount: Int { (positions.values.map(\.lane).max() ?? 0) + 1 }

    /// Nodes in the given columns, each in the given order.
    package init(columns: [[String]]) {
        var positions: [String: Position] = [:]
        for (column, nodes) in columns.enumerated() {
            for (lane, node) in nodes.enumerated() {
                positions[node] = Position(column: column, lane: lane)
            }
        }
        self.positions = positions
    }

    /// One column for each layer; a node is placed near the lane of the first one that leads to it.
    package init(_ layers: LayerAssignment) {
        var positions: [String: Position] = [:]
        for column in 0...(layers.layers.values.max() ?? 0) {
            var freeLanes = Array(0...layers.nodes.count)
            for node in layers.nodes where layers.layers[node] == column {
                let sources = layers.edges.lazy.filter { $0.to == node }
                let preferred = sources.compactMap { positions[$0.from]?.lane }.first ?? 0
                let lane = freeLanes.min { abs($0 - preferred) < abs($1 - preferred) } ?? 0
                freeLanes.removeAll { $0 == lane }
                positions[node] = Position(column: column, lane: lane)
            }
        }
        self.positions = positions
    }

    /// Whether both are in one row without a node in between, or adjacent in one column.
    package func isStraight(_ from: String, _ to: String) -> Bool {
        guard let a = positions[from], let b = positions[to] else { return false }
        guard a.lane == b.lane else { return a.column == b.column && abs(a.lane - b.lane) == 1 }
        let columns = min(a.column, b.column)...max(a.column, b.column)
        return positions.values.count { $0.lane == a.lane && columns.contains($0.column) } == 2
    }

    /// Whether an edge leads to an earlier column, or upwards in its column.
    package func isBackward(_ from: String, _ to: String) -> Bool {
        guard let a = positions[from], let b = positions[to] else { return false }
        return (b.column, b.lane) < (a.column, a.lane)
    }
}

/// Assigns each node of a directed graph a layer: the length of the longest path from the first
/// node, without backward edges.
package struct LayerAssignment {
    /// In their order: an edge to an earlier node leads backward.
    let nodes: [String]
    let edges: [(from: String, to: String)]
    private(set) var layers: [String: Int] = [:]
    private let order: [String: Int]
    private let forwardEdges: [(from: String, to: String)]

    /// The number of layers that fit side by side with nodes of full width.
    static let layerLimit = 6

    /// The nodes of each of `groups` share a layer; so do those of `pairs` unless they are in
    /// another group or a path leads from one to the other through a third node. `last` are placed
    /// behind all other nodes.
    package init(
        nodes: [String], edges: [(from: String, to: String)], groups: [Set<String>],
        pairs: [(String, String)], last: Set<String>
    ) {
        self.nodes = nodes
        self.edges = edges
        let order = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1, $0) })
        self.order = order
        forwardEdges = edges.filter {
            $0.to != nodes.first && order[$0.from, default: 0] < order[$0.to, default: 0]
        }
        var groups = groups
        for (a, b) in pairs
        where !groups.contains(where: { $0.contains(a) || $0.contains(b) })
            && !hasIndirectPath(a, b) && !hasIndirectPath(b, a)
        { groups.append([a, b]) }
        assignLongestPaths(groups)
        move(last: last)
        // Compresses longer flows to the limit; preserves the order.
        let count = (layers.values.max() ?? 0) + 1
        if count > Self.layerLimit { layers = layers.mapValues { $0 * Self.layerLimit / count } }
    }

    /// The longest path to each group of nodes; a node in no group forms its own. A group takes the
    /// order of its first node, so that no edge leads backward and there are no more layers than
    /// groups.
    private mutating func assignLongestPaths(_ groups: [Set<String>]) {
        var groupOrder = order
        for group in groups {
            let first = group.compactMap { order[$0] }.min()
            for node in group { groupOrder[node] = first }
        }
        var depths: [Int: Int] = [:]
        for index in nodes.indices {
            for edge in forwardEdges where groupOrder[edge.from] == index {
                guard let target = groupOrder[edge.to], index < target else { continue }
                depths[target] = max(depths[target, default: 0], depths[index, default: 0] + 1)
            }
        }
        for node in nodes { layers[node] = depths[groupOrder[node, default: 0], default: 0] }
    }

    /// Whether a path through a third node leads from one to the other.
    private func hasIndirectPath(_ from: String, _ to: String) -> Bool {
        func targets(of node: String) -> [String] {
            forwardEdges.filter { $0.from == node }.map(\.to)
        }
        var visited: Set<String> = [from, to]
        var pending = targets(of: from)
        while let next = pending.popLast() {
            guard visited.insert(next).inserted else { continue }
            let successors = targets(of: next)
            if successors.contains(to) { return true }
            pending += successors
        }
        return false
    }

    private mutating func move(last: Set<String>) {
        let lastLayer = layers.filter { !last.contains($0.key) }.values.max() ?? -1
        guard let firstLayer = last.compactMap({ layers[$0] }).min(), firstLayer <= lastLayer else {
            return
        }
        for node in last { layers[node, default: 0] += lastLayer + 1 - firstLayer }
    }
}
