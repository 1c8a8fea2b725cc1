/// One fact of a session as its three sides tell it.
struct ComparedField: Equatable, Sendable {
    /// The API's word and the end of its test id: `state`, `user`, `email`.
    var id: String
    /// `E-mail verified`.
    var name: String
    var deviceValue: SourceValue
    var tokenValue: SourceValue
    var serverValue: SourceValue
    /// Whether sides that say different things disagree; times of different
    /// things do not.
    var isCompared = true
    var discrepancy: Discrepancy?

    /// Whether at least two sides hold it and say the same.
    var isAgreed: Bool {
        let values = [deviceValue, tokenValue, serverValue].compactMap(\.content?.compared)
        return isCompared && discrepancy == nil && values.count > 1
            && Set(values.map { $0.lowercased() }).count == 1
    }

    /// Whether any side holds it.
    var hasValue: Bool { [deviceValue, tokenValue, serverValue].contains { $0.content != nil } }

    /// Whether two sides hold it and say different things.
    var differs: Bool {
        let values = [deviceValue, tokenValue, serverValue].compactMap(\.content?.compared)
        return isCompared && Set(values.map { $0.lowercased() }).count > 1
    }
}
