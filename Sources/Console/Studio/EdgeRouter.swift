/// Finds each way of the state map a line of its own, or one it may join.
///
/// The cheapest way by length, bends and crossings (Dijkstra's algorithm).
/// Ways to one screen, or from one, may share a line; others never do, so a
/// line always says where it leads.
struct EdgeRouter {
    private typealias Intersection = RoutingGrid.Intersection
    private typealias Port = RoutingGrid.Port

    let grid: RoutingGrid

    /// From the node's edge to the other node's, corners between.
    private(set) var routes: [Int: [OrthogonalPath.Point]] = [:]
    private var edges: [ScreenGraphEdge] = []
    /// Ways between neighbours: nothing joins them, nor do they join.
    private var exclusiveEdges: Set<Int> = []
    private var segmentUsers: [Segment: [Int]] = [:]
    private var intersectionUses: [Intersection: [IntersectionUse]] = [:]
    private var portUsers: [Port: [(way: Int, out: Bool)]] = [:]

    /// A piece of line between neighbouring crossings.
    private struct Segment: Hashable {
        var from: Intersection
        var isHorizontal: Bool
    }

    private struct IntersectionUse {
        var edge: Int
        /// Whether it runs straight on, and then along which line.
        var isHorizontal: Bool?
    }

    private enum Cost {
        static let bend = 20
        static let crossing = 24
        static let touch = 400
        static let forbidden = 4_000
    }

    init(grid: RoutingGrid) { self.grid = grid }

    /// Routes `way` and keeps what it takes; a straight one for itself.
    mutating func route(_ way: ScreenGraphEdge, isStraight: Bool) {
        let index = edges.count
        edges.append(way)
        if isStraight { exclusiveEdges.insert(index) }
        guard let a = grid.boxes[way.from], let b = grid.boxes[way.to] else { return }
        let isBack = b.x < a.x || (b.x == a.x && b.y < a.y)
        guard let found = findRoute(for: index, isBackward: isBack) else { return }
        commit(found, for: index)
    }

    // MARK: The search

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

    private func findRoute(for way: Int, isBackward isBack: Bool) -> FoundRoute? {
        var ends: [Intersection: [(Port, Int)]] = [:]
        for door in grid.ports(of: edges[way].to) {
            ends[door.exit, default: []].append((door, portCost(door, way, isStart: false, isBack)))
        }
        var steps: [Step] = []
        var queue = PriorityQueue()
        var settled: [Segment: Int] = [:]
        var best: (cost: Int, step: Int, door: Port)?
        for door in grid.ports(of: edges[way].from) {
            let flat = door.side == .left || door.side == .right
            steps.append(
                Step(
                    intersection: door.exit, isHorizontal: flat,
                    cost: portCost(door, way, isStart: true, isBack) + portLength(door),
                    previous: nil, startPort: door
                ))
            queue.push(steps.count - 1, steps[steps.count - 1].cost)
        }
        while let index = queue.pop() {
            let step = steps[index]
            if let best, step.cost >= best.cost { break }
            let state = Segment(from: step.intersection, isHorizontal: step.isHorizontal)
            if let known = settled[state], known <= step.cost { continue }
            settled[state] = step.cost
            for (door, price) in ends[step.intersection] ?? [] {
                let flat = door.side == .left || door.side == .right
                let cost =
                    step.cost + price + portLength(door)
                    + (flat == step.isHorizontal ? 0 : turnCost(at: step.intersection, way))
                if best.map({ cost < $0.cost }) ?? true { best = (cost, index, door) }
            }
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let next = Intersection(x: step.intersection.x + dx, y: step.intersection.y + dy)
                guard grid.isFree(next) else { continue }
                let flat = dy == 0
                let cost =
                    step.cost + moveCost(from: step.intersection, to: next, edge: way)
                    + (flat == step.isHorizontal ? 0 : turnCost(at: step.intersection, way))
                steps.append(
                    Step(
                        intersection: next, isHorizontal: flat, cost: cost, previous: index,
                        startPort: step.startPort))
                queue.push(steps.count - 1, cost)
            }
        }
        guard let best else { return nil }
        var crossings: [Intersection] = []
        var walk: Int? = best.step
        while let index = walk {
            crossings.insert(steps[index].intersection, at: 0)
            walk = steps[index].previous
        }
        return FoundRoute(
            startPort: steps[best.step].startPort, endPort: best.door, intersections: crossings)
    }

    private func portLength(_ door: Port) -> Int {
        let point = grid.point(door.exit)
        return abs(point.x - door.point.x) + abs(point.y - door.point.y)
    }

    /// Forward ways leave at the right and come in at the left; ways back
    /// prefer the edges above and below.
    private func portCost(_ door: Port, _ way: Int, isStart: Bool, _ isBack: Bool) -> Int {
        let users = portUsers[door] ?? []
        let clash = users.contains { $0.out != isStart } || !canShare(way, with: users.map(\.way))
        let base =
            switch door.side {
            case .right: isStart ? (isBack ? 30 : 0) : 60
            case .left: isStart ? (isBack ? 20 : 60) : (isBack ? 60 : 0)
            case .down: door.offset == 0 ? 12 : 16
            case .up: (door.offset == 0 ? 12 : 16) + (isBack ? 4 : 0)
            }
        return base + (clash ? Cost.forbidden : 0)
    }

    private func turnCost(at crossing: Intersection, _ way: Int) -> Int {
        let others = (intersectionUses[crossing] ?? []).map(\.edge)
        return Cost.bend + (canShare(way, with: others) ? 0 : Cost.touch)
    }

    private func moveCost(from: Intersection, to: Intersection, edge way: Int) -> Int {
        let a = grid.point(from)
        let b = grid.point(to)
        let flat = a.y == b.y
        var cost = abs(a.x - b.x) + abs(a.y - b.y)
        let aside = flat ? grid.secondaryYs.contains(a.y) : grid.secondaryXs.contains(a.x)
        if aside { cost += cost / 8 + 1 }
        let users = segmentUsers[segment(from, to)] ?? []
        if !users.isEmpty {
            guard canShare(way, with: users) else { return cost + Cost.forbidden }
            // Joining costs little, so that one line is drawn, not two.
            if users.contains(where: { edges[$0].to == edges[way].to }) { cost /= 3 }
        }
        let others = (intersectionUses[to] ?? []).filter { !canShare(way, with: [$0.edge]) }
        if !others.isEmpty {
            cost += others.allSatisfy { $0.isHorizontal == !flat } ? Cost.crossing : Cost.touch
        }
        return cost
    }

    /// Whether a line of `users` may also be one of `way`.
    private func canShare(_ way: Int, with users: [Int]) -> Bool {
        guard !users.isEmpty else { return true }
        guard !exclusiveEdges.contains(way), exclusiveEdges.isDisjoint(with: users) else {
            return false
        }
        return users.allSatisfy { edges[$0].to == edges[way].to }
            || users.allSatisfy { edges[$0].from == edges[way].from }
    }

    private func segment(_ a: Intersection, _ b: Intersection) -> Segment {
        a.y == b.y
            ? Segment(from: a.x < b.x ? a : b, isHorizontal: true)
            : Segment(from: a.y < b.y ? a : b, isHorizontal: false)
    }

    // MARK: What it takes

    private mutating func commit(_ found: FoundRoute, for way: Int) {
        portUsers[found.startPort, default: []].append((way, true))
        portUsers[found.endPort, default: []].append((way, false))
        let crossings = found.intersections
        for (a, b) in zip(crossings, crossings.dropFirst()) {
            segmentUsers[segment(a, b), default: []].append(way)
        }
        let points =
            [found.startPort.point] + crossings.map { grid.point($0) } + [found.endPort.point]
        for (index, crossing) in crossings.enumerated() {
            let before = points[index]
            let after = points[index + 2]
            let flat: Bool? = before.y == after.y ? true : before.x == after.x ? false : nil
            intersectionUses[crossing, default: []].append(
                IntersectionUse(edge: way, isHorizontal: flat))
        }
        routes[way] = points
    }
}
