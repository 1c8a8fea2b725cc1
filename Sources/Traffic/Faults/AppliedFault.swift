/// One application of a fault, with its ordinal.
struct AppliedFault: Sendable, Equatable {
    /// The fault's state after this application.
    var fault: Fault
    /// The fault's `lastAffected` before this application, to revert to.
    var previousAffected: Fault.AffectedExchange?

    var ordinal: Int { fault.appliedCount }

    /// Whether this application used up the fault.
    var isLast: Bool { fault.remaining == 0 }
}
