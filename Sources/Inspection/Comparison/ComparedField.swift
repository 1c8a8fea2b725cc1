/// One field of a session, with its value on the device, in the token and at the server.
package struct ComparedField: Equatable, Sendable {
    /// Name in the API and suffix of the test id: `state`, `user`, `email`.
    package var id: String
    /// `Email verified`.
    package var name: String
    package var deviceValue: SourceValue
    package var tokenValue: SourceValue
    package var serverValue: SourceValue
    /// Whether differing values are a discrepancy. Times of different events are not compared.
    var isCompared = true
    package var discrepancy: Discrepancy?

    /// Whether at least two sources have a value and all values are equal.
    package var isAgreed: Bool {
        let values = [deviceValue, tokenValue, serverValue].compactMap(\.content?.compared)
        return isCompared && discrepancy == nil && values.count > 1
            && Set(values.map { $0.lowercased() }).count == 1
    }

    /// Whether any source has a value.
    var hasValue: Bool { [deviceValue, tokenValue, serverValue].contains { $0.content != nil } }

    /// Whether two sources have different values.
    package var differs: Bool {
        let values = [deviceValue, tokenValue, serverValue].compactMap(\.content?.compared)
        return isCompared && Set(values.map { $0.lowercased() }).count > 1
    }
}
