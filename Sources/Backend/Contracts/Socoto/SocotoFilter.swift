import FoundationEssentials
import Web

/// One condition on a column: `id=eq.…`, `role=not.in.(user,admin)`.
struct SocotoFilter: Sendable {
    private let column: SocotoRow.Column
    private let isNegated: Bool
    private let test: Test

    private enum Test: Sendable {
        case compared(Operator, String)
        case like(SocotoPattern, ignoresCase: Bool)
        case null
        case among([String])
    }

    private enum Operator: String, Sendable { case eq, neq, gt, gte, lt, lte }

    init(_ name: String, _ text: String) throws(SocotoRestFailure) {
        var parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        isNegated = parts.first == "not"
        if isNegated, parts.count == 2 {
            parts = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        }
        guard parts.count == 2 else { throw .unparsed(text, "filter") }
        let word = String(parts[0])
        let value = String(parts[1])
        switch word {
        case "like", "ilike":
            let pattern = value.replacing("*", with: "%")
            test = .like(
                SocotoPattern(word == "ilike" ? pattern.lowercased() : pattern),
                ignoresCase: word == "ilike")
        case "is":
            guard value.lowercased() == "null" else { throw .unparsed(text, "filter") }
            test = .null
        case "in":
            guard value.hasPrefix("("), value.hasSuffix(")") else {
                throw .unparsed(text, "filter")
            }
            test = .among(Self.list(value.dropFirst().dropLast()))
        default:
            guard let known = Operator(rawValue: word) else { throw .unparsed(text, "filter") }
            test = .compared(known, value)
        }
        column = try SocotoQuery.column(name)
        try check()
    }

    func holds(_ row: SocotoRow) -> Bool {
        let value = row[column]
        if case .null = test { return (value == .null) != isNegated }
        // SQL: what is compared with nothing is neither true nor false.
        guard value != .null else { return false }
        return passes(SocotoOrder.key(value, column.kind)) != isNegated
    }

    private func passes(_ given: String) -> Bool {
        let kind = column.kind
        switch test {
        case .null: return false
        case .among(let texts):
            return texts.contains { SocotoOrder.key(.string($0), kind) == given }
        case .like(let pattern, let ignoresCase):
            return pattern.matches(ignoresCase ? given.lowercased() : given)
        case .compared(let known, let text):
            let other = SocotoOrder.key(.string(text), kind)
            return switch known {
            case .eq: given == other
            case .neq: given != other
            case .gt: given > other
            case .gte: given >= other
            case .lt: given < other
            case .lte: given <= other
            }
        }
    }

    /// What is compared must be of the column's type.
    private func check() throws(SocotoRestFailure) {
        let texts: [String] =
            switch test {
            case .compared(_, let text): [text]
            case .among(let texts): texts
            case .like, .null: []
            }
        for text in texts {
            switch column.kind {
            case .uuid where Opaque.uuid(reading: text) == nil,
                .time where SocotoOrder.time(text) == nil,
                .jsonb where (try? JSON(parsing: text)) == nil:
                throw .notA(column.kind, text)
            default: break
            }
        }
    }

    /// `a,"b,c"`: quoted where a comma or bracket would end it.
    private static func list(_ text: Substring) -> [String] {
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
