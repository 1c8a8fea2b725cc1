/// The faults to apply to one exchange, chosen before it begins.
struct FaultPlan: Sendable {
    /// Delays and token replacements, in order; the request is still sent.
    var before: [AppliedFault] = []
    /// Ends the exchange before anything is sent.
    var terminal: AppliedFault?
    /// Applied to the response, after the backend has processed the request.
    var after: [AppliedFault] = []
    /// The id under which the embedded backend queries faults for this exchange; nil if none could
    /// apply there.
    var ticket: String?

    var appliedFaults: [AppliedFault] { before + [terminal].compactMap(\.self) + after }

    var isEmpty: Bool { appliedFaults.isEmpty && ticket == nil }
}
