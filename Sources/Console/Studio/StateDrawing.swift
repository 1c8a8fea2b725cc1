import Apps
import Simulator

/// Draws a layout: nodes, orthogonal ways between them, their words.
struct StateDrawing {
    let layout: StateLayout
    let facts: StateFacts
    private let width: Int
    private let nodeWidth: Int
    private let grid: StateGrid

    private static let nodeHeight = 28
    private static let rowHeight = 56
    /// Room above the first row, for ways that run there.
    private static let top = 24

    /// Room, px.
    struct Measure {
        var width: Int
        var nodeWidth: Int
        /// From one column to the next at most.
        var pitch: Int

        static let wide = Measure(width: 704, nodeWidth: 92, pitch: 206)
        static let compact = Measure(width: 360, nodeWidth: 86, pitch: 206)
        /// A page of its own; no wider than its columns.
        static func page(columns: Int) -> Measure {
            Measure(width: min(1_000, (columns - 1) * 292 + 126), nodeWidth: 124, pitch: 292)
        }
    }

    init(layout: StateLayout, facts: StateFacts, measure: Measure) {
        self.layout = layout
        self.facts = facts
        width = measure.width
        let columns = layout.columns
        nodeWidth = measure.nodeWidth
        let room = width - 2 - nodeWidth
        let pitch = columns > 1 ? min(measure.pitch, room / (columns - 1)) : 0
        grid = StateGrid(
            boxes: layout.places.mapValues { [nodeWidth] place in
                StateGrid.Box(
                    x: 1 + place.column * pitch, y: Self.top + place.lane * Self.rowHeight,
                    w: nodeWidth, h: Self.nodeHeight)
            }, nodeWidth: nodeWidth, nodeHeight: Self.nodeHeight)
    }

    func draw() -> StateModel.Drawing {
        let ways = drawnWays()
        var router = StateRouter(grid: grid)
        for way in ways { router.route(way.way, straight: isStraight(way.way)) }
        // Without ways above the first row it moves up.
        let points = router.routes.values.joined()
        let lift = (points.map(\.y).min() ?? Self.top) < Self.top ? 0 : Self.top - 5
        var labels = StateLabels(
            width: width, boxes: Array(grid.boxes.values), routes: router.routes)
        var edges: [StateModel.Edge] = []
        var words: [StateModel.Label] = []
        var drawn = StateStrokes()
        // What was taken lies over what was not, and is drawn whole; others
        // end where they join it.
        let order = ways.indices.sorted { (ways[$0].rank, $0) < (ways[$1].rank, $1) }
        for index in order {
            guard let route = router.routes[index] else { continue }
            let way = ways[index]
            let whole = way.isTurned ? Array(route.reversed()) : route
            let stroke = drawn.add(StatePath.simple(whole))
            if stroke.points.count > 1 {
                let aim = way.isTurned ? way.way.from : way.way.to
                edges.insert(
                    .init(
                        d: StatePath(
                            points: StatePath.shortened(
                                stroke.points, by: !stroke.hasEnd ? 0 : aim == facts.current ? 7 : 3
                            )
                        ).lifted(by: lift).d, kind: way.kind, head: stroke.hasEnd), at: 0)
            }
            if let label = labels.place(
                way.labels, on: index, route: StatePath.simple(route),
                joined: { [stroke] a, b in !stroke.contains(a) && !stroke.contains(b) })
            {
                words.append(
                    .init(
                        x: label.at.x, y: label.at.y - lift, text: label.text,
                        last: way.kind == "last"))
            }
        }
        let lowest = points.map(\.y).max() ?? 0
        let bottom = Self.top + (layout.lanes - 1) * Self.rowHeight + Self.nodeHeight
        return .init(
            width: width, height: max(bottom, lowest) + 5 - lift, nodes: nodes(lift), edges: edges,
            labels: words)
    }

    // MARK: Nodes

    private func nodes(_ lift: Int) -> [StateModel.Node] {
        facts.app.screens.compactMap { screen in
            guard var box = grid.boxes[screen.id] else { return nil }
            box.y -= lift
            let kind = kind(of: screen.id)
            let count = facts.visits[screen.id, default: 0]
            return StateModel.Node(
                name: screen.id, kind: kind, x: box.x, y: box.y, w: box.w, h: box.h,
                textX: box.x + box.w / 2, textY: box.y + 18,
                again: count > 1 ? String(min(count, 999)) : nil,
                againX: box.x + box.w - (count > 9 ? 14 : 11),
                halo: kind == .current
                    ? .init(haloX: box.x - 4, haloY: box.y - 4, haloW: box.w + 8, haloH: box.h + 8)
                    : nil)
        }
    }

    func kind(of screen: String) -> StateModel.Kind {
        if screen == facts.current { return .current }
        if facts.visits[screen] != nil { return .visited }
        return facts.areMissed ? .missed : .unreached
    }

    // MARK: Ways

    /// A way as it stands now.
    private struct Drawn {
        var way: StateWay
        var kind: String
        /// Whether its arrow stands at the beginning: of two neighbours that
        /// only look at each other one line is drawn.
        var isTurned: Bool
        /// The first that there is room for.
        var labels: [String]

        var rank: Int { kind == "last" ? 0 : kind == "taken" ? 1 : 2 }
    }

    /// Straight ones first, so that others run around them; then ways
    /// forward, then ways back.
    private func drawnWays() -> [Drawn] {
        var drawn: [Drawn] = []
        for way in layout.ways {
            let back = layout.ways.first { $0.from == way.to && $0.to == way.from }
            // The way back of a neighbour: seen on the line that leads there.
            if way.isLook, back != nil, isStraight(way), isBack(way) { continue }
            let own = kind(way)
            let isLookBack = back?.isLook == true && isStraight(way) && !isBack(way)
            guard let back, isLookBack,
                ["last": 0, "taken": 1][kind(back), default: 2]
                    < ["last": 0, "taken": 1][own, default: 2]
            else {
                drawn.append(
                    Drawn(
                        way: way, kind: own, isTurned: false,
                        labels: facts.labels(way, back: isLookBack ? back : nil)))
                continue
            }
            drawn.append(
                Drawn(
                    way: way, kind: kind(back), isTurned: true,
                    labels: facts.labels(back, back: way)))
        }
        let order = drawn.map { entry in isStraight(entry.way) ? 0 : isBack(entry.way) ? 2 : 1 }
        return drawn.indices.sorted { (order[$0], $0) < (order[$1], $1) }.map { drawn[$0] }
    }

    private func kind(_ way: StateWay) -> String {
        guard facts.count(way) > 0 else { return facts.areMissed ? "missed" : "open" }
        return facts.isLast(way) ? "last" : "taken"
    }

    private func isStraight(_ way: StateWay) -> Bool {
        guard let from = layout.places[way.from], let to = layout.places[way.to] else {
            return false
        }
        return layout.isStraight(from, to)
    }

    private func isBack(_ way: StateWay) -> Bool {
        guard let from = layout.places[way.from], let to = layout.places[way.to] else {
            return false
        }
        return to.column < from.column || (to.column == from.column && to.lane < from.lane)
    }
}
