package import FoundationEssentials

extension Date {
    /// RFC 3339 in UTC with milliseconds: `2026-11-21T14:35:15.188Z`.
    ///
    /// Clamped to the years 1 to 9999.
    package var iso8601: String {
        let milliseconds = min(
            max(
                Int64(Int(clamping: (timeIntervalSince1970 * 1_000).rounded())),
                Date.rfc3339Range.lowerBound * 1_000), Date.rfc3339Range.upperBound * 1_000 + 999)
        // The format style truncates; half a millisecond more preserves the rounded value.
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000 + 0.000_5).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Parses RFC 3339, with or without a fraction; nil if `text` is malformed.
    package init?(iso8601 text: String) {
        let styles = [
            Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
        ]
        for style in styles {
            if let date = try? style.parse(text) {
                self = date
                return
            }
        }
        return nil
    }

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
