/// A regular expression taken apart.
indirect enum PatternNode: Sendable {
    case empty
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case sequence([PatternNode])
    case either([PatternNode])
    /// nil: any number of times.
    case repeated(PatternNode, least: Int, most: Int?)
    case start
    case end
    /// `\b`, or `\B` if not wanted.
    case boundary(Bool)

    /// How many steps it compiles to, so that a repetition of repetitions is
    /// refused before it is laid out.
    var size: Int {
        switch self {
        case .empty: 0
        case .scalar, .set, .start, .end, .boundary: 1
        case .sequence(let nodes): nodes.reduce(0) { $0 + $1.size }
        case .either(let nodes): nodes.reduce(0) { $0 + $1.size + 2 }
        case .repeated(let node, let least, let most): (node.size + 2) * max(least + 1, most ?? 0)
        }
    }
}
