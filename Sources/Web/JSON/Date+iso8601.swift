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
        return formatISO8601(Date(timeIntervalSince1970: Double(milliseconds) / 1_000 + 0.000_5))
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
}

private func formatISO8601(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}
