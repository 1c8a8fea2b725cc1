/// One strike of a condition: which one, and the how-manieth.
struct Blow: Sendable, Equatable {
    /// As it is after the strike.
    var condition: Condition
    /// What it had struck before, for a strike that is taken back.
    var previous: Condition.Use?

    var number: Int { condition.used }

    /// Whether the condition is used up with it.
    var isLast: Bool { condition.left == 0 }
}
