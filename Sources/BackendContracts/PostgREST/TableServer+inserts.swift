import Backend
import SQLite
import TableSchemas
import Web

/// Adding rows.
extension TableServer {
    func insert(_ parsed: Parsed) async throws -> Response {
        let payload = try RowPayload(
            parsed.request, parsed.schema, columns: parsed.parameters.columns, now: microseconds)
        let key = try conflictKey(parsed)
        return try await database.write { connection in
            let storage = storage(connection)
            var rows: [TableRow] = []
            var addedCount = 0
            var touched: Set<Int64> = []
            for members in payload.rows {
                let values = try makeRow(members, payload, parsed, storage)
                let (row, isNew) = try add(values, payload, parsed, conflictKey: key, storage)
                guard let row else { continue }
                guard touched.insert(row.id).inserted else { throw RestFailure.secondConflict }
                if isNew { addedCount += 1 }
                rows.append(row)
            }
            return try finish(
                parsed, rows, storage,
                status: parsed.preference.resolution == .merge && key != nil && addedCount == 0
                    ? 200 : 201)
        }
    }

    /// The key that an upsert compares; nil for an insert.
    private func conflictKey(_ parsed: Parsed) throws(RestFailure) -> (
        name: String, columns: [String]
    )? {
        guard parsed.preference.resolution != nil else { return nil }
        let schema = parsed.schema
        guard let columns = parsed.parameters.conflictColumns, !columns.isEmpty else {
            return schema.primaryKey.isEmpty ? nil : (schema.primaryKeyName, schema.primaryKey)
        }
        for name in columns where schema.column(name) == nil {
            throw RestFailure(400, "42703", "column \"\(name.prefix(60))\" does not exist")
        }
        guard let key = schema.keys.first(where: { Set($0.columns) == Set(columns) }) else {
            throw .noMatchingConstraint
        }
        return key
    }

    private func makeRow(
        _ members: [String: JSON], _ payload: RowPayload, _ parsed: Parsed, _ storage: RowStorage
    ) throws -> [JSON] {
        try parsed.schema.columns.map { column in
            if let value = members[column.name] { return value }
            let isNamed = payload.columns.contains { $0.name == column.name }
            guard !isNamed || parsed.preference.fillsDefaults else { return .null }
            return try defaultValue(of: column, parsed.schema, storage)
        }
    }

    func defaultValue(
        of column: TableSchema.Column, _ schema: TableSchema, _ storage: RowStorage
    ) throws -> JSON {
        switch column.defaultValue {
        case nil: .null
        case .literal(let value): value
        case .now:
            .string(
                ColumnType.format(
                    microseconds: microseconds, as: column.type.scalar))
        case .randomUUID: .string(RandomTokens.uuid(world))
        case .userID: JSON(client.subject)
        case .identity: .int(try storage.nextNumber(of: column.name, schema))
        }
    }

    /// Inserts a row, or does with the one that has its key what the resolution says: nil if that
    /// stays as it is.
    private func add(
        _ values: [JSON], _ payload: RowPayload, _ parsed: Parsed,
        conflictKey: (name: String, columns: [String])?, _ storage: RowStorage
    ) throws -> (row: TableRow?, isNew: Bool) {
        let schema = parsed.schema
        // An upsert must be able to see the row it compares.
        try checkNew(
            values, .insert, schema,
            isReturned: parsed.preference.wantsRows || conflictKey != nil)
        guard let conflictKey,
            let existing = try storage.row(
                of: schema, key: conflictKey.name, conflictKey.columns, values)
        else { return (try storage.insert(values, into: schema), true) }
        let merges = parsed.preference.resolution == .merge || parsed.request.method == .put
        guard merges, !payload.columns.isEmpty else { return (nil, false) }
        guard client.may(.select, existing.values, of: schema),
            client.may(.update, existing.values, of: schema)
        else { throw RestFailure.policyViolation(schema.name, client.role, isUsing: true) }
        var changed = existing
        for column in payload.columns {
            guard let index = schema.index(of: column.name) else { continue }
            changed.values[index] = values[index]
        }
        try checkNew(changed.values, .update, schema, isReturned: true)
        try storage.update(changed, from: existing, of: schema)
        return (changed, false)
    }

    /// PUT: inserts or replaces the one row whose primary key the URL names.
    func put(_ parsed: Parsed) async throws -> Response {
        let schema = parsed.schema
        guard parsed.query.range == .all else { throw RestFailure.putRange }
        let filters = parsed.parameters.topFilters
        let names = filters.map(\.name)
        guard !schema.primaryKey.isEmpty, names.sorted() == schema.primaryKey.sorted(),
            filters.allSatisfy({ $0.value.hasPrefix("eq.") })
        else { throw RestFailure.incompletePutFilters }
        let payload = try RowPayload(parsed.request, schema, columns: nil, now: microseconds)
        let matching = payload.rows.filter { row in
            schema.primaryKey.allSatisfy { name in
                row[name] == schema.index(of: name).flatMap(parsed.query.condition.equalText)
            }
        }
        guard let members = matching.first else { throw RestFailure.putMismatch }
        guard matching.count == 1 else { throw RestFailure.secondConflict }
        return try await database.write { connection in
            let storage = storage(connection)
            let values = try makeRow(members, payload, parsed, storage)
            let (row, isNew) = try add(
                values, payload, parsed,
                conflictKey: (schema.primaryKeyName, schema.primaryKey), storage)
            return try finish(
                parsed, [row].compactMap(\.self), storage,
                status: !parsed.preference.wantsRows ? 204 : isNew ? 201 : 200)
        }
    }

    /// Inserts the rows that a sign-up creates.
    func addSignUpRows(
        of account: Account, metadata: JSON, on connection: Connection
    ) throws {
        let storage = storage(connection)
        for schema in catalog.tables where !schema.signUpRow.isEmpty {
            let values = try schema.columns.map { column -> JSON in
                let entry = schema.signUpRow.first { $0.column == column.name }
                for source in entry?.sources ?? [] {
                    let value = Self.value(of: source, account, metadata)
                    guard value != .null else { continue }
                    // A value of another type counts as absent.
                    if let typed = try? column.type.value(of: value) { return typed }
                }
                return try defaultValue(of: column, schema, storage)
            }
            _ = try storage.insert(values, into: schema, isSignUp: true)
        }
    }

    private static func value(of source: SignUpValue.Source, _ account: Account, _ metadata: JSON)
        -> JSON
    {
        switch source {
        case .id: .string(account.id)
        case .email: JSON(account.email)
        case .phone: JSON(account.phone)
        case .metadata(let name): metadata[name] ?? .null
        case .constant(let value): value
        }
    }
}
