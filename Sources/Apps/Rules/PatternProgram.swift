/// A pattern laid out as steps that are followed all at once.
struct PatternProgram: Sendable {
    static let maxSteps = 2000

    enum Step: Sendable {
        case scalar(Unicode.Scalar)
        case set(ScalarSet)
        case start
        case end
        case wordBoundary(Bool)
        case split(Int, Int)
        case jump(Int)
        case match
    }

    private(set) var steps: [Step] = []

    init(_ node: PatternNode) {
        emit(node)
        steps.append(.match)
    }

    private mutating func emit(_ node: PatternNode) {
        switch node {
        case .empty: break
        case .scalar(let scalar): steps.append(.scalar(scalar))
        case .set(let set): steps.append(.set(set))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .wordBoundary(let wanted): steps.append(.wordBoundary(wanted))
        case .sequence(let nodes): for node in nodes { emit(node) }
        case .alternation(let nodes): emitAlternation(nodes)
        case .repetition(let node, let least, let most):
            for _ in 0..<least { emit(node) }
            guard let most else { return emitLoop(node) }
            var exits: [Int] = []
            for _ in least..<max(least, most) {
                exits.append(steps.count)
                steps.append(.match)
                emit(node)
            }
            for exit in exits { steps[exit] = .split(exit + 1, steps.count) }
        }
    }

    private mutating func emitLoop(_ node: PatternNode) {
        let top = steps.count
        steps.append(.match)
        emit(node)
        steps.append(.jump(top))
        steps[top] = .split(top + 1, steps.count)
    }

    private mutating func emitAlternation(_ nodes: [PatternNode]) {
        var leaves: [Int] = []
        for node in nodes.dropLast() {
            let fork = steps.count
            steps.append(.match)
            emit(node)
            leaves.append(steps.count)
            steps.append(.match)
            steps[fork] = .split(fork + 1, steps.count)
        }
        if let last = nodes.last { emit(last) }
        for leave in leaves { steps[leave] = .jump(steps.count) }
    }

    // MARK: Running

    /// Whether all of `scalars` match.
    func matches(_ scalars: String.UnicodeScalarView) -> Bool {
        var now: [Int] = []
        var next: [Int] = []
        var seen = [Int](repeating: 0, count: steps.count)
        var waiting: [Int] = []
        var round = 1
        var before: Unicode.Scalar?
        var rest = scalars[...]
        addReachableSteps(0, before: nil, after: rest.first, round, &seen, &now, &waiting)
        while let scalar = rest.popFirst() {
            guard !now.isEmpty else { return false }
            round += 1
            before = scalar
            let after = rest.first
            for at in now {
                let fits =
                    switch steps[at] {
                    case .scalar(let wanted): wanted == scalar
                    case .set(let set): set.contains(scalar)
                    default: false
                    }
                if fits {
                    addReachableSteps(
                        at + 1, before: before, after: after, round, &seen, &next, &waiting)
                }
            }
            swap(&now, &next)
            next.removeAll(keepingCapacity: true)
        }
        return now.contains { if case .match = steps[$0] { true } else { false } }
    }

    /// Adds `step` and all that can be reached from it without a scalar.
    private func addReachableSteps(
        _ step: Int, before: Unicode.Scalar?, after: Unicode.Scalar?, _ round: Int,
        _ seen: inout [Int], _ out: inout [Int], _ waiting: inout [Int]
    ) {
        waiting.append(step)
        while let at = waiting.popLast() {
            guard seen[at] != round else { continue }
            seen[at] = round
            switch steps[at] {
            case .scalar, .set, .match: out.append(at)
            case .jump(let to): waiting.append(to)
            case .split(let one, let other):
                waiting.append(other)
                waiting.append(one)
            case .start: if before == nil { waiting.append(at + 1) }
            case .end: if after == nil { waiting.append(at + 1) }
            case .wordBoundary(let wanted):
                let edge = isWord(before) != isWord(after)
                if edge == wanted { waiting.append(at + 1) }
            }
        }
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map(ScalarSet.wordCharacters.contains) ?? false
    }
}
