import Support
import Testing

@testable import Diagrams

@Suite(.timeLimit(.minutes(10))) struct GraphDrawingTests {
    /// A drawing of a random graph, with the nodes that each of its lines leads to.
    private func randomDrawing(_ fuzz: inout Fuzz) -> (
        routes: GraphRoutes, targets: [String], drawing: GraphDrawing
    ) {
        let columns = (0..<2 + fuzz.number(below: 4)).map { column in
            (0..<1 + fuzz.number(below: 3)).map { "\(column).\($0)" }
        }
        let nodes = columns.flatMap(\.self)
        var pairs: [(from: String, to: String)] = []
        for _ in 0..<1 + fuzz.number(below: 10) {
            let (from, to) = (fuzz.one(of: nodes), fuzz.one(of: nodes))
            guard from != to, !pairs.contains(where: { $0 == (from, to) }) else { continue }
            pairs.append((from, to))
        }
        let edges = pairs.map { _ in
            GraphDrawing.Edge(
                isReversed: fuzz.chance(oneIn: 8),
                labels: [fuzz.one(of: ["Login", "Forgot Password?", "3"])],
                rank: fuzz.number(below: 3))
        }
        let routes = GraphRoutes(LayeredLayout(columns: columns), pairs, dimensions: dimensions)
        let targets = zip(pairs, edges).map { $1.isReversed ? $0.from : $0.to }
        return (routes, targets, GraphDrawing(routes, edges))
    }

    private let dimensions = GraphRoutes.Dimensions(width: 704, nodeWidth: 92, maxColumnPitch: 206)

    @Test func `no line crosses a node, and every line ends at one or joins another`() async {
        await Cases("lines of graphs", few: 60).check { fuzz in
            let (routes, targets, drawing) = randomDrawing(&fuzz)
            let nodes = Array(routes.boxes.values)
            for line in drawing.lines {
                let points = line.path.points
                for segment in Segment.all(of: points) {
                    try #require(segment.length > 0)
                    try #require(segment.start.x == segment.end.x || segment.isHorizontal)
                    let area = segment.area(margin: 0)
                    try #require(!nodes.contains { $0.intersects(area) })
                    try #require(area.left >= 0 && area.right <= routes.width)
                    try #require(area.top >= 0 && area.bottom <= routes.height)
                }
                if line.reachesNode {
                    let end = try #require(points.last)
                    let box = try #require(routes.boxes[targets[line.edge]])
                    try #require((box.left...box.right).contains(end.x))
                    try #require((box.top...box.bottom).contains(end.y))
                }
            }
            return drawing.lines.count > 1
        }
    }

    @Test func `labels overlap neither nodes nor other labels`() async {
        await Cases("labels of graphs", few: 60).check { fuzz in
            let (routes, _, drawing) = randomDrawing(&fuzz)
            var occupied = Array(routes.boxes.values)
            for label in drawing.labels {
                let half = label.text.count * 3
                let area = Box(
                    left: label.position.x - half, top: label.position.y - 8, width: 2 * half,
                    height: 10)
                try #require(area.left >= 0 && area.right <= routes.width)
                try #require(!occupied.contains(where: area.intersects))
                occupied.append(area)
            }
            return drawing.labels.count > 1
        }
    }

    @Test func `the same graph is always drawn the same`() async {
        await Cases("repeated graphs", few: 20).check { fuzz in
            var copy = fuzz
            let (first, second) = (randomDrawing(&fuzz).drawing, randomDrawing(&copy).drawing)
            try #require(first.lines.map(\.path.d) == second.lines.map(\.path.d))
            try #require(first.labels.map(\.position) == second.labels.map(\.position))
            return true
        }
    }

    @Test func `edges to one node join, and only the first reaches it`() {
        let layout = LayeredLayout(columns: [["a", "b"], ["c"], ["d"]])
        let routes = GraphRoutes(layout, [("a", "d"), ("b", "d")], dimensions: dimensions)
        let edge = GraphDrawing.Edge(isReversed: false, labels: [], rank: 0)
        let drawing = GraphDrawing(routes, [edge, edge])
        #expect(drawing.lines.map(\.edge) == [1, 0])
        #expect(drawing.lines.map(\.reachesNode) == [false, true])
    }

    /// A line drawn after one from (0, 0) to (9, 0): what is left of it, and whether it reaches its
    /// node.
    private static let laterLines: [(line: [[Int]], rest: [[Int]], reachesNode: Bool)] = [
        ([[4, 0], [20, 0]], [[9, 0], [20, 0]], true),
        ([[-5, 0], [4, 0]], [[-5, 0], [0, 0]], false),
        ([[9, 0], [4, 0], [4, 7]], [[4, 0], [4, 7]], true),
        ([[-5, 0], [20, 0]], [[-5, 0], [20, 0]], true),
        ([[2, 0], [7, 0]], [], false),
        ([[4, -3], [4, 3]], [[4, -3], [4, 3]], true),
        ([[0, 1], [9, 1]], [[0, 1], [9, 1]], true),
    ]

    @Test(arguments: laterLines) func `a line ends where it joins one drawn before`(
        line: [[Int]], rest: [[Int]], reachesNode: Bool
    ) {
        func points(_ coordinates: [[Int]]) -> [Point] {
            coordinates.map { Point(x: $0[0], y: $0[1]) }
        }
        var lines = DrawnLines()
        _ = lines.add(points([[0, 0], [9, 0]]))
        let drawn = lines.add(points(line))
        #expect(drawn?.points ?? [] == points(rest))
        #expect((drawn?.reachesNode ?? false) == reachesNode)
    }

    @Test(arguments: [
        ([(0, 0), (9, 0)], [(4, -3), (4, 3)], Segment.Contact.crossing(Point(x: 4, y: 0))),
        ([(0, 0), (9, 0)], [(4, 0), (4, 3)], .touch),
        ([(0, 0), (9, 0)], [(9, 0), (12, 0)], .touch),
        ([(0, 0), (9, 0)], [(12, 0), (5, 0)], .overlap(4)),
        ([(0, 0), (9, 0)], [(0, 1), (9, 1)], .none), ([(0, 0), (0, 9)], [(1, 2), (5, 2)], .none),
    ]) func `two segments cross, touch or overlap`(
        a: [(Int, Int)], b: [(Int, Int)], contact: Segment.Contact
    ) {
        let segments = [a, b].map { points in
            Segment(
                start: Point(x: points[0].0, y: points[0].1),
                end: Point(x: points[1].0, y: points[1].1))
        }
        #expect(segments[0].contact(with: segments[1]) == contact)
        #expect(segments[1].contact(with: segments[0]) == contact)
    }

    @Test func `corners are rounded, less where a segment is short`() {
        var path = OrthogonalPath(points: [
            Point(x: 0, y: 0), Point(x: 20, y: 0), Point(x: 20, y: 8), Point(x: 60, y: 8),
        ])
        #expect(path.d == "M0 0L14 0Q20 0 20 4L20 4Q20 8 26 8L60 8")
        path.shorten(by: 3)
        #expect(path.points.last == Point(x: 57, y: 8))
    }
}
