/// Places a family on a plane: across where there is room, downwards on a
/// phone.
struct FamilyDrawing {
    let family: Family

    /// Generations drawn; older ones are folded.
    private static let shown = 4
    /// Branches drawn, the newest.
    private static let drawnBranches = 3

    private var nodes: [Family.Node] { Array(family.nodes.suffix(Self.shown)) }
    private var hidden: Int { family.nodes.count - nodes.count }
    private var branches: [Family.Branch] {
        let first = nodes.first?.generation ?? 0
        return Array(
            family.branches.filter { $0.generation >= first }
                .suffix(Self.drawnBranches))
    }

    // MARK: Across

    /// 816 across; a column of 180 a generation, a row of 60 a branch.
    func wide() -> FamilyModel.Drawing {
        let step = 180
        let top = 62
        func x(_ index: Int) -> Int { 76 + step * index }
        var drawing = FamilyModel.Drawing(
            width: 816, height: 112 + branches.count * 60, lines: [],
            boxes: [], circles: [], words: [])
        if hidden > 0 {
            drawing.lines.append(
                .init(d: "M 20 \(top) H 57", kind: "earlier", head: true))
            drawing.words.append(
                .init(
                    x: 4, y: top + 4, text: "+\(hidden)", kind: "dim",
                    anchor: "start"))
        }
        for (index, node) in nodes.enumerated() {
            add(node, x(index), top, to: &drawing)
            drawing.words += [
                .init(
                    x: x(index), y: 18, text: node.title, kind: "title",
                    anchor: "middle"),
                .init(
                    x: x(index), y: 35, text: Words.clock(node.at),
                    kind: "dim", anchor: "middle"),
                .init(
                    x: x(index), y: 98, text: node.masked ?? "", kind: "token",
                    anchor: "middle"),
            ]
            if index > 0 {
                drawing.lines.append(
                    .init(
                        d: "M \(x(index - 1) + 18) \(top) H \(x(index) - 21)",
                        kind: "turn", head: true))
            }
        }
        let endX = x(max(nodes.count - 1, 0)) + 62
        if let end = family.end, !nodes.isEmpty {
            drawing.lines.append(
                .init(
                    d: "M \(endX - 44) \(top) H \(endX) "
                        + "M \(endX) \(top - 7) V \(top + 7)",
                    kind: "end", head: false))
            drawing.words += [
                .init(
                    x: endX + 8, y: top - 2, text: end.title,
                    kind: end.isRevoked ? "bad" : "title", anchor: "start"),
                .init(
                    x: endX + 8, y: top + 13, text: Words.clock(end.at),
                    kind: "dim", anchor: "start"),
            ]
        }
        for (row, branch) in branches.enumerated() {
            guard
                let index = nodes.firstIndex(where: {
                    $0.generation == branch.generation
                })
            else { continue }
            let y = 118 + row * 60
            // Beside the words below the circle, and above the next one's.
            let from = x(index) - 8 + row * 8
            let left = min(x(index) + 44, 816 - 250)
            drawing.boxes.append(
                .init(
                    x: left, y: y, w: 244, h: 42,
                    tone: branch.isFatal ? "bad" : "warn"))
            drawing.lines.append(
                .init(
                    d: "M \(from) \(top + 42) V \(y + 15) "
                        + "q 0 6 6 6 H \(left - 3)",
                    kind: branch.isFatal ? "reuse" : "branch", head: true))
            words(branch, left + 12, y, &drawing)
            if branch.isFatal, family.end != nil {
                let target = max(endX + 24, left + 258)
                drawing.lines.append(
                    .init(
                        d: "M \(left + 244) \(y + 21) H \(target - 6) "
                            + "q 6 0 6 -6 V \(top + 26)",
                        kind: "reuse", head: true))
            }
        }
        return drawing
    }

    // MARK: Downwards

    /// 326 across; 66 a generation, 56 a branch.
    func compact() -> FamilyModel.Drawing {
        var drawing = FamilyModel.Drawing(
            width: 326, height: 0, lines: [], boxes: [], circles: [],
            words: [])
        var y = 20
        if hidden > 0 {
            drawing.words.append(
                .init(
                    x: 44, y: y, text: "\(hidden) before", kind: "dim",
                    anchor: "start"))
            drawing.lines.append(
                .init(d: "M 20 \(y - 8) V \(y + 9)", kind: "earlier", head: true))
            y += 30
        }
        var before: Int?
        for node in nodes {
            if let before {
                drawing.lines.append(
                    .init(
                        d: "M 20 \(before + 18) V \(y - 21)", kind: "turn",
                        head: true))
            }
            add(node, 20, y, to: &drawing)
            drawing.words += [
                .init(
                    x: 46, y: y - 3, text: node.title + "  "
                        + Words.clock(node.at), kind: "title",
                    anchor: "start"),
                .init(
                    x: 46, y: y + 14, text: node.masked ?? "", kind: "token",
                    anchor: "start"),
            ]
            before = y
            for branch in branches where branch.generation == node.generation
            {
                let top = y + 32
                drawing.boxes.append(
                    .init(
                        x: 60, y: top, w: 262, h: 42,
                        tone: branch.isFatal ? "bad" : "warn"))
                drawing.lines.append(
                    .init(
                        d: "M 34 \((before ?? y) + 12) V \(top + 15) "
                            + "q 0 6 6 6 H 57",
                        kind: branch.isFatal ? "reuse" : "branch", head: true))
                words(branch, 72, top, &drawing)
                y += 56
            }
            y += 66
        }
        if let end = family.end, let before {
            drawing.lines.append(
                .init(
                    d: "M 20 \(before + 18) V \(y - 14) "
                        + "M 13 \(y - 14) H 27", kind: "end", head: false))
            drawing.words.append(
                .init(
                    x: 46, y: y - 10,
                    text: "\(end.title) \(Words.clock(end.at))",
                    kind: end.isRevoked ? "bad" : "title", anchor: "start"))
            y += 20
        }
        drawing.height = y - 20
        return drawing
    }

    private func add(
        _ node: Family.Node, _ x: Int, _ y: Int,
        to drawing: inout FamilyModel.Drawing
    ) {
        drawing.circles.append(
            .init(
                cx: x, cy: y, textY: y + 4, number: String(node.number),
                kind: node.kind.rawValue))
    }

    private func words(
        _ branch: Family.Branch, _ x: Int, _ y: Int,
        _ drawing: inout FamilyModel.Drawing
    ) {
        drawing.words += [
            .init(
                x: x, y: y + 17, text: branch.title,
                kind: branch.isFatal ? "bad" : "warn", anchor: "start"),
            .init(
                x: x, y: y + 33, text: branch.note, kind: "note",
                anchor: "start"),
        ]
    }
}
