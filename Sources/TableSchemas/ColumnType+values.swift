package import Web

/// The values of a type as they are stored: JSON in one canonical form, so that equal values are
/// equal texts. Times are UTC.
extension ColumnType {
    /// The value of a body's JSON. `now` is the time that `now` and `today` mean, in microseconds
    /// since 1970; without it they are no times.
    package func value(of json: JSON, now: Int64? = nil) throws(ValueError) -> JSON {
        if case .null = json { return .null }
        guard !isArray else {
            if case .string(let text) = json { return try arrayValue(parsing: text, now) }
            guard case .array(let elements) = json else { throw .noArray }
            var values: [JSON] = []
            for element in elements { values.append(try elementType.value(of: element, now: now)) }
            return .array(values)
        }
        switch scalar {
        case .json: return json
        case .jsonb:
            guard !json.containsNUL else { throw Self.escapedNull }
            return json.sortedByName
        default:
            if case .string(let text) = json, text.utf8.contains(0) { throw Self.escapedNull }
            return try value(parsing: json.scalarText ?? json.description, now: now)
        }
    }

    private static let escapedNull = ValueError(
        "22P05", "unsupported Unicode escape sequence",
        details: "\\u0000 cannot be converted to text.")

    /// The type of an array's elements.
    private var elementType: ColumnType { ColumnType(scalar, maxLength: maxLength) }

    /// The value of a text: an operand of a filter, or a field of CSV.
    package func value(parsing text: String, now: Int64? = nil) throws(ValueError) -> JSON {
        guard !text.utf8.contains(0) else {
            throw ValueError("22021", "invalid byte sequence for encoding \"UTF8\": 0x00")
        }
        guard !isArray else { return try arrayValue(parsing: text, now) }
        switch scalar {
        case .text: return .string(text)
        case .varchar: return .string(try boundedText(text))
        case .uuid:
            guard let id = Self.uuid(parsing: text) else { throw .syntax(self, text) }
            return .string(id)
        case .smallint: return try integer(text, Int64(Int16.min)...Int64(Int16.max))
        case .integer: return try integer(text, Int64(Int32.min)...Int64(Int32.max))
        case .bigint: return try integer(text, .min ... .max)
        case .numeric, .real, .double: return try number(text)
        case .boolean:
            guard let flag = Self.boolean(text.trimmingSpaces.lowercased()) else {
                throw .syntax(self, text)
            }
            return .bool(flag)
        case .timestamptz, .timestamp, .date: return try time(text, now: now)
        case .json, .jsonb:
            if let error = JSONSyntax.error(in: text) { throw error }
            guard let json = try? JSON(parsing: text) else {
                throw ValueError("22P02", "invalid input syntax for type json")
            }
            return try value(of: json)
        }
    }

    /// Spaces beyond the length are cut off.
    private func boundedText(_ text: String) throws(ValueError) -> String {
        guard let maxLength, text.unicodeScalars.count > maxLength else { return text }
        let (kept, rest) = (
            text.unicodeScalars.prefix(maxLength), text.unicodeScalars.dropFirst(maxLength)
        )
        guard rest.allSatisfy({ $0 == " " }) else {
            throw ValueError("22001", "value too long for type character varying(\(maxLength))")
        }
        return String(String.UnicodeScalarView(kept))
    }

    /// Words may be abbreviated as long as they are unambiguous.
    private static func boolean(_ word: String) -> Bool? {
        switch word {
        case "1", "on": true
        case "0", "of", "off": false
        case "": nil
        default:
            ["true", "yes"].contains { $0.hasPrefix(word) }
                ? true : ["false", "no"].contains { $0.hasPrefix(word) } ? false : nil
        }
    }

    private func integer(_ text: String, _ range: ClosedRange<Int64>) throws(ValueError) -> JSON {
        let trimmed = text.trimmingSpaces
        guard let number = Int64(trimmed) else {
            let digits = trimmed.drop { "+-".contains($0) }
            guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit),
                trimmed.count - digits.count <= 1
            else { throw .syntax(self, text) }
            throw outOfRange(text)
        }
        guard range.contains(number) else { throw outOfRange(text) }
        return .int(number)
    }

    private func outOfRange(_ text: String) -> ValueError {
        ValueError("22003", "value \"\(text.prefix(60))\" is out of range for type \(name)")
    }

    /// JSON has no NaN and no infinity; they are texts, as in `to_json`.
    private func number(_ text: String) throws(ValueError) -> JSON {
        let word = text.trimmingSpaces.lowercased()
        switch word {
        case "nan": return "NaN"
        case "inf", "+inf", "infinity", "+infinity": return "Infinity"
        case "-inf", "-infinity": return "-Infinity"
        default: break
        }
        if let number = Int64(word) { return .int(number) }
        let isHex = word.contains("x")
        guard let first = word.first, "+-.0123456789".contains(first),
            let number = Double(word), scalar != .numeric || !isHex
        else { throw .syntax(self, text) }
        let rounded = scalar == .real ? Double("\(Float(number))") ?? number : number
        let isZero = !isHex && !word.prefix { $0 != "e" }.contains { "123456789".contains($0) }
        guard rounded.isFinite, scalar == .numeric || rounded != 0 || isZero else {
            throw scalar == .numeric
                ? ValueError("22003", "value overflows numeric format")
                : ValueError("22003", "\"\(text.prefix(60))\" is out of range for type \(name)")
        }
        return Int64(exactly: rounded).map(JSON.int) ?? .double(rounded)
    }

    /// 16 bytes in hexadecimal digits, with a hyphen after every second one if at all, in braces or
    /// without.
    private static func uuid(parsing text: String) -> String? {
        var rest = text.lowercased().utf8[...]
        let isBraced = rest.first == UInt8(ascii: "{")
        if isBraced { rest = rest.dropFirst() }
        var result = ""
        for index in 0..<16 {
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ $0.hexDigitValue != nil }) else {
                return nil
            }
            result += String(Substring(digits))
            if [3, 5, 7, 9].contains(index) { result.append("-") }
            rest = rest.dropFirst(2)
            if index % 2 == 1, index < 15, rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
        }
        if isBraced {
            guard rest.first == UInt8(ascii: "}") else { return nil }
            rest = rest.dropFirst()
        }
        return rest.isEmpty ? result : nil
    }

    // MARK: Arrays

    /// Parses `{a,"b c",NULL}`.
    private func arrayValue(parsing text: String, _ now: Int64?) throws(ValueError) -> JSON {
        func malformed(_ details: String) -> ValueError {
            ValueError(
                "22P02", "malformed array literal: \"\(text.prefix(60))\"", details: details)
        }
        var rest = text.trimmingSpaces[...]
        guard rest.popFirst() == "{" else {
            throw malformed("Array value must start with \"{\" or dimension information.")
        }
        var values: [JSON] = []
        var (item, isQuoted, isClosed) = ("", false, false)
        while !isClosed {
            guard let character = rest.popFirst() else {
                throw malformed("Unexpected end of input.")
            }
            switch character {
            case "\"":
                guard !isQuoted, item.trimmingSpaces.isEmpty else {
                    throw malformed("Unexpected array element.")
                }
                (item, isQuoted) = ("", true)
                while let next = rest.popFirst(), next != "\"" {
                    item.append(next == "\\" ? rest.popFirst() ?? next : next)
                    guard !rest.isEmpty else { throw malformed("Unexpected end of input.") }
                }
            case "{": throw malformed("Unexpected \"{\" character.")
            case ",", "}":
                isClosed = character == "}"
                let text = isQuoted ? item : item.trimmingSpaces
                if isClosed, values.isEmpty, !isQuoted, text.isEmpty { break }
                guard isQuoted || !text.isEmpty else {
                    throw malformed("Unexpected \"\(character)\" character.")
                }
                let isNull = !isQuoted && text.lowercased() == "null"
                values.append(isNull ? .null : try elementType.value(parsing: text, now: now))
                (item, isQuoted) = ("", false)
            case _ where isQuoted:
                guard character.isWhitespace else { throw malformed("Unexpected array element.") }
            case "\\": item.append(rest.popFirst() ?? character)
            default: item.append(character)
            }
        }
        guard rest.isEmpty else { throw malformed("Junk after closing right brace.") }
        return .array(values)
    }

    // MARK: Comparison

    /// Negative, zero or positive, as `left` is less than, equal to or greater than `right`.
    package func compare(_ left: JSON, _ right: JSON) -> Int {
        if isArray {
            let (first, second) = (left.elements, right.elements)
            for (a, b) in zip(first, second) {
                let order = elementType.compare(a, b)
                if order != 0 { return order }
            }
            return first.count - second.count
        }
        switch (left, right) {
        case (.int(let a), .int(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.bool(let a), .bool(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
        default: break
        }
        if isTime { return compareTimes(left.string ?? "", right.string ?? "") }
        if isNumber || isJSON && left.number != nil && right.number != nil {
            let (a, b) = (Self.number(left), Self.number(right))
            // NaN is equal to itself, and greater than any number.
            if a.isNaN || b.isNaN { return (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0) }
            return a < b ? -1 : a > b ? 1 : 0
        }
        let (a, b) = (text(of: left), text(of: right))
        guard a.utf8.elementsEqual(b.utf8) == false else { return 0 }
        return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }

    private static func number(_ value: JSON) -> Double {
        value.number ?? (value.string.flatMap(Double.init) ?? .nan)
    }

    /// A value cast to text. Null has none.
    package func text(of value: JSON) -> String {
        guard isArray else {
            return isJSON ? value.description : value.scalarText ?? value.description
        }
        let items = value.elements.map { item -> String in
            guard item != .null else { return "NULL" }
            let text = elementType.text(of: item)
            guard text.isEmpty || text.contains(where: { "{},\"\\ ".contains($0) }) else {
                return text
            }
            let escaped = text.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }
            return "\"\(escaped.joined())\""
        }
        return "{\(items.joined(separator: ","))}"
    }

    /// The value cast to another type; `null` stays.
    package func cast(_ value: JSON, to type: ColumnType) throws(ValueError) -> JSON {
        if case .null = value { return .null }
        if self == type { return value }
        if case .bool(let flag) = value, type.isInteger { return .int(flag ? 1 : 0) }
        if isInteger == false, type.isInteger, let number = value.number {
            return try type.value(parsing: String(Int64(clamping: number.rounded())))
        }
        if type.isJSON, isJSON || isArray || isNumber || scalar == .boolean { return value }
        return try type.value(parsing: text(of: value))
    }
}

extension Int64 {
    fileprivate init(clamping number: Double) {
        self = number >= 9.2e18 ? .max : number <= -9.2e18 ? .min : Int64(number)
    }
}

extension StringProtocol {
    package var trimmingSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}

extension JSON {
    /// Whether a name or a string in it contains U+0000, which PostgreSQL's text cannot.
    var containsNUL: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.containsNUL)
        case .object(let members):
            members.contains { $0.name.utf8.contains(0) || $0.value.containsNUL }
        default: false
        }
    }

    /// With the order of members that `jsonb` has: shorter names first.
    var sortedByName: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sortedByName))
        case .object(let members):
            .object(
                members.map { .init($0.name, $0.value.sortedByName) }.sorted {
                    let (a, b) = ($0.name.utf8, $1.name.utf8)
                    return a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
                })
        default: self
        }
    }
}
