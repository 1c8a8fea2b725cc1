/// Finds each way of the state map a line of its own, or one it may join.
///
/// The cheapest way by length, bends and crossings (Dijkstra's algorithm).
/// Ways to one screen, or from one, may share a line; others never do, so a
/// line always says where it leads.
struct StateRouter {
    private typealias Crossing = StateGrid.Crossing
    private typealias Door = StateGrid.Door

    let grid: StateGrid

    /// From the node's edge to the other node's, corners between.
    private(set) var routes: [Int: [StatePath.Point]] = [:]
    private var ways: [StateWay] = []
    /// Ways between neighbours: nothing joins them, nor do they join.
    private var alone: Set<Int> = []
    private var lines: [Stretch: [Int]] = [:]
    private var visits: [Crossing: [Visit]] = [:]
    private var doors: [Door: [(way: Int, out: Bool)]] = [:]

    /// A piece of line between neighbouring crossings.
    private struct Stretch: Hashable {
        var from: Crossing
        var isFlat: Bool
    }

    private struct Visit {
        var way: Int
        /// Whether it runs straight on, and then along which line.
        var isFlat: Bool?
    }

    private enum Cost {
        static let bend = 20
        static let crossing = 24
        static let touch = 400
        static let forbidden = 4_000
    }

    init(grid: StateGrid) { self.grid = grid }

    /// Routes `way` and keeps what it takes; a straight one for itself.
    mutating func route(_ way: StateWay, straight: Bool) {
        let index = ways.count
        ways.append(way)
        if straight { alone.insert(index) }
        guard let a = grid.boxes[way.from], let b = grid.boxes[way.to] else { return }
        let isBack = b.x < a.x || (b.x == a.x && b.y < a.y)
        guard let found = search(index, isBack) else { return }
        keep(found, index)
    }

    // MARK: The search

    private struct Found {
        var out: Door
        var into: Door
        var crossings: [Crossing]
    }

    private struct Step {
        var at: Crossing
        var isFlat: Bool
        var cost: Int
        var before: Int?
        var out: Door
    }

    private func search(_ way: Int, _ isBack: Bool) -> Found? {
        var ends: [Crossing: [(Door, Int)]] = [:]
        for door in grid.doors(of: ways[way].to) {
            ends[door.outside, default: []].append((door, price(door, way, out: false, isBack)))
        }
        var steps: [Step] = []
        var queue = StateQueue()
        var settled: [Stretch: Int] = [:]
        var best: (cost: Int, step: Int, door: Door)?
        for door in grid.doors(of: ways[way].from) {
            let flat = door.side == .left || door.side == .right
            steps.append(
                Step(
                    at: door.outside, isFlat: flat,
                    cost: price(door, way, out: true, isBack) + length(door), before: nil, out: door
                ))
            queue.push(steps.count - 1, steps[steps.count - 1].cost)
        }
        while let index = queue.pop() {
            let step = steps[index]
            if let best, step.cost >= best.cost { break }
            let state = Stretch(from: step.at, isFlat: step.isFlat)
            if let known = settled[state], known <= step.cost { continue }
            settled[state] = step.cost
            for (door, price) in ends[step.at] ?? [] {
                let flat = door.side == .left || door.side == .right
                let cost =
                    step.cost + price + length(door)
                    + (flat == step.isFlat ? 0 : turn(at: step.at, way))
                if best.map({ cost < $0.cost }) ?? true { best = (cost, index, door) }
            }
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let next = Crossing(x: step.at.x + dx, y: step.at.y + dy)
                guard grid.isFree(next) else { continue }
                let flat = dy == 0
                let cost =
                    step.cost + toll(step.at, next, way)
                    + (flat == step.isFlat ? 0 : turn(at: step.at, way))
                steps.append(Step(at: next, isFlat: flat, cost: cost, before: index, out: step.out))
                queue.push(steps.count - 1, cost)
            }
        }
        guard let best else { return nil }
        var crossings: [Crossing] = []
        var walk: Int? = best.step
        while let index = walk {
            crossings.insert(steps[index].at, at: 0)
            walk = steps[index].before
        }
        return Found(out: steps[best.step].out, into: best.door, crossings: crossings)
    }

    private func length(_ door: Door) -> Int {
        let point = grid.point(door.outside)
        return abs(point.x - door.at.x) + abs(point.y - door.at.y)
    }

    /// Forward ways leave at the right and come in at the left; ways back
    /// prefer the edges above and below.
    private func price(_ door: Door, _ way: Int, out: Bool, _ isBack: Bool) -> Int {
        let users = doors[door] ?? []
        let clash = users.contains { $0.out != out } || !may(way, share: users.map(\.way))
        let base =
            switch door.side {
            case .right: out ? (isBack ? 30 : 0) : 60
            case .left: out ? (isBack ? 20 : 60) : (isBack ? 60 : 0)
            case .down: door.offset == 0 ? 12 : 16
            case .up: (door.offset == 0 ? 12 : 16) + (isBack ? 4 : 0)
            }
        return base + (clash ? Cost.forbidden : 0)
    }

    private func turn(at crossing: Crossing, _ way: Int) -> Int {
        let others = (visits[crossing] ?? []).map(\.way)
        return Cost.bend + (may(way, share: others) ? 0 : Cost.touch)
    }

    private func toll(_ from: Crossing, _ to: Crossing, _ way: Int) -> Int {
        let a = grid.point(from)
        let b = grid.point(to)
        let flat = a.y == b.y
        var cost = abs(a.x - b.x) + abs(a.y - b.y)
        let aside = flat ? grid.asideY.contains(a.y) : grid.asideX.contains(a.x)
        if aside { cost += cost / 8 + 1 }
        let users = lines[stretch(from, to)] ?? []
        if !users.isEmpty {
            guard may(way, share: users) else { return cost + Cost.forbidden }
            // Joining costs little, so that one line is drawn, not two.
            if users.contains(where: { ways[$0].to == ways[way].to }) { cost /= 3 }
        }
        let others = (visits[to] ?? []).filter { !may(way, share: [$0.way]) }
        if !others.isEmpty {
            cost += others.allSatisfy { $0.isFlat == !flat } ? Cost.crossing : Cost.touch
        }
        return cost
    }

    /// Whether a line of `users` may also be one of `way`.
    private func may(_ way: Int, share users: [Int]) -> Bool {
        guard !users.isEmpty else { return true }
        guard !alone.contains(way), alone.isDisjoint(with: users) else { return false }
        return users.allSatisfy { ways[$0].to == ways[way].to }
            || users.allSatisfy { ways[$0].from == ways[way].from }
    }

    private func stretch(_ a: Crossing, _ b: Crossing) -> Stretch {
        a.y == b.y
            ? Stretch(from: a.x < b.x ? a : b, isFlat: true)
            : Stretch(from: a.y < b.y ? a : b, isFlat: false)
    }

    // MARK: What it takes

    private mutating func keep(_ found: Found, _ way: Int) {
        doors[found.out, default: []].append((way, true))
        doors[found.into, default: []].append((way, false))
        let crossings = found.crossings
        for (a, b) in zip(crossings, crossings.dropFirst()) {
            lines[stretch(a, b), default: []].append(way)
        }
        let points = [found.out.at] + crossings.map { grid.point($0) } + [found.into.at]
        for (index, crossing) in crossings.enumerated() {
            let before = points[index]
            let after = points[index + 2]
            let flat: Bool? = before.y == after.y ? true : before.x == after.x ? false : nil
            visits[crossing, default: []].append(Visit(way: way, isFlat: flat))
        }
        routes[way] = points
    }
}
