import Synchronization
import TableSchemas
import Web

/// The condition of a query, with SQL's three truth values.
indirect enum RowCondition: Sendable {
    case all([RowCondition])
    case any([RowCondition])
    case not(RowCondition)
    case filter(RowFilter)
    /// Whether an embedded resource has rows.
    case embedded(String, exists: Bool)

    /// Nil for unknown. `hasEmbedded` tells whether an embedded resource has rows for the row.
    func value(for row: TableRow, _ hasEmbedded: (String) -> Bool) throws(RestFailure) -> Bool? {
        switch self {
        case .filter(let filter): return try filter.matches(row)
        case .embedded(let name, let exists): return hasEmbedded(name) == exists
        case .not(let condition): return try condition.value(for: row, hasEmbedded).map { !$0 }
        case .all(let conditions):
            var isKnown = true
            for condition in conditions {
                switch try condition.value(for: row, hasEmbedded) {
                case false: return false
                case nil: isKnown = false
                case true: break
                }
            }
            return isKnown ? true : nil
        case .any(let conditions):
            var isKnown = true
            for condition in conditions {
                switch try condition.value(for: row, hasEmbedded) {
                case true: return true
                case nil: isKnown = false
                case false: break
                }
            }
            return isKnown ? false : nil
        }
    }

    /// Parses the value of `and` or `or`: `(a.eq.1,not.or(b.is.null,c.gt.2))`.
    static func parse(
        _ text: String, isAnd: Bool, of schema: TableSchema, embeds: Set<String>,
        _ context: FilterContext
    ) throws(RestFailure) -> RowCondition {
        var parser = QueryParser(text, "logic tree")
        let list = try parseList(&parser, schema, embeds, context, depth: 0)
        guard parser.isAtEnd else { throw parser.failure(expecting: "end of input") }
        return isAnd ? .all(list) : .any(list)
    }

    private static let maxDepth = 16

    private static func parseList(
        _ parser: inout QueryParser, _ schema: TableSchema, _ embeds: Set<String>,
        _ context: FilterContext, depth: Int
    ) throws(RestFailure) -> [RowCondition] {
        guard depth < maxDepth else { throw parser.failure(expecting: "fewer levels") }
        try parser.expect("(")
        var list: [RowCondition] = []
        repeat {
            parser.skipSpaces()
            var isNegated = false
            while ["not.and(", "not.or("].contains(where: { parser.rest.hasPrefix($0) }) {
                _ = parser.take("not.")
                isNegated.toggle()
            }
            let condition: RowCondition
            if parser.rest.hasPrefix("and(") || parser.rest.hasPrefix("or(") {
                let isAnd = parser.take("and")
                if !isAnd { _ = parser.take("or") }
                let inner = try parseList(&parser, schema, embeds, context, depth: depth + 1)
                condition = isAnd ? .all(inner) : .any(inner)
            } else {
                condition = try parseLeaf(&parser, schema, embeds, context)
            }
            list.append(isNegated ? .not(condition) : condition)
            parser.skipSpaces()
        } while parser.take(",")
        try parser.expect(")")
        return list
    }

    private static func parseLeaf(
        _ parser: inout QueryParser, _ schema: TableSchema, _ embeds: Set<String>,
        _ context: FilterContext
    ) throws(RestFailure) -> RowCondition {
        let name = try parser.name()
        let steps = try parser.jsonSteps()
        try parser.expect(".")
        if embeds.contains(name), schema.index(of: name) == nil {
            return try parseEmbedded(name, &parser)
        }
        return .filter(
            try RowFilter(
                try ColumnPath(name, steps, of: schema), &parser, isInTree: true, context))
    }

    /// `is.null` or `not.is.null` of an embedded resource.
    static func parseEmbedded(_ name: String, _ parser: inout QueryParser) throws(RestFailure)
        -> RowCondition
    {
        let isNegated = parser.take("not.")
        guard parser.take("is.null") else { throw parser.failure(expecting: "\"is.null\"") }
        return .embedded(name, exists: isNegated)
    }

    /// The text that the primary key must be equal to, if the condition says so.
    func equalText(of column: Int) -> JSON? {
        switch self {
        case .all(let conditions):
            conditions.lazy.compactMap { $0.equalText(of: column) }.first
        case .filter(let filter): filter.equalValue(of: column)
        default: nil
        }
    }
}

/// What the filters of a request share: its time, and a bound on the cost of their patterns.
final class FilterContext: Sendable {
    /// In microseconds since 1970.
    let now: Int64
    private let remaining = Mutex(100_000_000)

    init(now: Int64) { self.now = now }

    func consume(_ steps: Int) throws(RestFailure) {
        let isLeft = remaining.withLock { remaining in
            remaining -= steps
            return remaining >= 0
        }
        guard isLeft else { throw .tooMuchWork }
    }
}
