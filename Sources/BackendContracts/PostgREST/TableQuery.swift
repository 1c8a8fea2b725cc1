import TableSchemas
import Web

/// The parsed query of a table request, or of a resource embedded in one.
struct TableQuery: Sendable {
    let schema: TableSchema
    private(set) var items: [Item]
    private(set) var condition: RowCondition
    private(set) var order: [SortTerm]
    /// Of all matching rows. Only the top level's may be restricted by a `Range` header.
    private(set) var range: RowRange

    var limit: Int? { range.count }
    var offset: Int { range.lower }

    /// A member of the response's objects.
    enum Item: Sendable {
        case column(name: String, ColumnPath, cast: ColumnType?)
        case embed(EmbeddedQuery)
    }

    /// The embedded resources, in order.
    var embeds: [EmbeddedQuery] {
        items.compactMap { if case .embed(let embed) = $0 { embed } else { nil } }
    }

    init(_ schema: TableSchema, _ parameters: TableParameters, _ catalog: TableCatalog)
        throws(RestFailure)
    {
        try self.init(schema, parameters.select, [], parameters, catalog)
        try parameters.checkPaths(of: self)
    }

    fileprivate init(
        _ schema: TableSchema, _ select: [SelectItem], _ path: [String],
        _ parameters: TableParameters, _ catalog: TableCatalog
    ) throws(RestFailure) {
        self.schema = schema
        var items: [Item] = []
        for item in select {
            switch item {
            case .all:
                for column in schema.columns {
                    items.append(
                        .column(
                            name: column.name, try ColumnPath(column.name, of: schema), cast: nil))
                }
            case .column(let alias, let name, let steps, let cast):
                let path = try ColumnPath(name, steps, of: schema)
                var type: ColumnType?
                if let cast {
                    guard let found = ColumnType(cast) else { throw .unknownType(cast) }
                    type = found
                }
                items.append(.column(name: alias ?? path.responseName, path, cast: type))
            case .embed(let embed):
                let relationship = try catalog.relationship(schema, embed)
                items.append(
                    .embed(
                        EmbeddedQuery(
                            name: embed.responseName, tableName: embed.name,
                            relationship: relationship,
                            isInner: embed.isInner, isSpread: embed.isSpread,
                            query: try TableQuery(
                                relationship.target, embed.items,
                                path + [embed.responseName], parameters, catalog))))
            }
        }
        self.items = items
        let names = Set(
            select.flatMap { item -> [String] in
                if case .embed(let embed) = item { [embed.responseName, embed.name] } else { [] }
            })
        condition = .all(try parameters.conditions(at: path, schema, embeds: names))
        order = try parameters.order(at: path, schema)
        range = try parameters.range(at: path)
        if !path.isEmpty {
            guard range.lower >= 0 else { throw .negativeOffset }
            guard range.count ?? 0 >= 0 else { throw .negativeLimit }
        }
        for case .embedded(let name, let column, let steps) in order.map(\.path) {
            guard let embed = embeds.first(where: { $0.name == name || $0.tableName == name })
            else { throw .notEmbedded(name) }
            guard embed.relationship.isToOne else { throw .notToOne(schema.name, name) }
            _ = try ColumnPath(column, steps, of: embed.relationship.target)
        }
    }

    /// Restricts the page to the rows of a `Range` header, which counts in GET requests only.
    mutating func apply(range header: String?) throws(RestFailure) {
        range = try range.page(header: header.map(RowRange.init(header:)) ?? .all)
    }

    /// The value of a primary key of one column that the rows must have.
    var primaryKeyValue: JSON? {
        guard schema.primaryKey.count == 1, let index = schema.index(of: schema.primaryKey[0])
        else { return nil }
        return condition.equalText(of: index)
    }
}

/// A resource embedded in the rows of another table.
struct EmbeddedQuery: Sendable {
    /// In the response.
    let name: String
    let tableName: String
    let relationship: Relationship
    /// Whether rows without it are left out.
    let isInner: Bool
    /// Whether its columns become columns of the row.
    let isSpread: Bool
    let query: TableQuery
}

/// The query items of a table request, by the embedded resource they are for.
struct TableParameters: Sendable {
    private(set) var select: [SelectItem] = [.all]
    /// The columns of a body that count; nil for all.
    private(set) var columns: [String]?
    private(set) var conflictColumns: [String]?
    private var items: [(path: [String], name: String, value: String)] = []
    private let context: FilterContext

    /// `now` is in microseconds since 1970.
    init(_ query: [Form.Item], now: Int64) throws(RestFailure) {
        context = FilterContext(now: now)
        var names: Set<String> = []
        for item in query {
            switch item.name {
            case "apikey": break
            // The first of several counts.
            case "select", "columns", "on_conflict":
                guard names.insert(item.name).inserted else { break }
                try add(item)
            default:
                var (path, name) = Self.splitName(item.name)
                if path.last == "not", ["and", "or"].contains(name) {
                    path.removeLast()
                    name = "not." + name
                }
                items.append((path, name, item.value))
            }
        }
    }

    private mutating func add(_ item: Form.Item) throws(RestFailure) {
        switch item.name {
        case "select": select = try SelectItem.parse(item.value)
        case "columns": columns = try Self.parseNames(item.value, "columns parameter")
        default: conflictColumns = try Self.parseNames(item.value, "on_conflict parameter")
        }
    }

    private static func parseNames(_ text: String, _ element: String) throws(RestFailure)
        -> [String]
    {
        var parser = QueryParser(text, element)
        var names: [String] = []
        repeat {
            parser.skipSpaces()
            names.append(try parser.name())
            parser.skipSpaces()
        } while parser.take(",")
        guard parser.isAtEnd else { throw parser.failure(expecting: "\",\" or end of input") }
        return names
    }

    /// Splits `posts.author.name` at its dots outside of quotes and of JSON steps.
    private static func splitName(_ text: String) -> (path: [String], name: String) {
        let steps = text.firstRange(of: "->")
        let head = steps.map { text[..<$0.lowerBound] } ?? text[...]
        var parts = [""]
        var isQuoted = false
        for character in head {
            if character == "\"" { isQuoted.toggle() }
            if character == ".", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        let name = parts.removeLast() + (steps.map { text[$0.lowerBound...] } ?? "")
        return (parts, name)
    }

    /// Throws if an item is for a resource that the query does not embed.
    func checkPaths(of query: TableQuery) throws(RestFailure) {
        for item in items {
            var query = query
            for name in item.path {
                guard
                    let embed = query.embeds.first(where: {
                        $0.name == name || $0.tableName == name
                    })
                else { throw .notEmbedded(name) }
                query = embed.query
            }
        }
    }

    private static let otherNames: Set = ["order", "limit", "offset"]

    /// The filters that are not for embedded resources: names and values.
    var topFilters: [(name: String, value: String)] {
        items.filter { $0.path.isEmpty && !Self.otherNames.contains($0.name) }.map {
            ($0.name, $0.value)
        }
    }

    fileprivate func conditions(at path: [String], _ schema: TableSchema, embeds: Set<String>)
        throws(RestFailure) -> [RowCondition]
    {
        var conditions: [RowCondition] = []
        for item in items where item.path == path && !Self.otherNames.contains(item.name) {
            switch item.name {
            case "and", "or", "not.and", "not.or":
                let condition = try RowCondition.parse(
                    item.value, isAnd: item.name.hasSuffix("and"), of: schema, embeds: embeds,
                    context)
                conditions.append(item.name.hasPrefix("not") ? .not(condition) : condition)
            default:
                var value = QueryParser(item.value, "filter")
                if embeds.contains(item.name), schema.index(of: item.name) == nil {
                    conditions.append(try RowCondition.parseEmbedded(item.name, &value))
                    continue
                }
                // The syntax of a filter is checked before its column.
                try Self.checkFilter(item.value)
                var name = QueryParser(item.name, "field")
                let column = try ColumnPath(&name, of: schema)
                guard name.isAtEnd else { throw name.failure(expecting: "\"->\" or end of input") }
                conditions.append(
                    .filter(try RowFilter(column, &value, isInTree: false, context)))
            }
        }
        return conditions
    }

    private static func checkFilter(_ value: String) throws(RestFailure) {
        guard value.contains(".") else {
            throw QueryParser(value, "filter").failure(
                expecting: "\"not\" or operator (eq, gt, ...)")
        }
    }

    fileprivate func order(at path: [String], _ schema: TableSchema) throws(RestFailure)
        -> [SortTerm]
    {
        var terms: [SortTerm] = []
        for item in items where item.path == path && item.name == "order" {
            terms += try SortTerm.parse(item.value, of: schema)
        }
        return terms
    }

    fileprivate func range(at path: [String]) throws(RestFailure) -> RowRange {
        func value(_ name: String) -> String? {
            items.last { $0.path == path && $0.name == name }?.value
        }
        return try RowRange(limit: value("limit"), offset: value("offset"))
    }
}

/// A query as PostgREST repeats it in `Content-Location`: sorted by name, and the values of one name
/// joined.
enum CanonicalQuery {
    static func text(_ items: [Form.Item]) -> String {
        let items = items.filter { $0.name != "apikey" }
        let names = Set(items.map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return names.map { name in
            let values = items.filter { $0.name == name }.map { PercentEncoding.encode($0.value) }
            return PercentEncoding.encode(name) + "=" + values.joined(separator: ",")
        }.joined(separator: "&")
    }
}
