/// The fields of a time in PostgreSQL's input forms: ISO 8601, months by number or name, `today`.
///
/// Fields may be in any order, as in PostgreSQL's DecodeDateTime. Dates of three numbers without a
/// year in front are month, day, year. Names of time zones beyond UTC and North America's are
/// unknown.
struct TimeText {
    private var year: Int64?
    private var month: Int64?
    private var day: Int64?
    private var time: (hour: Int64, minute: Int64, second: Int64)?
    private var fraction: Int64 = 0
    private var isAfternoon: Bool?
    private var isBC = false
    /// Seconds east of UTC.
    private var offset: Int64?
    private var numbers: [Substring] = []
    private var isAfterT = false
    private let text: String
    private let type: ColumnType
    private let today: Int64

    static let day: Int64 = 86_400_000_000

    /// Microseconds since 1970. `now` is the time that `now` and `today` mean.
    static func microseconds(_ text: String, _ type: ColumnType, now: Int64?) throws(ValueError)
        -> Int64
    {
        let word = text.lowercased().filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
        switch word {
        case "infinity": return .max
        case "-infinity": return .min
        case "epoch": return 0
        case "now" where now != nil: return now ?? 0
        default: break
        }
        var parser = Self(text, type, now: now)
        for token in Self.tokens(text.lowercased()) { try parser.add(token) }
        return try parser.result()
    }

    private init(_ text: String, _ type: ColumnType, now: Int64?) {
        (self.text, self.type) = (text, type)
        today = now.map { $0 - ($0 % Self.day + Self.day) % Self.day } ?? .min
    }

    // MARK: Tokens

    private enum Token {
        case word(Substring), date(Substring), time(Substring), number(Substring)
        case zone(Substring)
    }

    private static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        func take(_ isIncluded: (Character) -> Bool) -> Substring {
            let found = rest.prefix(while: isIncluded)
            rest = rest.dropFirst(found.count)
            return found
        }
        while let first = rest.first {
            let start = rest
            func taken() -> Substring { start[..<rest.startIndex] }
            if first.isDigit {
                _ = take(\.isDigit)
                let delimiter = rest.first
                if delimiter == ":" {
                    _ = take { $0.isDigit || $0 == ":" || $0 == "." }
                    tokens.append(.time(taken()))
                } else if let delimiter, "-/".contains(delimiter) {
                    let isNumeric = rest.dropFirst().first?.isDigit ?? false
                    _ = take {
                        (isNumeric ? $0.isDigit : $0.isASCII && $0.isWord) || $0 == delimiter
                    }
                    tokens.append(.date(taken()))
                } else {
                    _ = take { $0.isDigit || $0 == "." }
                    tokens.append(.number(taken()))
                }
            } else if first.isLetter {
                _ = take { $0.isLetter || $0 == "/" || $0 == "_" }
                tokens.append(.word(taken()))
            } else if first == "+" || first == "-" {
                rest.removeFirst()
                _ = take { $0.isDigit || $0 == ":" }
                tokens.append(.zone(taken()))
            } else {
                rest.removeFirst()
            }
        }
        return tokens
    }

    private mutating func add(_ token: Token) throws(ValueError) {
        switch token {
        case .date(let text): try addDate(text)
        case .time(let text):
            try addTime(text.split(separator: ":", omittingEmptySubsequences: false))
        case .number(let text): try addNumber(text)
        case .zone(let text): try addZone(text)
        case .word(let word): try addWord(word)
        }
    }

    private var syntax: ValueError { .syntax(type, text) }

    private func number(_ text: Substring) throws(ValueError) -> Int64 {
        guard let number = Int64(text) else { throw syntax }
        return number
    }

    private mutating func addDate(_ text: Substring) throws(ValueError) {
        let parts = text.split(omittingEmptySubsequences: false) { "-/".contains($0) }
        guard parts.count == 3, year == nil, numbers.isEmpty else { throw syntax }
        numbers = parts
        if let index = parts.firstIndex(where: { Self.month(of: $0) != nil }) {
            month = Self.month(of: numbers.remove(at: index))
        }
        try resolveNumbers()
    }

    private mutating func addNumber(_ text: Substring) throws(ValueError) {
        let digits = text.prefix { $0 != "." }
        let hasDate = year != nil
        if isAfterT || hasDate {
            guard time == nil, digits.count == 6 || digits.count == 4 && isAfterT else {
                throw syntax
            }
            let rest = digits.dropFirst(2)
            try addTime(
                [digits.prefix(2), rest.prefix(2)]
                    + (digits.count == 6 ? [rest.dropFirst(2) + text.dropFirst(6)] : []))
        } else if digits.count == text.count, [6, 8].contains(digits.count), numbers.isEmpty {
            let years = digits.dropLast(4)
            numbers = [years, digits.suffix(4).prefix(2), digits.suffix(2)]
            year = try Self.fullYear(number(years), digitCount: years.count)
            (month, day) = (try number(numbers[1]), try number(numbers[2]))
            numbers = []
        } else {
            guard text.count <= 6 else { throw overflow(hasHint: true) }
            numbers.append(text)
            if numbers.count == (month == nil ? 3 : 2) { try resolveNumbers() }
        }
    }

    /// The day and the year beside a named month, or all three.
    private mutating func resolveNumbers() throws(ValueError) {
        guard let first = numbers.first, let last = numbers.last else { return }
        let isYearFirst = first.count > 2
        let years = isYearFirst ? first : last
        if month != nil {
            guard numbers.count == 2 else { return }
            day = try number(isYearFirst ? last : first)
        } else {
            guard numbers.count == 3 else { return }
            month = try number(numbers[isYearFirst ? 1 : 0])
            day = try number(numbers[isYearFirst ? 2 : 1])
        }
        year = try Self.fullYear(number(years), digitCount: years.count)
        numbers = []
    }

    private static func fullYear(_ year: Int64, digitCount: Int) -> Int64 {
        digitCount > 2 ? year : year + (year < 70 ? 2_000 : 1_900)
    }

    private mutating func addTime(_ parts: [Substring]) throws(ValueError) {
        guard time == nil, (2...3).contains(parts.count) else { throw syntax }
        var second: Int64 = 0
        if parts.count == 3 {
            let halves = parts[2].split(separator: ".", maxSplits: 1)
            guard let whole = halves.first else { throw syntax }
            second = try number(whole)
            if halves.count == 2 {
                guard halves[1].allSatisfy(\.isDigit), let value = Double("0." + halves[1]) else {
                    throw syntax
                }
                fraction = Int64((value * 1e6).rounded(.toNearestOrEven))
            }
        }
        time = (try number(parts[0]), try number(parts[1]), second)
    }

    private mutating func addZone(_ text: Substring) throws(ValueError) {
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard time != nil, offset == nil, parts.count <= 3, let first = parts.first else {
            throw syntax
        }
        var hours = try number(first)
        var minutes = parts.count > 1 ? try number(parts[1]) : 0
        if parts.count == 1, first.count > 2 { (hours, minutes) = (hours / 100, hours % 100) }
        let seconds = parts.count > 2 ? try number(parts[2]) : 0
        guard hours <= 15, minutes < 60, seconds < 60 else {
            throw ValueError(
                "22009", "time zone displacement out of range: \"\(self.text.prefix(60))\"")
        }
        offset = (hours * 3_600 + minutes * 60 + seconds) * (text.first == "-" ? -1 : 1)
    }

    private mutating func addWord(_ word: Substring) throws(ValueError) {
        if let found = Self.month(of: word) {
            guard month == nil else { throw syntax }
            month = found
            if numbers.count == 2 { try resolveNumbers() }
        } else if let hours = Self.zones[String(word)] {
            offset = hours * 3_600
        } else if let days = Self.relativeDays[String(word)] {
            guard today != .min, year == nil else { throw syntax }
            let date = ColumnType.format(
                microseconds: today + days * Self.day, as: .date
            ).split(separator: "-")
            year = try number(date[0])
            (month, day) = (try number(date[1]), try number(date[2]))
        } else if Self.weekdays.contains(String(word)) || ["at", "on"].contains(word) {
            return
        } else {
            switch word {
            case "t": isAfterT = true
            case "am", "pm": isAfternoon = word == "pm"
            case "bc": isBC = true
            case "ad": break
            case "allballs": time = (0, 0, 0)
            default:
                guard word.contains("/") else { throw syntax }
                throw ValueError("22023", "time zone \"\(word.prefix(60))\" not recognized")
            }
        }
    }

    private static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    private static func month(of word: Substring) -> Int64? {
        guard word.count >= 3 else { return nil }
        return monthNames.firstIndex {
            $0 == word || $0.prefix(3) == word || "sept" == word && $0 == "september"
        }
        .map { Int64($0 + 1) }
    }

    private static let weekdays: Set = [
        "mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri", "sat", "sun", "monday",
        "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private static let relativeDays: [String: Int64] = ["yesterday": -1, "today": 0, "tomorrow": 1]

    private static let zones: [String: Int64] = [
        "z": 0, "zulu": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
        "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
        "wet": 0, "west": 1, "bst": 1, "msk": 3, "jst": 9, "aest": 10, "aedt": 11,
    ]

    // MARK: The result

    private func overflow(hasHint: Bool = false) -> ValueError {
        ValueError(
            "22008", "date/time field value out of range: \"\(text.prefix(60))\"",
            hint: hasHint ? "Perhaps you need a different \"datestyle\" setting." : nil)
    }

    private func result() throws(ValueError) -> Int64 {
        guard let year, let month, let day, numbers.isEmpty, !isAfterT || time != nil else {
            throw syntax
        }
        guard (1...12).contains(month), (1...31).contains(day) else {
            throw overflow(hasHint: true)
        }
        guard year > 0 else { throw overflow() }
        let isOut = ValueError(
            "22008",
            "\(type.scalar == .date ? "date" : "timestamp") out of range: \"\(text.prefix(60))\"")
        guard year <= 294_276 else { throw isOut }
        let fullYear = isBC ? 1 - year : year
        guard day <= Self.length(of: month, fullYear) else { throw overflow() }
        var time = time ?? (0, 0, 0)
        if let isAfternoon {
            guard time.hour <= 12 else { throw overflow() }
            time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
        }
        let isMidnight = time.hour == 24 && time.minute == 0 && time.second == 0 && fraction == 0
        guard time.hour <= 23 || isMidnight, time.minute <= 59, time.second <= 60 else {
            throw overflow()
        }
        let seconds = time.hour * 3_600 + time.minute * 60 + time.second
        let days = Self.days(fullYear, month, day)
        guard days >= -2_440_588 else { throw isOut }
        guard type.scalar != .date else { return days * Self.day }
        let east = type.scalar == .timestamptz ? offset ?? 0 : 0
        return days * Self.day + (seconds - east) * 1_000_000 + fraction
    }

    private static func length(of month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    /// Since 1970, by Howard Hinnant's conversion with eras of 400 years.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = year - (month <= 2 ? 1 : 0)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isNumber }
    fileprivate var isWord: Bool { isLetter || isNumber }
}
