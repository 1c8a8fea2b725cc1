package import FoundationEssentials

extension Date {
    /// Seconds since 1970 from the year 1 to the year 9999, the range of RFC 3339.
    package static let rfc3339Range: ClosedRange<Int64> = -62_135_769_600...253_402_300_799

    /// The time `seconds` after 1970, clamped to ``rfc3339Range``; 1970 for NaN.
    package init(clamping seconds: Double) {
        let bounds = Date.rfc3339Range
        self.init(
            timeIntervalSince1970: seconds.isNaN
                ? 0 : min(max(seconds, Double(bounds.lowerBound)), Double(bounds.upperBound)))
    }
}

extension JSON {
    /// The time of a number of seconds since 1970, clamped to ``Date/rfc3339Range``.
    package var dateFromSeconds: Date? { number.map(Date.init(clamping:)) }

    /// The whole seconds since 1970 of a token's claim (RFC 7519, NumericDate), within
    /// ``Date/rfc3339Range``, so that arithmetic on them cannot overflow.
    package var numericDate: Int64? {
        dateFromSeconds.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
    }
}
