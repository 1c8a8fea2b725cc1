/// The syntax tree of a regular expression.
indirect enum PatternNode: Sendable {
    case empty
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case sequence([PatternNode])
    case alternation([PatternNode])
    /// nil: unbounded.
    case repetition(PatternNode, min: Int, max: Int?)
    case start
    case end
    /// `\b` if true, `\B` if false.
    case wordBoundary(Bool)

    /// The number of steps it compiles to, so that nested repetitions are refused before they are
    /// emitted.
    var stepCount: Int {
        switch self {
        case .empty: 0
        case .scalar, .set, .start, .end, .wordBoundary: 1
        case .sequence(let nodes): nodes.reduce(0) { $0 + $1.stepCount }
        case .alternation(let nodes): nodes.reduce(0) { $0 + $1.stepCount + 2 }
        case .repetition(let node, let least, let most):
            (node.stepCount + 2) * max(least + 1, most ?? 0)
        }
    }
}
