import Apps
import Simulator

/// Draws a layout: nodes, orthogonal ways between them, their words.
///
/// The wide drawing runs from left to right, the compact one from top to
/// bottom; both are computed along the flow and across it, and turned at the
/// end.
struct StateDrawing {
    let layout: StateLayout
    let situation: Situation
    let isWide: Bool

    private var nodeWidth: Int { isWide ? 92 : 86 }
    private let nodeHeight = 28
    private let width: Int

    init(layout: StateLayout, situation: Situation, isWide: Bool) {
        self.layout = layout
        self.situation = situation
        self.isWide = isWide
        width = isWide ? 704 : 360
    }

    /// Room above the first row, for ways that run there.
    private let top = 24

    private func origin(_ place: StateLayout.Place) -> StatePath.Point {
        let room = width - nodeWidth - 2
        if isWide {
            let pitch = layout.columns > 1
                ? min(206, room / (layout.columns - 1)) : 0
            return .init(
                x: 1 + place.column * pitch, y: top + place.lane * 56)
        }
        let pitch = layout.lanes > 1 ? min(136, room / (layout.lanes - 1)) : 0
        return .init(x: 1 + place.lane * pitch, y: top + place.column * 56)
    }

    func draw() -> StateModel.Drawing {
        let rows = isWide ? layout.lanes : layout.columns
        var edges: [StateModel.Edge] = []
        var labels: [StateModel.Label] = []
        var corridors: [Int: Int] = [:]
        for way in layout.ways {
            guard let from = layout.places[way.from],
                let to = layout.places[way.to]
            else { continue }
            let route = route(from, to, way, &corridors)
            let kind = kind(way)
            edges.append(
                .init(d: StatePath(points: route.points).d, kind: kind,
                    head: true))
            if let label = route.label, !way.label.isEmpty, isWide {
                labels.append(
                    .init(
                        x: label.x, y: label.y, text: way.label,
                        last: kind == "last"))
            }
        }
        // What was taken lies over what was not.
        let order = ["open": 0, "taken": 1, "last": 2]
        edges.sort { order[$0.kind, default: 0] < order[$1.kind, default: 0] }
        return .init(
            width: width, height: top + (rows - 1) * 56 + nodeHeight + 14,
            nodes: nodes(), edges: edges, labels: labels)
    }

    // MARK: Nodes

    private func nodes() -> [StateModel.Node] {
        situation.app.screens.compactMap { screen in
            guard let place = layout.places[screen.id] else { return nil }
            let at = origin(place)
            let kind = kind(of: screen.id)
            let count = situation.visits
                .first { $0.screen == screen.id }?.count ?? 0
            return StateModel.Node(
                name: screen.id, kind: kind, x: at.x, y: at.y, w: nodeWidth,
                h: nodeHeight, textX: at.x + nodeWidth / 2, textY: at.y + 18,
                again: count > 1 ? String(min(count, 999)) : nil,
                againX: at.x + nodeWidth - 11,
                halo: kind == .current
                    ? .init(
                        haloX: at.x - 4, haloY: at.y - 4,
                        haloW: nodeWidth + 8, haloH: nodeHeight + 8) : nil)
        }
    }

    func kind(of screen: String) -> StateModel.Kind {
        guard !situation.visits.isEmpty else { return .unreached }
        if screen == situation.screen { return .current }
        return situation.visits.contains { $0.screen == screen }
            ? .visited : .unreached
    }

    // MARK: Ways

    private func kind(_ way: StateLayout.Way) -> String {
        guard situation.paths.contains(where: {
            $0.from == way.from && $0.to == way.to
        }) else { return "open" }
        let last = situation.lastPath
        return last?.from == way.from && last?.to == way.to ? "last" : "taken"
    }

    private func route(
        _ from: StateLayout.Place, _ to: StateLayout.Place,
        _ way: StateLayout.Way, _ corridors: inout [Int: Int]
    ) -> (points: [StatePath.Point], label: StatePath.Point?) {
        let a = origin(from)
        let b = origin(to)
        let gap = way.to == situation.screen ? 7 : 3
        let step = to.column - from.column
        if isWide {
            if step == 0 { return beside(a, b, gap) }
            if step == 1 {
                return forward(a, b, gap, sameLane: from.lane == to.lane)
            }
            return around(a, b, gap, forward: step > 0, &corridors)
        }
        return compact(a, b, gap, step: step, &corridors)
    }

    /// Between two nodes of one column.
    private func beside(
        _ a: StatePath.Point, _ b: StatePath.Point, _ gap: Int
    ) -> (points: [StatePath.Point], label: StatePath.Point?) {
        let down = b.y > a.y
        let x = a.x + nodeWidth / 2 + (down ? -10 : 10)
        let start = down ? a.y + nodeHeight : a.y
        let end = down ? b.y - gap : b.y + nodeHeight + gap
        return ([.init(x: x, y: start), .init(x: x, y: end)], nil)
    }

    /// To the next column.
    private func forward(
        _ a: StatePath.Point, _ b: StatePath.Point, _ gap: Int, sameLane: Bool
    ) -> (points: [StatePath.Point], label: StatePath.Point?) {
        let y = a.y + nodeHeight / 2
        let start = StatePath.Point(x: a.x + nodeWidth, y: y)
        let end = StatePath.Point(x: b.x - gap, y: b.y + nodeHeight / 2)
        let middle = (start.x + b.x) / 2
        if sameLane {
            return ([start, end], .init(x: middle - 2, y: y - 5))
        }
        return (
            [start, .init(x: middle, y: y), .init(x: middle, y: end.y), end],
            nil
        )
    }

    /// Over the columns between, above the first row; back, below a row.
    private func around(
        _ a: StatePath.Point, _ b: StatePath.Point, _ gap: Int, forward: Bool,
        _ corridors: inout [Int: Int]
    ) -> (points: [StatePath.Point], label: StatePath.Point?) {
        let above = forward && b.y == top && a.y == top
        let base = above ? 10 : max(a.y, b.y) == min(a.y, b.y)
            ? a.y + nodeHeight + 10 : min(a.y, b.y) + nodeHeight + 10
        let used = corridors[base, default: 0]
        corridors[base] = used + 1
        let y = base + (above ? -1 : 1) * min(used, 2) * 5
        let ax = a.x + nodeWidth / 2 + (forward ? -8 : 14) + used * 4
        let bx = b.x + nodeWidth / 2 + (forward ? 8 : 24) - used * 4
        let leavesDown = a.y < y
        let arrivesUp = b.y < y
        let points = [
            StatePath.Point(x: ax, y: leavesDown ? a.y + nodeHeight : a.y),
            .init(x: ax, y: y), .init(x: bx, y: y),
            .init(x: bx, y: arrivesUp ? b.y + nodeHeight + gap : b.y - gap),
        ]
        return (points, .init(x: (ax + bx) / 2, y: y + (above ? 4 : 4)))
    }

    /// From top to bottom: the next row straight, everything else along the
    /// left side of the lanes.
    private func compact(
        _ a: StatePath.Point, _ b: StatePath.Point, _ gap: Int, step: Int,
        _ corridors: inout [Int: Int]
    ) -> (points: [StatePath.Point], label: StatePath.Point?) {
        let ax = a.x + nodeWidth / 2
        let bx = b.x + nodeWidth / 2
        if step == 0 {
            let right = b.x > a.x
            let y = a.y + nodeHeight / 2 + (right ? -5 : 5)
            let end = right ? b.x - gap : b.x + nodeWidth + gap
            return (
                [
                    .init(x: right ? a.x + nodeWidth : a.x, y: y),
                    .init(x: end, y: y),
                ], nil
            )
        }
        if step == 1 {
            let y = a.y + nodeHeight + 14
            let start = StatePath.Point(x: ax, y: a.y + nodeHeight)
            let end = StatePath.Point(x: bx, y: b.y - gap)
            let bend = [StatePath.Point(x: ax, y: y), .init(x: bx, y: y)]
            return ([start] + (ax == bx ? [] : bend) + [end], nil)
        }
        let used = corridors[0, default: 0]
        corridors[0] = used + 1
        let lanesEnd = 1 + (layout.lanes - 1) * 136 + nodeWidth
        let x = min(width - 6, lanesEnd + 10 + used * 6)
        return (
            [
                .init(x: a.x + nodeWidth, y: a.y + nodeHeight / 2 + 4),
                .init(x: x, y: a.y + nodeHeight / 2 + 4),
                .init(x: x, y: b.y + nodeHeight / 2 - 4),
                .init(x: b.x + nodeWidth + gap, y: b.y + nodeHeight / 2 - 4),
            ], nil
        )
    }
}
