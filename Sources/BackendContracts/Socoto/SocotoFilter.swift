import Backend
import FoundationEssentials
import Web

/// One filter on a column: `id=eq.…`, `role=not.in.(user,admin)`.
struct SocotoFilter: Sendable {
    private let column: SocotoProfileRow.Column
    private let isNegated: Bool
    private let predicate: Predicate

    private enum Predicate: Sendable {
        case comparison(Operator, String)
        case like(SocotoLikePattern, ignoresCase: Bool)
        case isNull
        case oneOf([String])
    }

    private enum Operator: String, Sendable { case eq, neq, gt, gte, lt, lte }

    init(_ name: String, _ text: String) throws(SocotoRestFailure) {
        var parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        isNegated = parts.first == "not"
        if isNegated, parts.count == 2 {
            parts = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        }
        guard parts.count == 2 else { throw .parseError(text, "filter") }
        let operatorName = String(parts[0])
        let value = String(parts[1])
        switch operatorName {
        case "like", "ilike":
            let pattern = value.replacing("*", with: "%")
            predicate = .like(
                SocotoLikePattern(operatorName == "ilike" ? pattern.lowercased() : pattern),
                ignoresCase: operatorName == "ilike")
        case "is":
            guard value.lowercased() == "null" else { throw .parseError(text, "filter") }
            predicate = .isNull
        case "in":
            guard value.hasPrefix("("), value.hasSuffix(")") else {
                throw .parseError(text, "filter")
            }
            predicate = .oneOf(Self.parseList(value.dropFirst().dropLast()))
        default:
            guard let op = Operator(rawValue: operatorName) else {
                throw .parseError(text, "filter")
            }
            predicate = .comparison(op, value)
        }
        column = try SocotoQuery.parseColumn(name)
        try checkOperandTypes()
    }

    func matches(_ row: SocotoProfileRow) -> Bool {
        let value = row[column]
        if case .isNull = predicate { return (value == .null) != isNegated }
        // SQL: a comparison with null is neither true nor false.
        guard value != .null else { return false }
        return satisfiesPredicate(SocotoSortOrder.comparisonKey(value, column.type)) != isNegated
    }

    private func satisfiesPredicate(_ key: String) -> Bool {
        let kind = column.type
        switch predicate {
        case .isNull: return false
        case .oneOf(let texts):
            return texts.contains { SocotoSortOrder.comparisonKey(.string($0), kind) == key }
        case .like(let pattern, let ignoresCase):
            return pattern.matches(ignoresCase ? key.lowercased() : key)
        case .comparison(let op, let text):
            let operand = SocotoSortOrder.comparisonKey(.string(text), kind)
            return switch op {
            case .eq: key == operand
            case .neq: key != operand
            case .gt: key > operand
            case .gte: key >= operand
            case .lt: key < operand
            case .lte: key <= operand
            }
        }
    }

    /// The operands must be of the column's type.
    private func checkOperandTypes() throws(SocotoRestFailure) {
        let texts: [String] =
            switch predicate {
            case .comparison(_, let text): [text]
            case .oneOf(let texts): texts
            case .like, .isNull: []
            }
        for text in texts {
            switch column.type {
            case .uuid where RandomTokens.uuid(parsing: text) == nil,
                .timestamp where SocotoSortOrder.parseTime(text) == nil,
                .jsonb where (try? JSON(parsing: text)) == nil:
                throw .invalidInput(column.type, text)
            default: break
            }
        }
    }

    /// `a,"b,c"`: quoted items may contain commas and brackets.
    private static func parseList(_ text: Substring) -> [String] {
        guard !text.isEmpty else { return [] }
        var items = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                items[items.count - 1].append(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                items.append("")
            } else {
                items[items.count - 1].append(character)
            }
        }
        return items
    }
}
