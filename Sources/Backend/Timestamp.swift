package import FoundationEssentials
import SQLite
import Web

/// A time as stored in the database: whole milliseconds since 1970.
///
/// Truncated, not rounded, so that a mail never looks older than the request that triggered it and
/// never newer than the response. Values outside the years 1 to 9999 are clamped, so that
/// arithmetic cannot overflow.
package struct Timestamp: Sendable, Hashable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        let seconds = Date.rfc3339Range
        self.milliseconds = min(
            max(milliseconds, seconds.lowerBound * 1_000), seconds.upperBound * 1_000 + 999)
    }

    /// `seconds` since 1970, such as a claim's value.
    init(seconds: Int64) {
        let bounds = Date.rfc3339Range
        self.init(milliseconds: min(max(seconds, bounds.lowerBound), bounds.upperBound) * 1_000)
    }

    package init(_ date: Date) {
        self.init(
            milliseconds: Int64(Int(clamping: (date.timeIntervalSince1970 * 1_000).rounded(.down))))
    }

    /// Whole seconds, the unit of token claims (RFC 7519, NumericDate).
    package var seconds: Int64 { Int64((Double(milliseconds) / 1_000).rounded(.down)) }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// RFC 3339 in UTC without a fraction, as strict parsers on devices require:
    /// `2026-11-21T14:35:15Z`.
    package var iso8601Seconds: String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
    }

    var sqlValue: Value { .integer(milliseconds) }

    package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }

    package static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: timestamp.milliseconds + duration.milliseconds)
    }

    package static func - (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: timestamp.milliseconds - duration.milliseconds)
    }
}

extension JSON {
    /// The time in milliseconds at a position of a row read as an array.
    func timestamp(at index: Int) -> Timestamp? {
        self[index]?.int.map(Timestamp.init(milliseconds:))
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Value {
    /// The time, or NULL.
    static func timestamp(_ timestamp: Timestamp?) -> Value { .integer(timestamp?.milliseconds) }
}

extension Row {
    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }

    func optionalTimestamp(_ column: Int) -> Timestamp? {
        optionalInteger(column).map(Timestamp.init(milliseconds:))
    }
}

extension Timestamp {
    /// The time between two timestamps as display text: `12 s`, `4 min`, `3 h`.
    func durationText(to other: Timestamp) -> String {
        let seconds = abs(other.milliseconds - milliseconds) / 1_000
        return switch seconds {
        case 0..<120: "\(seconds) s"
        case 120..<7_200: "\(seconds / 60) min"
        case 7_200..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension Int {
    /// `1st`, `2nd`, `3rd`, `4th`, `11th` …
    var ordinal: String {
        switch (self % 10, self % 100) {
        case (_, 11...13): "\(self)th"
        case (1, _): "\(self)st"
        case (2, _): "\(self)nd"
        case (3, _): "\(self)rd"
        default: "\(self)th"
        }
    }
}
