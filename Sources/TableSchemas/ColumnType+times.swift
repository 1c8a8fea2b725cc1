import Web

/// Times in the forms that PostgreSQL reads and writes.
extension ColumnType {
    func time(_ text: String) throws(ValueError) -> JSON {
        guard let parts = TimeParts(text.trimmingSpaces) else { throw .syntax(self, text) }
        guard parts.isInRange, let microseconds = parts.microseconds(inUTC: scalar == .timestamptz)
        else {
            throw ValueError(
                "22008", "date/time field value out of range: \"\(text.prefix(60))\"")
        }
        return .string(Self.format(microseconds: microseconds, as: scalar))
    }

    /// A time since 1970 as PostgreSQL writes it: without a fraction if it is zero.
    package static func format(microseconds: Int64, as scalar: Scalar) -> String {
        let day: Int64 = 86_400_000_000
        let days = (microseconds >= 0 ? microseconds : microseconds - day + 1) / day
        let rest = microseconds - days * day
        // Howard Hinnant's conversion of days to a date of the Gregorian calendar, by eras of 400
        // years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))"
        guard scalar != .date else { return date }
        let seconds = rest / 1_000_000
        var text =
            "\(date)T\(pad(seconds / 3_600, 2)):\(pad(seconds / 60 % 60, 2))"
            + ":\(pad(seconds % 60, 2))"
        var fraction = pad(rest % 1_000_000, 6)
        while fraction.last == "0" { fraction.removeLast() }
        if !fraction.isEmpty { text += "." + fraction }
        return text + (scalar == .timestamptz ? "+00:00" : "")
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// The fields of `2026-01-02[T03:04[:05.678]][+01:00]`.
private struct TimeParts {
    private var fields: [Int64] = [0, 0, 0, 0, 0, 0]
    private var fraction: Int64 = 0
    /// Seconds east of UTC.
    private var offset: Int64 = 0

    init?(_ text: String) {
        var rest = Substring(text)
        func number(_ digits: ClosedRange<Int>) -> Int64? {
            let found = rest.prefix { $0.isASCII && $0.isNumber }
            guard digits.contains(found.count) else { return nil }
            rest = rest.dropFirst(found.count)
            return Int64(found)
        }
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4...6), take("-"), let month = number(1...2), take("-"),
            let day = number(1...2)
        else { return nil }
        (fields[0], fields[1], fields[2]) = (year, month, day)
        guard !rest.isEmpty else { return }
        guard take("Tt ") else { return nil }
        guard let hour = number(1...2), take(":"), let minute = number(2...2) else { return nil }
        (fields[3], fields[4]) = (hour, minute)
        if take(":") {
            guard let second = number(2...2) else { return nil }
            fields[5] = second
            if take(".") {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard !digits.isEmpty else { return nil }
                rest = rest.dropFirst(digits.count)
                let six = String(digits.prefix(6))
                fraction =
                    Int64(six + String(repeating: "0", count: 6 - six.count)) ?? 0
                // The seventh digit rounds.
                if fraction < 999_999, digits.dropFirst(6).first?.wholeNumberValue ?? 0 >= 5 {
                    fraction += 1
                }
            }
        }
        _ = take(" ")
        guard !rest.isEmpty else { return }
        if take("Zz") {
            guard rest.isEmpty else { return nil }
            return
        }
        let isWest = rest.first == "-"
        guard take("+-"), let hours = number(1...4) else { return nil }
        var minutes: Int64 = 0
        if take(":") {
            guard let found = number(2...2) else { return nil }
            minutes = found
        }
        let seconds = hours > 99 ? hours / 100 * 3_600 + hours % 100 * 60 : hours * 3_600
        offset = (seconds + minutes * 60) * (isWest ? -1 : 1)
        guard rest.isEmpty else { return nil }
    }

    var isInRange: Bool {
        let (year, month, day) = (fields[0], fields[1], fields[2])
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[Int(month) - 1] && fields[3] <= 24 && fields[4] <= 59
            && fields[5] <= 60 && abs(offset) <= 57_600
    }

    /// Since 1970; nil before the year 1 and after 9999.
    func microseconds(inUTC: Bool) -> Int64? {
        let year = fields[0] - (fields[1] <= 2 ? 1 : 0)
        let era = year / 400
        let yearOfEra = year - era * 400
        let month = fields[1] + (fields[1] > 2 ? -3 : 9)
        let dayOfYear = (153 * month + 2) / 5 + fields[2] - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds =
            days * 86_400 + fields[3] * 3_600 + fields[4] * 60 + fields[5] - (inUTC ? offset : 0)
        guard secondsRange.contains(seconds) else { return nil }
        return seconds * 1_000_000 + fraction
    }
}

/// Seconds since 1970 from the year 1 to the year 9999.
private let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
