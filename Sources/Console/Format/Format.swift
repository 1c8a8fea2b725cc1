import Core
import FoundationEssentials
import Web

/// Formats numbers, times and sizes for all pages.
///
/// Times are rendered in UTC; a script converts them to the browser's zone.
enum Format {
    /// `14:35:27`, UTC, for a `<time>` element with the full date in an attribute.
    static func timeOfDay(_ date: Date) -> String {
        let seconds = Int(clamping: date.timeIntervalSince1970.rounded(.down))
        let day = ((seconds % 86_400) + 86_400) % 86_400
        return [day / 3_600, day / 60 % 60, day % 60].map(twoDigits).joined(separator: ":")
    }

    /// `2026-11-21`, UTC.
    static func date(_ date: Date) -> String { String(date.iso8601.prefix(10)) }

    /// `2026-11-21 14:35:27 UTC`, for sentences; complete, so that a script can convert it.
    static func dateTime(_ date: Date) -> String {
        self.date(date) + " " + timeOfDay(date) + " UTC"
    }

    /// `2026-11-21 14:34:50.131 UTC`.
    static func dateTimeMilliseconds(_ date: Date) -> String {
        self.date(date) + " " + timeOfDayMilliseconds(date) + " UTC"
    }

    /// `14:34:50.131`, UTC.
    static func timeOfDayMilliseconds(_ date: Date) -> String {
        let milliseconds = Int(clamping: (date.timeIntervalSince1970 * 1_000).rounded(.down))
        let remainder = ((milliseconds % 1_000) + 1_000) % 1_000
        let digits = String(remainder)
        return timeOfDay(date) + "." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// `37 s`, `2 min`, `5 h`, `3 d`: whole units, the largest that fits.
    static func duration(_ seconds: Double) -> String {
        let seconds = Int(clamping: max(0, seconds).rounded(.down))
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// `37 s ago`; for a future date like `age`.
    static func ago(_ date: Date, _ now: Date) -> String {
        age(date, now) + (isAhead(date, now) ? "" : " ago")
    }

    /// `37 s`; `in 49 min` for a future date, possible after a clock was set back.
    static func age(_ date: Date, _ now: Date) -> String {
        let age = now.timeIntervalSince(date)
        return isAhead(date, now) ? "in " + duration(-age) : duration(age)
    }

    /// Differences under 2 s do not count: two clocks of one machine may be a second apart.
    private static func isAhead(_ date: Date, _ now: Date) -> Bool {
        now.timeIntervalSince(date) <= -2
    }

    /// `2 h`, `90 min`, `100 s`: the largest unit without a remainder.
    static func exactDuration(_ seconds: Int) -> String {
        switch seconds {
        case let total where total > 0 && total.isMultiple(of: 86_400): "\(total / 86_400) d"
        case let total where total > 0 && total.isMultiple(of: 3_600): "\(total / 3_600) h"
        case let total where total > 0 && total.isMultiple(of: 60): "\(total / 60) min"
        default: "\(seconds) s"
        }
    }

    /// `4:23`, `52:08`, `6 d`, and `−0:12` for the past.
    static func countdown(_ seconds: Double) -> String {
        let past = seconds < 0
        let total = Int(clamping: seconds.magnitude.rounded(.down))
        let sign = past ? "−" : ""
        if total >= 86_400 { return sign + "\(total / 86_400) d" }
        if total >= 3_600 { return sign + "\(total / 3_600) h" }
        return sign + "\(total / 60):" + twoDigits(total % 60)
    }

    /// `0.1 ms`, `171.2 ms`, `1.2 s`.
    static func milliseconds(_ value: Double) -> String {
        value < 1_000 ? oneDecimal(value) + " ms" : oneDecimal(value / 1_000) + " s"
    }

    /// `3 s`, `0.5 s`.
    static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(clamping: seconds)) s" : "\(oneDecimal(seconds)) s"
    }

    /// `612 B`, `1.2 KB`, `3.4 MB`.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: oneDecimal(Double(bytes) / 1_000) + " KB"
        default: oneDecimal(Double(bytes) / 1_000_000) + " MB"
        }
    }

    /// `1,284`.
    static func count(_ number: Int) -> String {
        var digits = String(number)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = String(digits.dropLast(3))
        }
        return ([Substring(digits)] + groups).joined(separator: ",")
    }

    /// `1,234`; `1,234+` where counting stopped early.
    static func count(_ number: Int, isExact: Bool) -> String {
        count(number) + (isExact ? "" : "+")
    }

    /// `1 item`, `4 items`.
    static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        number == 1 ? "1 \(singular)" : "\(count(number)) \(plural ?? singular + "s")"
    }

    static func oneDecimal(_ value: Double) -> String {
        let tenths = Int(clamping: (value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    /// The length in px of an exchange's duration bar, from 0 to `most`: logarithmic, 0.1 ms to 10
    /// s.
    static func barLength(_ milliseconds: Double, most: Int) -> String {
        let decades = log10(min(max(milliseconds, 0.1), 1e6)) + 1
        let share = min(max(decades / 5, 0.04), 1)
        return String(Int(clamping: (share * Double(most)).rounded()))
    }

    /// The common logarithm by halving and squaring: 10 bits are sufficient for a bar of 80 px.
    private static func log10(_ value: Double) -> Double {
        var remaining = value
        var result = 0.0
        while remaining >= 10 {
            remaining /= 10
            result += 1
        }
        while remaining < 1 {
            remaining *= 10
            result -= 1
        }
        var bit = 0.5
        for _ in 0..<10 {
            remaining *= remaining
            if remaining >= 10 {
                remaining /= 10
                result += bit
            }
            bit /= 2
        }
        return result
    }
}

extension Format {
    private static let numberWords = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ]

    /// `Two apps`: a number in words up to twelve, capitalized.
    static func spelled(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        spelled(number).capitalizedFirst + " " + (number == 1 ? singular : plural ?? singular + "s")
    }

    /// `four`.
    static func spelled(_ number: Int) -> String {
        numberWords.indices.contains(number) ? numberWords[number] : count(number)
    }
}

extension Format {
    /// A text of at most `limit` characters, shortened in the middle.
    static func truncatedMiddle(_ text: String, _ limit: Int) -> String {
        guard text.count > limit, limit > 2 else { return text }
        let half = (limit - 1) / 2
        return "\(text.prefix(limit - 1 - half))…\(text.suffix(half))"
    }

    /// A name as part of a test id: only letters, digits, `_`, `.` and `-`.
    static func testID(_ name: String) -> String {
        String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.-".contains($0) ? $0 : "-" }
        )
    }

    /// An identifier shortened in the middle: `8c1e…40f2`.
    static func shortID(_ id: String) -> String {
        let body = id.firstIndex(of: "_").map { id[id.index(after: $0)...] } ?? id[...]
        return body.count <= 9 ? String(body) : "\(body.prefix(4))…\(body.suffix(4))"
    }
}

extension Format {
    /// A clock's offset from the system time: `System time`, `+15 min`, `−2 d 3 h`, `Frozen`,
    /// `Frozen, +1 h`.
    static func clockStatus(_ clock: Clock) -> String {
        let offset = clock.offset.rounded()
        let words = offset == 0 ? nil : signedDuration(offset)
        guard clock.frozenAt == nil else {
            return ["Frozen", words].compactMap(\.self).joined(separator: ", ")
        }
        return words ?? "System time"
    }

    /// `+15 min`, `+1 h 5 min`, `−2 d`: the two largest units.
    static func signedDuration(_ seconds: Double) -> String {
        let total = Int(clamping: seconds.magnitude.rounded())
        let units = [
            (total / 86_400, "d"), (total / 3_600 % 24, "h"), (total / 60 % 60, "min"),
            (total % 60, "s"),
        ]
        let words = units.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (seconds < 0 ? "−" : "+") + words.joined(separator: " ")
    }
}
