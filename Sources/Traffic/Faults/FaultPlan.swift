/// What strikes one exchange, taken before it begins.
struct FaultPlan: Sendable {
    /// In order: waits, and tokens replaced; the request goes on.
    var before: [AppliedFault] = []
    /// Ends the exchange before anything is sent.
    var terminal: AppliedFault?
    /// The backend works; then these befall its answer.
    var after: [AppliedFault] = []
    /// Under which the embedded backend asks what befalls it; nil if nothing
    /// could.
    var ticket: String?

    var appliedFaults: [AppliedFault] { before + [terminal].compactMap(\.self) + after }

    var isEmpty: Bool { appliedFaults.isEmpty && ticket == nil }
}
