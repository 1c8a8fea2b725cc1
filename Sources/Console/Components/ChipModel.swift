/// A short text with a tone: a verdict, a cause, a fault.
struct ChipModel: Encodable, Sendable {
    var text: String
    var tone: Tone
    /// A symbol of `icons.svg`; nil for none.
    var chipIcon: String?

    /// Green, amber and red are for verdicts and states only.
    enum Tone: String, Encodable, Sendable { case neutral, ok, warn, bad, accent }
}
