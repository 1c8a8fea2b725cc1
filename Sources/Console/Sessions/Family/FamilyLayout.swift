import FoundationEssentials
import Inspection
import Simulator
import Web

/// Lays out a family drawing: horizontally on wide screens, vertically on a phone.
struct FamilyLayout {
    private let family: Family
    private let columns: [Column]
    private let branches: [Family.Branch]

    init(family: Family) {
        self.family = family
        columns = Self.columns(of: family)
        branches = Self.visibleBranches(of: family, columns)
    }

    // MARK: Horizontal

    /// 816 wide; a column of 180 per generation, a row of 60 per branch.
    func makeWideDrawing() -> FamilyDrawing {
        let top = 62
        func x(_ index: Int) -> Int { 76 + 180 * index }
        var drawing = FamilyDrawing(width: 816, height: 112 + branches.count * 60)
        for (index, column) in columns.enumerated() {
            let node = column.node
            drawing.add(node, x(index), top)
            drawing.addLabel(node.title, x(index), 18, "title", anchor: "middle")
            drawing.addLabel(
                Format.timeOfDay(node.at) + (node.serverLabel.map { ", \($0)" } ?? ""), x(index),
                35, "dim", anchor: "middle", at: node.at)
            drawing.addLabel(node.masked ?? "", x(index), 98, "token", anchor: "middle")
            let from = index > 0 ? x(index - 1) + 18 : 4
            let to = x(index) - 21
            if index > 0 || column.hiddenBefore > 0 {
                drawing.addLine(
                    "M \(from) \(top) H \(to)", column.hiddenBefore > 0 ? "earlier" : "turn")
            }
            if column.hiddenBefore > 0 {
                // Above its line.
                drawing.addLabel(
                    "+\(column.hiddenBefore)", (from + to) / 2, top - 8, "dim", anchor: "middle")
            }
        }
        let endX = x(max(columns.count - 1, 0)) + 62
        if let end = family.end, !columns.isEmpty {
            drawing.addLine(
                "M \(endX - 44) \(top) H \(endX) M \(endX) \(top - 7) V \(top + 7)", "end")
            drawing.addLabel(end.title, endX + 8, top - 2, end.isRevoked ? "bad" : "title")
            drawing.addLabel(Format.timeOfDay(end.at), endX + 8, top + 13, "dim", at: end.at)
        }
        for (row, branch) in branches.enumerated() {
            guard let index = columns.firstIndex(where: { $0.node.generation == branch.generation })
            else { continue }
            let y = 118 + row * 60
            // Beside the labels below the circle, and above the next circle's.
            let from = x(index) - 8 + row * 8
            let left = min(x(index) + 44, 816 - 250)
            drawing.add(branch, left, y, width: 244, isRevoked: family.end?.isRevoked == true)
            drawing.addLine(
                "M \(from) \(top + 42) V \(y + 15) q 0 6 6 6 H \(left - 3)", branch.lineKind)
            if branch.endsFamily, family.end != nil {
                // The line to the end's label runs past the box, or out of its top.
                let target = endX + 24
                drawing.addLine(
                    target > left + 250
                        ? "M \(left + 244) \(y + 21) H \(target - 6) q 6 0 6 -6 V \(top + 22)"
                        : "M \(target) \(y) V \(top + 22)", "reuse")
            }
        }
        return drawing
    }

    // MARK: Vertical

    /// 326 wide; a row of 66 per generation, one of 56 per branch.
    func makeCompactDrawing() -> FamilyDrawing {
        var drawing = FamilyDrawing(width: 326, height: 0)
        var y = 20
        var before: Int?
        for column in columns {
            let node = column.node
            if column.hiddenBefore > 0 {
                let hidden = "\(column.hiddenBefore) " + (before == nil ? "before" : "between")
                drawing.addLabel(hidden, 46, y, "dim")
                y += 30
                let from = before.map { $0 + 18 } ?? y - 38
                drawing.addLine("M 20 \(from) V \(y - 21)", "earlier")
            } else if let before {
                drawing.addLine("M 20 \(before + 18) V \(y - 21)", "turn")
            }
            drawing.add(node, 20, y)
            drawing.addLabel(
                node.title + "  " + Format.timeOfDay(node.at), 46, y - 3, "title", at: node.at)
            let token = [node.masked, node.serverLabel].compactMap(\.self).joined(separator: ", ")
            drawing.addLabel(token, 46, y + 14, "token")
            let nodeY = y
            for branch in branches where branch.generation == node.generation {
                let top = y + 32
                drawing.add(branch, 60, top, width: 262, isRevoked: family.end?.isRevoked == true)
                drawing.addLine("M 34 \(nodeY + 12) V \(top + 15) q 0 6 6 6 H 57", branch.lineKind)
                y += 56
            }
            before = nodeY
            y += 66
        }
        if let end = family.end, let before {
            drawing.addLine("M 20 \(before + 18) V \(y - 14) M 13 \(y - 14) H 27", "end")
            drawing.addLabel(
                "\(end.title) \(Format.timeOfDay(end.at))", 46, y - 10,
                end.isRevoked ? "bad" : "title", at: end.at)
            y += 20
        }
        drawing.height = y - 20
        return drawing
    }
}

// MARK: - Selection

/// Which parts of a family are drawn and which are folded.
extension FamilyLayout {
    /// A drawn generation.
    struct Column {
        var node: Family.Node
        /// Number of folded generations before it.
        var hiddenBefore: Int
    }

    /// Number of generations drawn; the others are folded.
    private static let visibleCount = 4
    /// How many of these may be older ones that a branch starts from.
    private static let maxOrigins = 2
    /// Number of branches drawn, the newest first.
    private static let maxBranches = 3

    /// The newest generations, and the older ones that a drawn branch starts from: a reuse is shown
    /// at its origin, however old.
    fileprivate static func columns(of family: Family) -> [Column] {
        let nodes = family.nodes
        let prioritized =
            family.branches.filter(\.endsFamily)
            + family.branches.filter { !$0.endsFamily }.reversed()
        var indices = Set(nodes.indices.suffix(visibleCount))
        for branch in prioritized.prefix(maxBranches) {
            guard let index = nodes.firstIndex(where: { $0.generation == branch.generation }),
                !indices.contains(index)
            else { continue }
            let older = indices.filter { $0 < nodes.count - visibleCount }
            guard older.count < maxOrigins else { break }
            // Removes the oldest of the newest instead.
            let newest = indices.filter { $0 >= nodes.count - visibleCount }
            if let first = newest.min() { indices.remove(first) }
            indices.insert(index)
        }
        var last = -1
        return indices.sorted().map { index in
            defer { last = index }
            return Column(node: nodes[index], hiddenBefore: index - last - 1)
        }
    }

    /// The branches of drawn generations. Those that ended the family are first, so that nothing is
    /// drawn between them and the end.
    fileprivate static func visibleBranches(of family: Family, _ columns: [Column]) -> [Family
        .Branch]
    {
        let drawn = Set(columns.map(\.node.generation))
        let candidates = family.branches.filter { drawn.contains($0.generation) }
        let ending = candidates.filter(\.endsFamily)
        return ending
            + candidates.filter { !$0.endsFamily }.suffix(
                maxBranches - min(ending.count, maxBranches))
    }
}

// MARK: - Elements

/// A drawing of a family (`sessions/familydrawing`).
struct FamilyDrawing: Encodable, Sendable {
    var width: Int
    var height: Int
    var lines: [Line] = []
    var boxes: [Box] = []
    var circles: [Circle] = []
    var labels: [Label] = []

    struct Line: Encodable, Sendable {
        /// SVG path data.
        var d: String
        /// `turn` (a rotation), `reuse` (dashed), `end`, `earlier` (dotted).
        var kind: String
        var hasArrowhead: Bool
    }

    struct Box: Encodable, Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height = 42
        /// `bad` or `warn`.
        var tone: String
    }

    struct Circle: Encodable, Sendable {
        var cx: Int
        var cy: Int
        var number: String
        /// `used`, `current`, `ended`, `unheld`.
        var kind: String
    }

    struct Label: Encodable, Sendable {
        var x: Int
        var y: Int
        var text: String
        /// `title`, `dim`, `token`, `bad`, `warn`.
        var kind: String
        /// `start` or `middle`.
        var anchor: String
        /// The time in `text` as a machine-readable timestamp.
        var timestamp: String?
    }

    fileprivate mutating func addLine(_ d: String, _ kind: String) {
        lines.append(Line(d: d, kind: kind, hasArrowhead: kind != "end"))
    }

    fileprivate mutating func addLabel(
        _ text: String, _ x: Int, _ y: Int, _ kind: String, anchor: String = "start",
        at time: Date? = nil
    ) {
        labels.append(
            Label(x: x, y: y, text: text, kind: kind, anchor: anchor, timestamp: time?.iso8601))
    }

    fileprivate mutating func add(_ node: Family.Node, _ x: Int, _ y: Int) {
        circles.append(
            Circle(cx: x, cy: y, number: String(node.generation), kind: node.kind.rawValue))
    }

    /// Adds a box with the branch's labels, and the generation that it brought and the device does
    /// not hold.
    fileprivate mutating func add(
        _ branch: Family.Branch, _ x: Int, _ y: Int, width: Int, isRevoked: Bool
    ) {
        let tone = branch.endsFamily ? "bad" : "warn"
        boxes.append(Box(x: x, y: y, width: width, tone: tone))
        addLabel(branch.title, x + 12, y + 17, tone)
        addLabel(branch.note, x + 12, y + 33, "note")
        guard let result = branch.unheldResult else { return }
        circles.append(
            Circle(
                cx: x + width - 22, cy: y + 21, number: result.label,
                kind: isRevoked ? "ended" : "unheld"))
    }
}

extension Family.Branch { fileprivate var lineKind: String { endsFamily ? "reuse" : "branch" } }
