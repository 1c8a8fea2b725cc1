import Inspection
import Simulator
import Web

/// Lays out a family drawing: horizontally on wide screens, vertically on a phone.
struct FamilyLayout {
    let family: Family

    // MARK: Horizontal

    /// 816 wide; a column of 180 per generation, a row of 60 per branch.
    func makeWideDrawing() -> FamilyModel.Drawing {
        let step = 180
        let top = 62
        func x(_ index: Int) -> Int { 76 + step * index }
        let columns = columns
        let branches = visibleBranches(of: columns)
        var drawing = FamilyModel.Drawing(
            width: 816, height: 112 + branches.count * 60, lines: [], boxes: [], circles: [],
            labels: [])
        for (index, column) in columns.enumerated() {
            let node = column.node
            add(node, x(index), top, to: &drawing)
            drawing.labels += [
                .init(x: x(index), y: 18, text: node.title, kind: "title", anchor: "middle"),
                .init(
                    x: x(index), y: 35,
                    text: Format.timeOfDay(node.at) + (node.serverLabel.map { ", \($0)" } ?? ""),
                    kind: "dim",
                    anchor: "middle", timestamp: node.at.iso8601),
                .init(x: x(index), y: 98, text: node.masked ?? "", kind: "token", anchor: "middle"),
            ]
            let from = index > 0 ? x(index - 1) + 18 : 4
            if index > 0 || column.hiddenBefore > 0 {
                drawing.lines.append(
                    .init(
                        d: "M \(from) \(top) H \(x(index) - 21)",
                        kind: column.hiddenBefore > 0 ? "earlier" : "turn", hasArrowhead: true))
            }
            if column.hiddenBefore > 0 {
                // Above its line.
                drawing.labels.append(
                    .init(
                        x: (from + x(index) - 21) / 2, y: top - 8, text: "+\(column.hiddenBefore)",
                        kind: "dim", anchor: "middle"))
            }
        }
        let endX = x(max(columns.count - 1, 0)) + 62
        if let end = family.end, !columns.isEmpty {
            drawing.lines.append(
                .init(
                    d: "M \(endX - 44) \(top) H \(endX) M \(endX) \(top - 7) V \(top + 7)",
                    kind: "end", hasArrowhead: false))
            drawing.labels += [
                .init(
                    x: endX + 8, y: top - 2, text: end.title, kind: end.isRevoked ? "bad" : "title",
                    anchor: "start"),
                .init(
                    x: endX + 8, y: top + 13, text: Format.timeOfDay(end.at), kind: "dim",
                    anchor: "start", timestamp: end.at.iso8601),
            ]
        }
        for (row, branch) in branches.enumerated() {
            guard let index = columns.firstIndex(where: { $0.node.generation == branch.generation })
            else { continue }
            let y = 118 + row * 60
            // Beside the labels below the circle, and above the next circle's.
            let from = x(index) - 8 + row * 8
            let left = min(x(index) + 44, 816 - 250)
            drawing.boxes.append(
                .init(
                    x: left, y: y, width: 244, height: 42, tone: branch.endsFamily ? "bad" : "warn")
            )
            drawing.lines.append(
                .init(
                    d: "M \(from) \(top + 42) V \(y + 15) q 0 6 6 6 H \(left - 3)",
                    kind: branch.endsFamily ? "reuse" : "branch", hasArrowhead: true))
            addLabels(branch, left + 12, y, &drawing)
            add(branch, left + 222, y + 21, to: &drawing)
            if branch.endsFamily, family.end != nil {
                // The line to the end's label runs past the box, or out of its top.
                let target = endX + 24
                let d =
                    target > left + 250
                    ? "M \(left + 244) \(y + 21) H \(target - 6) q 6 0 6 -6 V \(top + 22)"
                    : "M \(target) \(y) V \(top + 22)"
                drawing.lines.append(.init(d: d, kind: "reuse", hasArrowhead: true))
            }
        }
        return drawing
    }

    // MARK: Vertical

    /// 326 wide; a row of 66 per generation, one of 56 per branch.
    func makeCompactDrawing() -> FamilyModel.Drawing {
        var drawing = FamilyModel.Drawing(
            width: 326, height: 0, lines: [], boxes: [], circles: [], labels: [])
        var y = 20
        let columns = columns
        let branches = visibleBranches(of: columns)
        var before: Int?
        for column in columns {
            let node = column.node
            if column.hiddenBefore > 0 {
                drawing.labels.append(
                    .init(
                        x: 46, y: y,
                        text: "\(column.hiddenBefore) " + (before == nil ? "before" : "between"),
                        kind: "dim", anchor: "start"))
                y += 30
                let from = before.map { $0 + 18 } ?? y - 38
                drawing.lines.append(
                    .init(d: "M 20 \(from) V \(y - 21)", kind: "earlier", hasArrowhead: true))
            } else if let before {
                drawing.lines.append(
                    .init(d: "M 20 \(before + 18) V \(y - 21)", kind: "turn", hasArrowhead: true))
            }
            add(node, 20, y, to: &drawing)
            drawing.labels += [
                .init(
                    x: 46, y: y - 3, text: node.title + "  " + Format.timeOfDay(node.at),
                    kind: "title",
                    anchor: "start", timestamp: node.at.iso8601),
                .init(
                    x: 46, y: y + 14,
                    text: [node.masked, node.serverLabel].compactMap(\.self).joined(
                        separator: ", "),
                    kind: "token", anchor: "start"),
            ]
            before = y
            for branch in branches where branch.generation == node.generation {
                let top = y + 32
                drawing.boxes.append(
                    .init(
                        x: 60, y: top, width: 262, height: 42,
                        tone: branch.endsFamily ? "bad" : "warn"))
                drawing.lines.append(
                    .init(
                        d: "M 34 \((before ?? y) + 12) V \(top + 15) q 0 6 6 6 H 57",
                        kind: branch.endsFamily ? "reuse" : "branch", hasArrowhead: true))
                addLabels(branch, 72, top, &drawing)
                add(branch, 300, top + 21, to: &drawing)
                y += 56
            }
            y += 66
        }
        if let end = family.end, let before {
            drawing.lines.append(
                .init(
                    d: "M 20 \(before + 18) V \(y - 14) M 13 \(y - 14) H 27", kind: "end",
                    hasArrowhead: false))
            drawing.labels.append(
                .init(
                    x: 46, y: y - 10, text: "\(end.title) \(Format.timeOfDay(end.at))",
                    kind: end.isRevoked ? "bad" : "title", anchor: "start",
                    timestamp: end.at.iso8601))
            y += 20
        }
        drawing.height = y - 20
        return drawing
    }

    private func add(_ node: Family.Node, _ x: Int, _ y: Int, to drawing: inout FamilyModel.Drawing)
    {
        drawing.circles.append(
            .init(
                cx: x, cy: y, textY: y + 4, number: String(node.generation),
                kind: node.kind.rawValue))
    }

    /// Draws the generation that a branch brought and the device does not hold.
    private func add(
        _ branch: Family.Branch, _ x: Int, _ y: Int, to drawing: inout FamilyModel.Drawing
    ) {
        guard let result = branch.unheldResult else { return }
        drawing.circles.append(
            .init(
                cx: x, cy: y, textY: y + 4, number: result.label,
                kind: family.end?.isRevoked == true ? "ended" : "unheld"))
    }

    private func addLabels(
        _ branch: Family.Branch, _ x: Int, _ y: Int, _ drawing: inout FamilyModel.Drawing
    ) {
        drawing.labels += [
            .init(
                x: x, y: y + 17, text: branch.title, kind: branch.endsFamily ? "bad" : "warn",
                anchor: "start"),
            .init(x: x, y: y + 33, text: branch.note, kind: "note", anchor: "start"),
        ]
    }
}
