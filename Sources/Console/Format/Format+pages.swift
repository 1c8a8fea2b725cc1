import Core
import Web

/// Formats of single pages: duration bars, numbers in words, shortened identifiers, clocks.
extension Format {
    /// The length in px of an exchange's duration bar, from 0 to `most`: logarithmic, 0.1 ms to 10
    /// s.
    static func barLength(_ milliseconds: Double, most: Int) -> String {
        let share = min(max(decades(min(max(milliseconds, 0.1), 1e6) * 10) / 5, 0.04), 1)
        return String(Int(clamping: (share * Double(most)).rounded()))
    }

    /// The common logarithm of a number above 1, by squaring: 10 bits are sufficient for a bar of
    /// 80 px.
    private static func decades(_ value: Double) -> Double {
        var remaining = value
        var result = 0.0
        var digit = 1.0
        for _ in 0...10 {
            while remaining >= 10 {
                remaining /= 10
                result += digit
            }
            remaining *= remaining
            digit /= 2
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
    static func spelled(_ number: Int, _ noun: String) -> String {
        let word = numberWords.indices.contains(number) ? numberWords[number] : count(number)
        return "\(word.capitalizedFirst) \(noun)\(number == 1 ? "" : "s")"
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
        truncatedMiddle(id.firstIndex(of: "_").map { String(id[id.index(after: $0)...]) } ?? id, 9)
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

/// Parses headers typed one per line, as `Name: value`.
struct HeaderLines {
    private(set) var fields: [Headers.Field] = []
    /// The start of the first line that is not a header.
    private(set) var invalidLine: String?

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                invalidLine = invalidLine ?? String(line.prefix(40))
                continue
            }
            fields.append(
                Headers.Field(
                    name: String(line[..<colon]),
                    value: String(line[line.index(after: colon)...].drop { $0 == " " })))
        }
    }
}

extension JSON {
    /// A string or number as it is, any other value as JSON.
    var displayText: String { scalarText ?? description }
}
