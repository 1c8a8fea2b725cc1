import FoundationEssentials
import SQLite
import Web

/// A time as the database keeps it: whole milliseconds since 1970.
///
/// Cut, not rounded, so that a mail never looks older than the request that
/// asked for it and never newer than the answer. What lies beyond the years 1
/// to 9999 is moved to their ends, so that arithmetic cannot overflow.
struct Timestamp: Sendable, Hashable, Comparable {
    let milliseconds: Int64

    init(milliseconds: Int64) {
        let seconds = Date.rfc3339Range
        self.milliseconds = min(
            max(milliseconds, seconds.lowerBound * 1_000), seconds.upperBound * 1_000 + 999)
    }

    /// `seconds` since 1970, such as a claim's.
    init(seconds: Int64) {
        let bounds = Date.rfc3339Range
        self.init(milliseconds: min(max(seconds, bounds.lowerBound), bounds.upperBound) * 1_000)
    }

    init(_ date: Date) {
        self.init(
            milliseconds: Int64(Int(clamping: (date.timeIntervalSince1970 * 1_000).rounded(.down))))
    }

    /// Whole seconds, as tokens count (RFC 7519, NumericDate).
    var seconds: Int64 { Int64((Double(milliseconds) / 1_000).rounded(.down)) }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// RFC 3339 in UTC without a fraction, as phones' strict readers want it:
    /// `2026-11-21T14:35:15Z`.
    var iso8601Seconds: String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
    }

    var sqlValue: Value { .integer(milliseconds) }

    static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.milliseconds < other.milliseconds
    }

    static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + duration.milliseconds)
    }

    static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - duration.milliseconds)
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Row {
    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }

    func optionalTimestamp(_ column: Int) -> Timestamp? {
        optionalInteger(column).map(Timestamp.init(milliseconds:))
    }
}
