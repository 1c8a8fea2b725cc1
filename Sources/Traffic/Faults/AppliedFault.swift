/// One strike of a condition: which one, and the how-manieth.
struct AppliedFault: Sendable, Equatable {
    /// As it is after the strike.
    var fault: Fault
    /// What it had struck before, for a strike that is taken back.
    var previousAffected: Fault.AffectedExchange?

    var ordinal: Int { fault.appliedCount }

    /// Whether the condition is used up with it.
    var isLast: Bool { fault.remaining == 0 }
}
