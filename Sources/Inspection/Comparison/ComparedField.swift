/// One field of a session, with its value on the device, in the token and at the server.
package struct ComparedField: Equatable, Sendable {
    /// Name in the API and suffix of the test id: `state`, `user`, `email`.
    package var id: String
    /// `Email verified`.
    package var name: String
    package var deviceValue = SourceValue.none
    package var tokenValue = SourceValue.none
    package var serverValue = SourceValue.none
    /// Whether differing values are a discrepancy. Times of different events are not compared.
    var isCompared = true
    package var discrepancy: Discrepancy?

    private var contents: [SourceValue.Content] {
        [deviceValue, tokenValue, serverValue].compactMap(\.content)
    }

    private var distinctValues: Set<String> { Set(contents.map { $0.compared.lowercased() }) }

    /// Whether at least two sources have a value and all values are equal.
    package var isAgreed: Bool {
        isCompared && discrepancy == nil && contents.count > 1 && distinctValues.count == 1
    }

    /// Whether any source has a value.
    var hasValue: Bool { !contents.isEmpty }

    /// Whether two sources have different values.
    package var differs: Bool { isCompared && distinctValues.count > 1 }
}
