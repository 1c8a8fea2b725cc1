import Web

extension BodyReader {
    /// An integer within `range`; nil if the field is absent.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = readValue(name) else { return nil }
        guard let number = value.int.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            addError(name, "must be a whole number, \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// Whether the field is present and null.
    mutating func isNull(_ name: String) -> Bool { has(name) && readValue(name) == nil }
}
