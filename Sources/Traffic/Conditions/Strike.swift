/// What strikes one exchange, taken before it begins.
struct Strike: Sendable {
    /// In order: waits, and tokens replaced; the request goes on.
    var before: [Blow] = []
    /// Ends the exchange before anything is sent.
    var ending: Blow?
    /// The backend works; then these befall its answer.
    var after: [Blow] = []
    /// Under which the embedded backend asks what befalls it; nil if nothing
    /// could.
    var ticket: String?

    var blows: [Blow] { before + [ending].compactMap(\.self) + after }

    var isNothing: Bool { blows.isEmpty && ticket == nil }
}
