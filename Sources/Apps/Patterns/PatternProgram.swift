/// A pattern compiled to steps whose alternatives are followed all at once.
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
        case .wordBoundary(let expected): steps.append(.wordBoundary(expected))
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
        var branchEnds: [Int] = []
        for node in nodes.dropLast() {
            let fork = steps.count
            steps.append(.match)
            emit(node)
            branchEnds.append(steps.count)
            steps.append(.match)
            steps[fork] = .split(fork + 1, steps.count)
        }
        if let last = nodes.last { emit(last) }
        for branchEnd in branchEnds { steps[branchEnd] = .jump(steps.count) }
    }

    // MARK: Matching

    func matches(_ scalars: String.UnicodeScalarView) -> Bool {
        var current: [Int] = []
        var next: [Int] = []
        var visited = [Int](repeating: 0, count: steps.count)
        var pending: [Int] = []
        var round = 1
        var before: Unicode.Scalar?
        var remaining = scalars[...]
        addReachableSteps(
            0, before: nil, after: remaining.first, round, &visited, &current, &pending)
        while let scalar = remaining.popFirst() {
            guard !current.isEmpty else { return false }
            round += 1
            before = scalar
            let after = remaining.first
            for index in current {
                let isMatch =
                    switch steps[index] {
                    case .scalar(let expected): expected == scalar
                    case .set(let set): set.contains(scalar)
                    default: false
                    }
                if isMatch {
                    addReachableSteps(
                        index + 1, before: before, after: after, round, &visited, &next, &pending)
                }
            }
            swap(&current, &next)
            next.removeAll(keepingCapacity: true)
        }
        return current.contains { if case .match = steps[$0] { true } else { false } }
    }

    /// Adds `step` and all steps reachable from it without consuming a scalar.
    private func addReachableSteps(
        _ step: Int, before: Unicode.Scalar?, after: Unicode.Scalar?, _ round: Int,
        _ visited: inout [Int], _ out: inout [Int], _ pending: inout [Int]
    ) {
        pending.append(step)
        while let index = pending.popLast() {
            guard visited[index] != round else { continue }
            visited[index] = round
            switch steps[index] {
            case .scalar, .set, .match: out.append(index)
            case .jump(let target): pending.append(target)
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .start: if before == nil { pending.append(index + 1) }
            case .end: if after == nil { pending.append(index + 1) }
            case .wordBoundary(let expected):
                let isBoundary = isWord(before) != isWord(after)
                if isBoundary == expected { pending.append(index + 1) }
            }
        }
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map(ScalarSet.wordCharacters.contains) ?? false
    }
}
