import TableSchemas
import Web

/// Evaluates queries on the rows that a client may see, inside one read or write.
final class RowEvaluator {
    private let storage: RowStorage
    private let client: Requester
    private var visibleRows: [String: [TableRow]] = [:]

    init(_ storage: RowStorage, _ client: Requester) {
        self.storage = storage
        self.client = client
    }

    /// The rows of a table that the client's rules for SELECT allow.
    func rows(of schema: TableSchema) throws -> [TableRow] {
        if let rows = visibleRows[schema.name] { return rows }
        let rows = try storage.rows(of: schema).filter {
            client.may(.select, $0.values, of: schema)
        }
        visibleRows[schema.name] = rows
        return rows
    }

    /// The visible rows among which those that match the query are.
    private func candidates(for query: TableQuery) throws -> [TableRow] {
        guard let key = query.primaryKeyValue else { return try rows(of: query.schema) }
        let schema = query.schema
        var values = schema.columns.map { _ in JSON.null }
        if let index = schema.index(of: schema.primaryKey[0]) { values[index] = key }
        let row = try storage.row(
            of: schema, key: schema.primaryKeyName, schema.primaryKey, values)
        return row.map { client.may(.select, $0.values, of: schema) ? [$0] : [] } ?? []
    }

    /// The matching rows, in order.
    func matchingRows(_ query: PreparedQuery) throws -> [TableRow] {
        query.sorted(try candidates(for: query.query).filter { try query.matches($0) })
    }

    /// The query with the rows of its embedded resources.
    func prepare(_ query: TableQuery) throws -> PreparedQuery {
        PreparedQuery(query: query, embeds: try query.embeds.map(prepare))
    }

    private func prepare(_ embed: EmbeddedQuery) throws -> PreparedEmbed {
        let prepared = try prepare(embed.query)
        let relationship = embed.relationship
        let target = relationship.target
        let matching = prepared.sorted(
            try rows(of: target).filter { try prepared.matches($0) })
        var rowsByKey: [String: [TableRow]] = [:]
        let targetIndex = target.index(of: relationship.targetColumn) ?? 0
        if let junction = relationship.junction {
            let sourceIndex = junction.table.index(of: junction.source) ?? 0
            let otherIndex = junction.table.index(of: junction.target) ?? 0
            var sources: [String: [String]] = [:]
            for row in try rows(of: junction.table) {
                sources[row.values[otherIndex].description, default: []].append(
                    row.values[sourceIndex].description)
            }
            for row in matching {
                for source in sources[row.values[targetIndex].description] ?? [] {
                    rowsByKey[source, default: []].append(row)
                }
            }
        } else {
            for row in matching where row.values[targetIndex] != .null {
                rowsByKey[row.values[targetIndex].description, default: []].append(row)
            }
        }
        return PreparedEmbed(embed: embed, prepared: prepared, rowsByKey: rowsByKey)
    }
}

/// A query with the rows of its embedded resources.
struct PreparedQuery {
    let query: TableQuery
    let embeds: [PreparedEmbed]

    func matches(_ row: TableRow) throws(RestFailure) -> Bool {
        let schema = query.schema
        for embed in embeds where embed.embed.isInner {
            guard !embed.rows(for: row, of: schema).isEmpty else { return false }
        }
        return try query.condition.value(for: row) { name in
            embeds.contains {
                ($0.embed.name == name || $0.embed.tableName == name)
                    && !$0.rows(for: row, of: schema).isEmpty
            }
        } ?? false
    }

    func sorted(_ rows: [TableRow]) -> [TableRow] {
        guard !query.order.isEmpty else { return rows }
        return rows.sorted { left, right in
            for term in query.order {
                let (first, second) = (value(of: term, in: left), value(of: term, in: right))
                if let precedes = term.precedes(first.value, second.value, first.type) {
                    return precedes
                }
            }
            return left.id < right.id
        }
    }

    private func value(of term: SortTerm, in row: TableRow) -> (value: JSON, type: ColumnType) {
        switch term.path {
        case .column(let path): return (path.value(in: row), path.type)
        case .embedded(let name, let column, let steps):
            guard
                let embed = embeds.first(where: {
                    $0.embed.name == name || $0.embed.tableName == name
                }),
                let path = try? ColumnPath(column, steps, of: embed.embed.relationship.target)
            else { return (.null, ColumnType(.text)) }
            let related = embed.rows(for: row, of: query.schema).first
            return (related.map(path.value) ?? .null, path.type)
        }
    }

    /// The object of a row in the response.
    func object(_ row: TableRow) throws(RestFailure) -> JSON { .object(try members(row)) }

    fileprivate func members(_ row: TableRow) throws(RestFailure) -> [JSON.Member] {
        var members: [JSON.Member] = []
        var index = 0
        for item in query.items {
            switch item {
            case .column(let name, let path, let cast):
                let value = path.value(in: row)
                guard let cast else {
                    members.append(.init(name, value))
                    continue
                }
                do throws(ValueError) {
                    members.append(.init(name, try path.type.cast(value, to: cast)))
                } catch { throw RestFailure(error) }
            case .embed:
                members += try embeds[index].members(for: row, of: query.schema)
                index += 1
            }
        }
        return members
    }
}

/// An embedded resource with its rows by the value that joins them.
struct PreparedEmbed {
    let embed: EmbeddedQuery
    let prepared: PreparedQuery
    let rowsByKey: [String: [TableRow]]

    func rows(for row: TableRow, of schema: TableSchema) -> ArraySlice<TableRow> {
        guard let index = schema.index(of: embed.relationship.sourceColumn),
            row.values[index] != .null
        else { return [] }
        return (rowsByKey[row.values[index].description] ?? []).dropFirst(embed.query.offset)
            .prefix(embed.query.limit ?? .max)
    }

    fileprivate func members(for row: TableRow, of schema: TableSchema) throws(RestFailure)
        -> [JSON.Member]
    {
        var objects: [JSON] = []
        for related in rows(for: row, of: schema) {
            objects.append(.object(try prepared.members(related)))
        }
        guard embed.isSpread else {
            return [
                .init(
                    embed.name,
                    embed.relationship.isToOne ? objects.first ?? .null : .array(objects))
            ]
        }
        let names = try prepared.members(
            TableRow(id: 0, values: prepared.query.schema.columns.map { _ in .null })
        ).map(\.name)
        return names.map { name in
            let values = objects.map { $0[name] ?? .null }
            return .init(
                name, embed.relationship.isToOne ? values.first ?? .null : .array(values))
        }
    }
}
