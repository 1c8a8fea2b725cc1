/// One fact of a session as its three sides tell it.
struct ViewFact: Equatable, Sendable {
    /// The API's word and the end of its test id: `state`, `user`, `email`.
    var id: String
    /// `E-mail verified`.
    var name: String
    var stored: Side
    var claimed: Side
    var known: Side
    /// Whether sides that say different things disagree; times of different
    /// things do not.
    var isCompared = true
    var disagreement: Disagreement?

    /// Whether at least two sides hold it and say the same.
    var isAgreed: Bool {
        let values = [stored, claimed, known].compactMap(\.said?.compared)
        return isCompared && disagreement == nil && values.count > 1
            && Set(values.map { $0.lowercased() }).count == 1
    }

    /// Whether any side holds it.
    var isHeld: Bool { [stored, claimed, known].contains { $0.said != nil } }

    /// Whether two sides hold it and say different things.
    var differs: Bool {
        let values = [stored, claimed, known].compactMap(\.said?.compared)
        return isCompared && Set(values.map { $0.lowercased() }).count > 1
    }
}
