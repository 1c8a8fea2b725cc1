package import Web

/// The values of a type as they are stored: JSON in one canonical form, so that equal values are
/// equal texts. Times are UTC.
extension ColumnType {
    /// The value of a body's JSON.
    package func value(of json: JSON) throws(ValueError) -> JSON {
        if case .null = json { return .null }
        guard !isArray else {
            guard case .array(let elements) = json else {
                return try arrayValue(parsing: json.scalarText ?? json.description)
            }
            var values: [JSON] = []
            for element in elements { values.append(try elementType.value(of: element)) }
            return .array(values)
        }
        switch scalar {
        case .json: return json
        case .jsonb: return json.sortedByName
        default: return try value(parsing: json.scalarText ?? json.description)
        }
    }

    /// The type of an array's elements.
    private var elementType: ColumnType { ColumnType(scalar, maxLength: maxLength) }

    /// The value of a text: an operand of a filter, or a field of CSV.
    package func value(parsing text: String) throws(ValueError) -> JSON {
        guard !isArray else { return try arrayValue(parsing: text) }
        switch scalar {
        case .text: return .string(text)
        case .varchar:
            guard text.unicodeScalars.count <= maxLength ?? .max else {
                throw ValueError(
                    "22001", "value too long for type character varying(\(maxLength ?? 0))")
            }
            return .string(text)
        case .uuid:
            guard let id = Self.uuid(parsing: text) else { throw .syntax(self, text) }
            return .string(id)
        case .smallint: return try integer(text, Int64(Int16.min)...Int64(Int16.max))
        case .integer: return try integer(text, Int64(Int32.min)...Int64(Int32.max))
        case .bigint: return try integer(text, .min ... .max)
        case .numeric, .real, .double:
            let text = text.trimmingSpaces
            if let number = Int64(text) { return .int(number) }
            guard let number = Double(text), number.isFinite, !text.lowercased().contains("x")
            else { throw .syntax(self, text) }
            let rounded = scalar == .real ? Double(Float(number)) : number
            return Int64(exactly: rounded).map(JSON.int) ?? .double(rounded)
        case .boolean:
            switch text.trimmingSpaces.lowercased() {
            case "true", "t", "yes", "y", "on", "1": return true
            case "false", "f", "no", "n", "off", "0": return false
            default: throw .syntax(self, text)
            }
        case .timestamptz, .timestamp, .date: return try time(text)
        case .json, .jsonb:
            guard let json = try? JSON(parsing: text) else {
                throw ValueError(
                    "22P02", "invalid input syntax for type json",
                    details: "Token \"\(text.prefix(60))\" is invalid.")
            }
            return scalar == .jsonb ? json.sortedByName : json
        }
    }

    private func integer(_ text: String, _ range: ClosedRange<Int64>) throws(ValueError) -> JSON {
        let text = text.trimmingSpaces
        guard let number = Int64(text) else {
            let digits = text.drop { "+-".contains($0) }
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .syntax(self, text)
            }
            throw outOfRange(text)
        }
        guard range.contains(number) else { throw outOfRange(text) }
        return .int(number)
    }

    private func outOfRange(_ text: String) -> ValueError {
        ValueError("22003", "value \"\(text.prefix(60))\" is out of range for type \(name)")
    }

    private static func uuid(parsing text: String) -> String? {
        var digits = text.lowercased().filter { $0 != "-" }
        if digits.hasPrefix("{"), digits.hasSuffix("}") {
            digits = String(digits.dropFirst().dropLast())
        }
        guard digits.utf8.count == 32, digits.utf8.allSatisfy({ Self.hexDigits.contains($0) })
        else { return nil }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { result.append("-") }
            result.append(digit)
        }
        return result
    }

    private static let hexDigits = Set("0123456789abcdef".utf8)

    // MARK: Arrays

    /// Parses `{a,"b c",NULL}`.
    private func arrayValue(parsing text: String) throws(ValueError) -> JSON {
        let malformed = ValueError("22P02", "malformed array literal: \"\(text.prefix(60))\"")
        let trimmed = text.trimmingSpaces
        guard trimmed.hasPrefix("{"), trimmed.hasSuffix("}"), trimmed.count >= 2 else {
            throw malformed
        }
        let inner = trimmed.dropFirst().dropLast()
        guard !inner.trimmingSpaces.isEmpty else { return [] }
        var items: [(text: String, isQuoted: Bool)] = [("", false)]
        var (isQuoted, isEscaped) = (false, false)
        for character in inner {
            if isEscaped {
                items[items.count - 1].text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                items[items.count - 1].isQuoted = true
            } else if character == ",", !isQuoted {
                items.append(("", false))
            } else if "{}".contains(character), !isQuoted {
                throw malformed
            } else {
                items[items.count - 1].text.append(character)
            }
        }
        guard !isQuoted, !isEscaped else { throw malformed }
        var values: [JSON] = []
        for item in items {
            let text = item.isQuoted ? item.text : item.text.trimmingSpaces
            guard item.isQuoted || !text.isEmpty else { throw malformed }
            let isNull = !item.isQuoted && text.lowercased() == "null"
            values.append(isNull ? .null : try elementType.value(parsing: text))
        }
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
        if !isJSON, let a = left.number, let b = right.number { return a < b ? -1 : a > b ? 1 : 0 }
        let (a, b) = (text(of: left), text(of: right))
        guard a.utf8.elementsEqual(b.utf8) == false else { return 0 }
        return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
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
    var trimmingSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}

extension JSON {
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
