/// Routes the edges of the screen graph along grid lines, separately or joining another edge.
///
/// Finds the route with the lowest cost of length, bends and crossings (Dijkstra's algorithm).
/// Edges may share a line only if they have the same target or the same source, so that every line
/// is unambiguous.
struct EdgeRouter {
    private typealias Intersection = RoutingGrid.Intersection
    private typealias Port = RoutingGrid.Port

    let grid: RoutingGrid

    /// By edge index: the points from the source's border to the target's, with corners in between.
    private(set) var routes: [Int: [OrthogonalPath.Point]] = [:]
    private var edges: [ScreenGraphEdge] = []
    /// Edges between neighbors, which share no line.
    private var exclusiveEdges: Set<Int> = []
    private var segmentUsers: [Segment: [Int]] = [:]
    private var intersectionUses: [Intersection: [IntersectionUse]] = [:]
    private var portUsers: [Port: [(way: Int, out: Bool)]] = [:]

    /// A line segment between neighboring intersections.
    private struct Segment: Hashable {
        var from: Intersection
        var isHorizontal: Bool
    }

    private struct IntersectionUse {
        var edge: Int
        /// The direction if the edge passes straight through; nil if it turns.
        var isHorizontal: Bool?
    }

    private enum Cost {
        static let bend = 20
        static let crossing = 24
        static let touch = 400
        static let forbidden = 4_000
    }

    init(grid: RoutingGrid) { self.grid = grid }

    /// Routes `edge` and reserves its segments; a straight edge reserves them exclusively.
    mutating func route(_ edge: ScreenGraphEdge, isStraight: Bool) {
        let index = edges.count
        edges.append(edge)
        if isStraight { exclusiveEdges.insert(index) }
        guard let a = grid.boxes[edge.from], let b = grid.boxes[edge.to] else { return }
        let isBackward = b.x < a.x || (b.x == a.x && b.y < a.y)
        guard let foundRoute = findRoute(for: index, isBackward: isBackward) else { return }
        commit(foundRoute, for: index)
    }

    // MARK: Search

    private struct FoundRoute {
        var startPort: Port
        var endPort: Port
        var intersections: [Intersection]
    }

    private struct Step {
        var intersection: Intersection
        var isHorizontal: Bool
        var cost: Int
        var previous: Int?
        var startPort: Port
    }

    private func findRoute(for edgeIndex: Int, isBackward: Bool) -> FoundRoute? {
        var ends: [Intersection: [(Port, Int)]] = [:]
        for port in grid.ports(of: edges[edgeIndex].to) {
            ends[port.exit, default: []].append(
                (port, portCost(port, edgeIndex, isStart: false, isBackward)))
        }
        var steps: [Step] = []
        var queue = PriorityQueue()
        var settled: [Segment: Int] = [:]
        var best: (cost: Int, step: Int, port: Port)?
        for port in grid.ports(of: edges[edgeIndex].from) {
            let isHorizontal = port.side == .left || port.side == .right
            steps.append(
                Step(
                    intersection: port.exit, isHorizontal: isHorizontal,
                    cost: portCost(port, edgeIndex, isStart: true, isBackward) + portLength(port),
                    previous: nil, startPort: port
                ))
            queue.push(steps.count - 1, steps[steps.count - 1].cost)
        }
        while let index = queue.pop() {
            let step = steps[index]
            if let best, step.cost >= best.cost { break }
            let state = Segment(from: step.intersection, isHorizontal: step.isHorizontal)
            if let knownCost = settled[state], knownCost <= step.cost { continue }
            settled[state] = step.cost
            for (port, endCost) in ends[step.intersection] ?? [] {
                let isHorizontal = port.side == .left || port.side == .right
                let cost =
                    step.cost + endCost + portLength(port)
                    + (isHorizontal == step.isHorizontal
                        ? 0 : turnCost(at: step.intersection, edgeIndex))
                if best.map({ cost < $0.cost }) ?? true { best = (cost, index, port) }
            }
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let next = Intersection(x: step.intersection.x + dx, y: step.intersection.y + dy)
                guard grid.isFree(next) else { continue }
                let isHorizontal = dy == 0
                let cost =
                    step.cost + moveCost(from: step.intersection, to: next, edge: edgeIndex)
                    + (isHorizontal == step.isHorizontal
                        ? 0 : turnCost(at: step.intersection, edgeIndex))
                steps.append(
                    Step(
                        intersection: next, isHorizontal: isHorizontal, cost: cost, previous: index,
                        startPort: step.startPort))
                queue.push(steps.count - 1, cost)
            }
        }
        guard let best else { return nil }
        var intersections: [Intersection] = []
        var nextIndex: Int? = best.step
        while let index = nextIndex {
            intersections.insert(steps[index].intersection, at: 0)
            nextIndex = steps[index].previous
        }
        return FoundRoute(
            startPort: steps[best.step].startPort, endPort: best.port, intersections: intersections)
    }

    private func portLength(_ port: Port) -> Int {
        let point = grid.point(port.exit)
        return abs(point.x - port.point.x) + abs(point.y - port.point.y)
    }

    /// Forward edges prefer to leave on the right and arrive on the left, backward edges to use the
    /// top and the bottom.
    private func portCost(_ port: Port, _ edgeIndex: Int, isStart: Bool, _ isBackward: Bool) -> Int
    {
        let users = portUsers[port] ?? []
        let hasConflict =
            users.contains { $0.out != isStart } || !canShare(edgeIndex, with: users.map(\.way))
        let base =
            switch port.side {
            case .right: isStart ? (isBackward ? 30 : 0) : 60
            case .left: isStart ? (isBackward ? 20 : 60) : (isBackward ? 60 : 0)
            case .down: port.offset == 0 ? 12 : 16
            case .up: (port.offset == 0 ? 12 : 16) + (isBackward ? 4 : 0)
            }
        return base + (hasConflict ? Cost.forbidden : 0)
    }

    private func turnCost(at intersection: Intersection, _ edgeIndex: Int) -> Int {
        let others = (intersectionUses[intersection] ?? []).map(\.edge)
        return Cost.bend + (canShare(edgeIndex, with: others) ? 0 : Cost.touch)
    }

    private func moveCost(from: Intersection, to: Intersection, edge edgeIndex: Int) -> Int {
        let a = grid.point(from)
        let b = grid.point(to)
        let isHorizontal = a.y == b.y
        var cost = abs(a.x - b.x) + abs(a.y - b.y)
        let isSecondary =
            isHorizontal ? grid.secondaryYs.contains(a.y) : grid.secondaryXs.contains(a.x)
        if isSecondary { cost += cost / 8 + 1 }
        let users = segmentUsers[segment(from, to)] ?? []
        if !users.isEmpty {
            guard canShare(edgeIndex, with: users) else { return cost + Cost.forbidden }
            // Joining is cheap, so that edges to the same target merge into one line.
            if users.contains(where: { edges[$0].to == edges[edgeIndex].to }) { cost /= 3 }
        }
        let others = (intersectionUses[to] ?? []).filter { !canShare(edgeIndex, with: [$0.edge]) }
        if !others.isEmpty {
            cost +=
                others.allSatisfy { $0.isHorizontal == !isHorizontal } ? Cost.crossing : Cost.touch
        }
        return cost
    }

    /// Whether the edge may share a line with all of `users`.
    private func canShare(_ edgeIndex: Int, with users: [Int]) -> Bool {
        guard !users.isEmpty else { return true }
        guard !exclusiveEdges.contains(edgeIndex), exclusiveEdges.isDisjoint(with: users) else {
            return false
        }
        return users.allSatisfy { edges[$0].to == edges[edgeIndex].to }
            || users.allSatisfy { edges[$0].from == edges[edgeIndex].from }
    }

    private func segment(_ a: Intersection, _ b: Intersection) -> Segment {
        a.y == b.y
            ? Segment(from: a.x < b.x ? a : b, isHorizontal: true)
            : Segment(from: a.y < b.y ? a : b, isHorizontal: false)
    }

    // MARK: Reservation

    private mutating func commit(_ foundRoute: FoundRoute, for edgeIndex: Int) {
        portUsers[foundRoute.startPort, default: []].append((edgeIndex, true))
        portUsers[foundRoute.endPort, default: []].append((edgeIndex, false))
        let intersections = foundRoute.intersections
        for (a, b) in zip(intersections, intersections.dropFirst()) {
            segmentUsers[segment(a, b), default: []].append(edgeIndex)
        }
        let points =
            [foundRoute.startPort.point] + intersections.map { grid.point($0) } + [
                foundRoute.endPort.point
            ]
        for (index, intersection) in intersections.enumerated() {
            let previous = points[index]
            let next = points[index + 2]
            let isHorizontal: Bool? =
                previous.y == next.y ? true : previous.x == next.x ? false : nil
            intersectionUses[intersection, default: []].append(
                IntersectionUse(edge: edgeIndex, isHorizontal: isHorizontal))
        }
        routes[edgeIndex] = points
    }
}

/// A binary heap of search steps: lowest cost first, then lowest step index.
struct PriorityQueue {
    private var heap: [(cost: Int, step: Int)] = []

    mutating func push(_ step: Int, _ cost: Int) {
        heap.append((cost, step))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.step }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child] < heap[least] { least = child }
            guard least != parent else { return first.step }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
