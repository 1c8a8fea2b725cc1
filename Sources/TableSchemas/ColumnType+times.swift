import Web

/// Times in the forms that PostgreSQL reads and writes.
extension ColumnType {
    func time(_ text: String, now: Int64?) throws(ValueError) -> JSON {
        let microseconds = try TimeText.microseconds(text, self, now: now)
        return .string(Self.format(microseconds: microseconds, as: scalar))
    }

    /// A time since 1970 as PostgreSQL writes it: without a fraction if it is zero.
    package static func format(microseconds: Int64, as scalar: Scalar) -> String {
        if microseconds == .max || microseconds == .min {
            return microseconds == .max ? "infinity" : "-infinity"
        }
        let day = TimeText.day
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
        let suffix = year > 0 ? "" : " BC"
        let date = "\(pad(year > 0 ? year : 1 - year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))"
        guard scalar != .date else { return date + suffix }
        let seconds = rest / 1_000_000
        var text =
            "\(date)T\(pad(seconds / 3_600, 2)):\(pad(seconds / 60 % 60, 2))"
            + ":\(pad(seconds % 60, 2))"
        var fraction = pad(rest % 1_000_000, 6)
        while fraction.last == "0" { fraction.removeLast() }
        if !fraction.isEmpty { text += "." + fraction }
        return text + (scalar == .timestamptz ? "+00:00" : "") + suffix
    }

    /// Whether texts of times are in the order of the times: those of the years 1 to 9999.
    private static func isPlain(_ time: String) -> Bool {
        let bytes = time.utf8
        guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")) else { return false }
        return bytes.distance(from: bytes.startIndex, to: dash) == 4
            && bytes.last != UInt8(ascii: "C")
    }

    func compareTimes(_ left: String, _ right: String) -> Int {
        guard !Self.isPlain(left) || !Self.isPlain(right) else {
            return left == right ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        }
        let a = (try? TimeText.microseconds(left, self, now: nil)) ?? 0
        let b = (try? TimeText.microseconds(right, self, now: nil)) ?? 0
        return a < b ? -1 : a > b ? 1 : 0
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
