/// Routes the edges of a grid of nodes along the gaps between its rows and columns.
///
/// An edge takes the cheapest of a few shapes with at most four bends; a shape's cost is its
/// length, bends, crossings and contacts with the edges routed before. Edges may share a line only
/// if they have the same target or the same source, so that every line is unambiguous.
struct EdgeRouter {
    private let boxes: [String: Box]
    private let nodes: [Box]
    /// The lines in the gaps between columns and between rows.
    private let xs: Lines
    private let ys: Lines
    private var routes: [Route] = []

    private struct Route {
        let from: String
        let to: String
        let isExclusive: Bool
        var points: [Point]
    }

    private enum Cost {
        static let bend = 20
        /// Of an end that is too short for its arrowhead.
        static let shortEnd = 4
        static let crossing = 24
        static let touch = 400
        static let forbidden = 4_000
    }

    /// The length of an end with an arrowhead.
    private static let arrowLength = 12
    /// The space for edges above the first and below the last row.
    private static let outerGap = 28

    /// `boxes` are the nodes, all of one size and in columns and rows.
    init(boxes: [String: Box]) {
        self.boxes = boxes
        nodes = Array(boxes.values)
        xs = Lines(between: nodes.map { $0.left...$0.right })
        let rows = nodes.map { $0.top...$0.bottom }
        let top = (rows.map(\.lowerBound).min() ?? 0) - Self.outerGap
        let bottom = (rows.map(\.upperBound).max() ?? 0) + Self.outerGap
        ys = Lines(between: rows + [top...top, bottom...bottom])
    }

    /// Parallel lines that edges may follow.
    private struct Lines {
        /// The lines in each gap, the one in its center first.
        var gaps: [[Int]] = []
        /// The lines beside a center, used if the center is occupied.
        var secondary: Set<Int> = []

        init(between ranges: [ClosedRange<Int>]) {
            let ranges = Set(ranges).sorted { $0.lowerBound < $1.lowerBound }
            for (range, next) in zip(ranges, ranges.dropFirst()) {
                let gap = next.lowerBound - range.upperBound
                let center = range.upperBound + gap / 2
                let spacing = gap < 40 ? 6 : 8
                gaps.append([center, center - spacing, center + spacing])
                secondary.formUnion([center - spacing, center + spacing])
            }
        }

        /// The gap that begins at a position.
        func gap(after position: Int) -> [Int] { gaps.first { $0[0] > position } ?? [] }
        /// The gap that ends at a position.
        func gap(before position: Int) -> [Int] { gaps.last { $0[0] < position } ?? [] }
    }

    // MARK: Ports

    /// A point on a node's border where an edge may start or end.
    private struct Port {
        enum Side { case right, down, left, up }

        var side: Side
        var point: Point
        var isCentered = true
        /// The lines in the gap at this side.
        var gap: [Int]

        var isHorizontal: Bool { side == .left || side == .right }

        /// Whether a line, given by its coordinate, is on this side.
        func faces(_ line: Int) -> Bool {
            switch side {
            case .right: line > point.x
            case .left: line < point.x
            case .down: line > point.y
            case .up: line < point.y
            }
        }

        /// The point on a line in the gap.
        func exit(at line: Int) -> Point {
            isHorizontal ? Point(x: line, y: point.y) : Point(x: point.x, y: line)
        }

        /// The corners of the direct path to another port, one at most; nil if there is none.
        func directCorners(to end: Port) -> [Point]? {
            let corner = isHorizontal ? exit(at: end.point.x) : exit(at: end.point.y)
            let isAligned = corner == end.point
            guard isAligned || isHorizontal != end.isHorizontal,
                faces(isHorizontal ? end.point.x : end.point.y),
                end.faces(end.isHorizontal ? point.x : point.y)
            else { return nil }
            return isAligned ? [] : [corner]
        }

        /// Forward edges prefer to leave on the right and arrive on the left, backward edges to use
        /// the top and the bottom.
        func cost(isStart: Bool, isBackward: Bool) -> Int {
            switch side {
            case .right: isStart ? (isBackward ? 30 : 0) : 60
            case .left: isStart ? (isBackward ? 20 : 60) : (isBackward ? 60 : 0)
            case .down: isCentered ? 12 : 16
            case .up: (isCentered ? 12 : 16) + (isBackward ? 4 : 0)
            }
        }
    }

    /// One port on the left and right, three on the top and bottom.
    private func ports(of box: Box) -> [Port] {
        let center = box.center
        let sides = [
            Port(
                side: .right, point: Point(x: box.right, y: center.y),
                gap: xs.gap(after: box.right)),
            Port(
                side: .left, point: Point(x: box.left, y: center.y), gap: xs.gap(before: box.left)),
        ]
        return sides
            + [0, 24, -24].flatMap { offset in
                [
                    Port(
                        side: .down, point: Point(x: center.x + offset, y: box.bottom),
                        isCentered: offset == 0, gap: ys.gap(after: box.bottom)),
                    Port(
                        side: .up, point: Point(x: center.x + offset, y: box.top),
                        isCentered: offset == 0, gap: ys.gap(before: box.top)),
                ]
            }
    }

    // MARK: Routing

    /// Routes an edge; an exclusive one shares no line with others. Returns the points from the
    /// source's border to the target's, with the corners in between.
    mutating func route(from: String, to: String, isExclusive: Bool) -> [Point] {
        guard let a = boxes[from], let b = boxes[to] else {
            preconditionFailure("an edge leads from a node to a node")
        }
        let isBackward = (b.left, b.top) < (a.left, a.top)
        let obstacles = obstacles(from: from, to: to, isExclusive: isExclusive)
        // The most that can be saved by joining other edges.
        let maxSaving =
            obstacles.filter(\.hasSameTarget).reduce(0) { $0 + $1.segment.length } * 2 / 3
        var route = Route(from: from, to: to, isExclusive: isExclusive, points: [])
        var lowestCost = 1_000_000
        var conflictCost = lowestCost
        // Long shapes are needed only if the best short one crosses or touches other edges.
        for isLong in [false, true] where conflictCost >= Cost.crossing {
            for start in ports(of: a) {
                for end in ports(of: b) {
                    let portCost =
                        start.cost(isStart: true, isBackward: isBackward)
                        + end.cost(isStart: false, isBackward: isBackward)
                    for corners in shapes(from: start, to: end, isLong: isLong) {
                        let points = [start.point] + corners + [end.point]
                        let ownCost = portCost + cost(of: points)
                        guard ownCost - maxSaving < lowestCost else { continue }
                        let segments = Segment.all(of: points)
                        guard !segments.contains(where: { $0.length == 0 || crossesNode($0) })
                        else { continue }
                        let conflicts = self.conflictCost(
                            of: segments, obstacles, limit: lowestCost - ownCost + maxSaving)
                        if ownCost + conflicts < lowestCost {
                            lowestCost = ownCost + conflicts
                            conflictCost = conflicts
                            route.points = points
                        }
                    }
                }
            }
        }
        routes.append(route)
        return route.points
    }

    /// The corners of every shape that connects two ports: directly, or along a line in the gap at
    /// each of them. Long shapes, with four bends, lead from one line to the other.
    private func shapes(from start: Port, to end: Port, isLong: Bool) -> [[Point]] {
        let isHorizontal = start.isHorizontal
        var shapes: [[Point]] = []
        if !isLong, let corners = start.directCorners(to: end) { shapes.append(corners) }
        for a in start.gap {
            for b in end.gap {
                let exits = [start.exit(at: a), end.exit(at: b)]
                if isHorizontal != end.isHorizontal {
                    let corner = isHorizontal ? Point(x: a, y: b) : Point(x: b, y: a)
                    if !isLong { shapes.append([exits[0], corner, exits[1]]) }
                } else if a == b {
                    if !isLong { shapes.append(exits) }
                } else if isLong {
                    for line in (isHorizontal ? ys : xs).gaps.joined() {
                        let corners = [a, b].map {
                            isHorizontal ? Point(x: $0, y: line) : Point(x: line, y: $0)
                        }
                        shapes.append([exits[0], corners[0], corners[1], exits[1]])
                    }
                }
            }
        }
        return shapes
    }

    private func crossesNode(_ segment: Segment) -> Bool {
        let area = segment.area(margin: 0)
        return nodes.contains { $0.intersects(area) }
    }

    // MARK: Cost

    /// The cost of length and bends.
    private func cost(of points: [Point]) -> Int {
        var cost = (points.count - 2) * Cost.bend
        for (a, b) in zip(points, points.dropFirst()) {
            let length = a.distance(to: b)
            let isSecondary = a.y == b.y ? ys.secondary.contains(a.y) : xs.secondary.contains(a.x)
            cost += length + (isSecondary ? length / 8 + 1 : 0)
        }
        let endLength = points[points.count - 2].distance(to: points[points.count - 1])
        return cost + (endLength < Self.arrowLength ? Cost.shortEnd : 0)
    }

    /// A segment of a routed edge, as another edge meets it.
    private struct Obstacle {
        var segment: Segment
        /// Whether both edges may share a line and have the same target, or the same source.
        var hasSameTarget: Bool
        var hasSameSource: Bool

        var canShare: Bool { hasSameTarget || hasSameSource }
    }

    private func obstacles(from: String, to: String, isExclusive: Bool) -> [Obstacle] {
        routes.flatMap { other in
            let canShare = !isExclusive && !other.isExclusive
            return Segment.all(of: other.points).map {
                Obstacle(
                    segment: $0, hasSameTarget: canShare && other.to == to,
                    hasSameSource: canShare && other.from == from)
            }
        }
    }

    /// The cost of contacts with the routed edges, less what is saved by joining one of them; stops
    /// counting at `limit`.
    private func conflictCost(of segments: [Segment], _ obstacles: [Obstacle], limit: Int) -> Int {
        var cost = 0
        var crossings: [Point] = []
        for segment in segments {
            var joinedLength = 0
            for obstacle in obstacles {
                switch segment.contact(with: obstacle.segment) {
                case .none: break
                case .overlap(let length) where obstacle.hasSameTarget:
                    // Joining is cheap, so that edges to one target merge into one line.
                    joinedLength = max(joinedLength, length)
                case .overlap where obstacle.hasSameSource: break
                case .overlap: cost += Cost.forbidden
                case .touch: cost += obstacle.canShare ? 0 : Cost.touch
                case .crossing(let point):
                    guard !obstacle.canShare, !crossings.contains(point) else { continue }
                    crossings.append(point)
                    cost += Cost.crossing
                }
            }
            cost -= joinedLength * 2 / 3
            if cost > limit { break }
        }
        return cost
    }
}
