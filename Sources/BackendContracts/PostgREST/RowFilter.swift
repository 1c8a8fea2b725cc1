import TableSchemas
import Web

/// One filter on a column: `id=eq.…`, `role=not.in.(user,admin)`.
struct RowFilter: Sendable {
    let path: ColumnPath
    private let isNegated: Bool
    private let test: Test
    private let context: FilterContext

    private enum Test: Sendable {
        case comparison(Comparison, [JSON], Quantifier)
        case like([LikePattern], ignoresCase: Bool, Quantifier)
        case pattern([SearchPattern], Quantifier)
        case isNull, isNotNull, isUnknown
        case isBool(Bool)
        case oneOf([JSON])
        case isDistinct(JSON)
        case search(TextQuery)
        case contains(JSON)
        case containedIn(JSON)
        case overlaps(JSON)
    }

    private enum Comparison: String, Sendable {
        case eq, neq, gt, gte, lt, lte

        var sqlOperator: String {
            switch self {
            case .eq: "="
            case .neq: "<>"
            case .gt: ">"
            case .gte: ">="
            case .lt: "<"
            case .lte: "<="
            }
        }
    }

    /// Of several operands.
    private enum Quantifier: Sendable { case any, all }

    /// The operators that only ranges have, with SQL's spelling.
    private static let rangeOperators = [
        "sl": "<<", "sr": ">>", "nxr": "&<", "nxl": "&>", "adj": "-|-",
    ]

    private static let quantifiable: Set = [
        "eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch",
    ]

    /// Parses `[not.]operator[(modifier)].value`. In a logic tree the value ends before a comma or a
    /// bracket.
    init(
        _ path: ColumnPath, _ parser: inout QueryParser, isInTree: Bool, _ context: FilterContext
    ) throws(RestFailure) {
        self.path = path
        self.context = context
        isNegated = parser.take("not.")
        let expected =
            isNegated ? "operator (eq, gt, ...)" : "\"not\" or operator (eq, gt, ...)"
        let start = parser
        let name = parser.text(until: ".(,) ")
        let type = path.type
        var quantifier: Quantifier?
        if Self.quantifiable.contains(name) {
            if parser.take("(any)") { quantifier = .any }
            if parser.take("(all)") { quantifier = .all }
        }
        let isSearch = ["fts", "plfts", "phfts", "wfts"].contains(name)
        if isSearch, parser.rest.hasPrefix("(") { _ = try parser.bracketed("(", ")") }
        let isKnown =
            isSearch || Comparison(rawValue: name) != nil || Self.rangeOperators[name] != nil
            || ["like", "ilike", "match", "imatch", "is", "in", "isdistinct", "cs", "cd", "ov"]
                .contains(name)
        guard isKnown, parser.take(".") else { throw start.failure(expecting: expected) }

        func value() throws(RestFailure) -> String {
            guard isInTree else { return parser.takeRest() }
            if let quoted = try parser.quotedText() { return quoted }
            if parser.rest.hasPrefix("{") { return try parser.bracketed("{", "}") }
            return parser.text(until: ",)")
        }
        func operands() throws(RestFailure) -> [String] {
            guard quantifier != nil else { return [try value()] }
            let text = try value()
            guard text.hasPrefix("{"), text.hasSuffix("}") else {
                throw parser.failure(expecting: "\"{\"")
            }
            return QueryParser.list(text.dropFirst().dropLast())
        }
        func typed(_ text: String) throws(RestFailure) -> JSON {
            do throws(ValueError) {
                return try type.unbounded.value(parsing: text, now: context.now)
            } catch { throw RestFailure(error) }
        }
        func typed(_ texts: [String]) throws(RestFailure) -> [JSON] {
            var values: [JSON] = []
            for text in texts { values.append(try typed(text)) }
            return values
        }
        func requireText(_ sqlOperator: String) throws(RestFailure) {
            guard type.isText else { throw .noOperator(sqlOperator, on: type) }
        }
        /// Texts of JSON, unlike `jsonb`, cannot be compared.
        func requireComparable(_ sqlOperator: String) throws(RestFailure) {
            guard type.scalar != .json else { throw .noOperator(sqlOperator, on: type) }
        }
        func requireContainer(_ sqlOperator: String, orJSON: Bool) throws(RestFailure) {
            guard type.isArray || orJSON && type.isJSON else {
                throw .noOperator(sqlOperator, on: type)
            }
        }

        switch name {
        case "like", "ilike":
            let ignoresCase = name == "ilike"
            try requireText(ignoresCase ? "~~*" : "~~")
            var patterns: [LikePattern] = []
            for text in try operands() {
                let pattern = text.replacing("*", with: "%")
                patterns.append(try LikePattern(ignoresCase ? pattern.lowercased() : pattern))
            }
            test = .like(patterns, ignoresCase: ignoresCase, quantifier ?? .any)
        case "match", "imatch":
            let ignoresCase = name == "imatch"
            try requireText(ignoresCase ? "~*" : "~")
            var patterns: [SearchPattern] = []
            for text in try operands() {
                patterns.append(try SearchPattern(text, ignoresCase: ignoresCase))
            }
            test = .pattern(patterns, quantifier ?? .any)
        case "is":
            let text = try value().lowercased()
            switch text {
            case "null": test = .isNull
            case "not_null": test = .isNotNull
            case "true", "false", "unknown":
                guard type == ColumnType(.boolean) else {
                    throw .notBoolean(text.uppercased(), type)
                }
                test = text == "unknown" ? .isUnknown : .isBool(text == "true")
            default:
                throw .parseError(
                    text, "filter",
                    details: "unexpected input expecting isVal: (null, not_null, "
                        + "true, false, unknown)")
            }
        case "in":
            guard parser.rest.hasPrefix("(") else { throw parser.failure(expecting: "\"(\"") }
            let list: Substring
            if isInTree {
                list = try parser.bracketed("(", ")").dropFirst().dropLast()
            } else {
                let text = parser.takeRest()
                guard text.hasSuffix(")") else { throw parser.failure(expecting: "\")\"") }
                list = text.dropFirst().dropLast()
            }
            try requireComparable("=")
            let items = QueryParser.list(list)
            // PostgREST takes a single empty element for an empty list.
            test = .oneOf(items == [""] ? [] : try typed(items))
        case "isdistinct":
            try requireComparable("=")
            let text = try value()
            test = .isDistinct(text == "null" ? .null : try typed(text))
        case "fts", "plfts", "phfts", "wfts":
            guard type.isText || type.isJSON else { throw .noOperator("@@", on: type) }
            test = .search(try TextQuery(try value(), name))
        case "cs":
            try requireContainer("@>", orJSON: true)
            test = .contains(try typed(try value()))
        case "cd":
            try requireContainer("<@", orJSON: true)
            test = .containedIn(try typed(try value()))
        case "ov":
            try requireContainer("&&", orJSON: false)
            test = .overlaps(try typed(try value()))
        default:
            if let sqlOperator = Self.rangeOperators[name] {
                throw .noOperator(sqlOperator, on: type)
            }
            guard let comparison = Comparison(rawValue: name) else {
                throw start.failure(expecting: expected)
            }
            try requireComparable(comparison.sqlOperator)
            test = .comparison(comparison, try typed(try operands()), quantifier ?? .any)
        }
    }

    /// Nil for unknown.
    func matches(_ row: TableRow) throws(RestFailure) -> Bool? {
        try satisfiesTest(path.value(in: row)).map { $0 != isNegated }
    }

    private func satisfiesTest(_ value: JSON) throws(RestFailure) -> Bool? {
        let type = path.type
        switch test {
        case .isNull, .isUnknown: return value == .null
        case .isNotNull: return value != .null
        case .isBool(let expected): return value == .bool(expected)
        case .isDistinct(let other):
            guard value != .null, other != .null else { return value != other }
            return type.compare(value, other) != 0
        default: break
        }
        // SQL: a comparison with null is neither true nor false.
        guard value != .null else { return nil }
        switch test {
        case .isNull, .isNotNull, .isUnknown, .isBool, .isDistinct: return nil
        case .oneOf(let values): return values.contains { type.compare(value, $0) == 0 }
        case .contains(let other): return value.contains(other, isArray: type.isArray)
        case .containedIn(let other): return other.contains(value, isArray: type.isArray)
        case .overlaps(let other):
            return value.elements.contains { $0 != .null && other.elements.contains($0) }
        case .search(let query):
            let text = type.text(of: value)
            try context.consume(text.utf8.count)
            return query.matches(text)
        case .like(let patterns, let ignoresCase, let quantifier):
            let text = value.string ?? ""
            try context.consume(text.utf8.count)
            let folded = ignoresCase ? text.lowercased() : text
            return holds(patterns, quantifier) { $0.matches(folded) }
        case .pattern(let patterns, let quantifier):
            let text = value.string ?? ""
            for pattern in patterns { try context.consume(text.utf8.count * pattern.cost) }
            return holds(patterns, quantifier) { $0.matches(text) }
        case .comparison(let comparison, let operands, let quantifier):
            return holds(operands, quantifier) { operand in
                let order = type.compare(value, operand)
                return switch comparison {
                case .eq: order == 0
                case .neq: order != 0
                case .gt: order > 0
                case .gte: order >= 0
                case .lt: order < 0
                case .lte: order <= 0
                }
            }
        }
    }

    private func holds<Operand>(
        _ operands: [Operand], _ quantifier: Quantifier, _ test: (Operand) -> Bool
    ) -> Bool {
        quantifier == .any ? operands.contains(where: test) : operands.allSatisfy(test)
    }

    /// The value that a column must be equal to.
    func equalValue(of column: Int) -> JSON? {
        guard !isNegated, path.index == column, path.steps.isEmpty,
            case .comparison(.eq, let operands, _) = test, operands.count == 1
        else { return nil }
        return operands[0]
    }
}

extension JSON {
    /// Containment as in `@>`: of arrays by their elements, of JSON by its structure.
    fileprivate func contains(_ other: JSON, isArray: Bool) -> Bool {
        switch (self, other) {
        case (.array(let elements), .array(let others)):
            others.allSatisfy { other in
                isArray
                    ? elements.contains(other)
                    : elements.contains { $0.contains(other, isInArray: true) }
            }
        default: contains(other, isInArray: false)
        }
    }

    private func contains(_ other: JSON, isInArray: Bool) -> Bool {
        switch (self, other) {
        case (.object, .object(let members)):
            members.allSatisfy { member in
                self[member.name]?.contains(member.value, isInArray: true) ?? false
            }
        case (.array(let elements), .array(let others)):
            others.allSatisfy { other in elements.contains { $0.contains(other, isInArray: true) } }
        // As a special case an array contains a scalar, but only at the top.
        case (.array(let elements), _): !isInArray && elements.contains(other)
        case (.int, .double), (.double, .int): number == other.number
        default: self == other
        }
    }
}

/// A regular expression that matches anywhere in a text.
struct SearchPattern: Sendable {
    private let pattern: Pattern
    private let ignoresCase: Bool
    /// Grows with the time it takes to match a character.
    let cost: Int

    init(_ source: String, ignoresCase: Bool) throws(RestFailure) {
        var source = source
        for (name, characters) in Self.classes {
            source = source.replacing("[:\(name):]", with: characters)
        }
        if ignoresCase { source = Self.lowercased(source) }
        do throws(PatternError) {
            pattern = try Pattern("[^]*(?:\(source))[^]*".replacing("[^]", with: "(?:.|\\n)"))
        } catch { throw .invalidPattern(error.detail) }
        self.ignoresCase = ignoresCase
        cost = source.utf8.count + 4
    }

    func matches(_ text: String) -> Bool {
        pattern.matches(ignoresCase ? text.lowercased() : text)
    }

    /// POSIX's classes, inside brackets.
    private static let classes = [
        ("alpha", "a-zA-Z"), ("digit", "0-9"), ("alnum", "a-zA-Z0-9"), ("upper", "A-Z"),
        ("lower", "a-z"), ("space", "\\s"), ("xdigit", "0-9A-Fa-f"),
    ]

    /// With every letter in lower case that no backslash precedes.
    private static func lowercased(_ source: String) -> String {
        var isEscaped = false
        return String(
            source.flatMap { character -> [Character] in
                defer { isEscaped = character == "\\" && !isEscaped }
                return isEscaped ? [character] : Array(character.lowercased())
            })
    }
}
