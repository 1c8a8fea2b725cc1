import Backend
import Core
import SQLite
import TableSchemas
import Web

/// Serves the tables of one contract in a workspace as PostgREST does.
struct TableServer: Sendable {
    let database: TracingDatabase
    let catalog: TableCatalog
    let realm: Realm
    let client: Requester
    let world: World
    let now: Timestamp

    /// One request, parsed.
    struct Parsed: Sendable {
        let request: Request
        let schema: TableSchema
        let parameters: TableParameters
        var query: TableQuery
        let preference: PreferHeader
        let format: ResponseFormat

        /// The names of the columns of CSVText.
        var names: [String] {
            query.items.map { item in
                switch item {
                case .column(let name, _, _): name
                case .embed(let embed): embed.name
                }
            }
        }
    }

    func respond(_ context: RequestContext, table name: String) async throws -> Response {
        let request = context.request
        let schema = try catalog.table(name)
        let format = try ResponseFormat(request)
        let preference = try PreferHeader(request)
        let parameters = try TableParameters(context.target.query)
        let query = try TableQuery(schema, parameters, catalog)
        let parsed = Parsed(
            request: request, schema: schema, parameters: parameters, query: query,
            preference: preference, format: format)
        do {
            switch request.method {
            case .post: return try await insert(parsed)
            case .put: return try await put(parsed)
            case .patch: return try await update(parsed)
            case .delete: return try await delete(parsed)
            default: return try await select(parsed)
            }
        } catch let rollback as RolledBack { return rollback.response }
    }

    private func storage(_ connection: Connection) -> RowStorage {
        RowStorage(connection: connection, realm: realm, catalog: catalog, role: client.role)
    }

    // MARK: Reading

    private func select(_ parsed: Parsed) async throws -> Response {
        var query = parsed.query
        try query.apply(range: parsed.request.headers["Range"])
        let final = query
        let (objects, total) = try await database.read(isLong: true) { connection in
            let evaluator = RowEvaluator(storage(connection), client)
            let prepared = try evaluator.prepare(final)
            let rows = try evaluator.matchingRows(prepared)
            let page = rows.dropFirst(final.offset).prefix(final.limit ?? .max)
            return (try page.map(prepared.object), rows.count)
        }
        let wantsCount = parsed.preference.wantsCount
        if wantsCount, query.offset > total {
            throw RestFailure.invalidRange(
                "An offset of \(query.offset) was requested, but there are only \(total) rows.")
        }
        let range =
            objects.isEmpty ? "*" : "\(query.offset)-\(query.offset + objects.count - 1)"
        var response = try parsed.format.response(objects, names: parsed.names)
        Self.addHeaders(to: &response, range: range, total: total, parsed.preference)
        if wantsCount, objects.count < total { response.status = 206 }
        if parsed.request.method == .head { response.body = .empty }
        return response
    }

    private static func addHeaders(
        to response: inout Response, range: String, total: Int, _ preference: PreferHeader
    ) {
        response.headers["Content-Range"] =
            range + "/" + (preference.wantsCount ? String(total) : "*")
        preference.addAppliedHeader(to: &response)
    }

    // MARK: Changing and deleting

    private func update(_ parsed: Parsed) async throws -> Response {
        let schema = parsed.schema
        let payload = try RowPayload(
            parsed.request, schema, columns: parsed.parameters.columns, isSingle: true)
        let changes = payload.rows[0]
        let candidates = payload.columns.isEmpty ? [] : try await findRows(parsed, .update)
        return try await change(candidates, parsed, .update) { storage, row in
            var changed = row
            for column in payload.columns {
                guard let index = schema.index(of: column.name) else { continue }
                changed.values[index] = changes[column.name] ?? .null
            }
            try checkNew(changed.values, .update, schema, isReturned: true)
            try storage.update(changed, from: row, of: schema)
            return changed
        }
    }

    private func delete(_ parsed: Parsed) async throws -> Response {
        let candidates = try await findRows(parsed, .delete)
        return try await change(candidates, parsed, .delete) { storage, row in
            try storage.delete(row, of: parsed.schema)
            return row
        }
    }

    /// Throws unless the client may write the row, and see it if the response contains it.
    private func checkNew(
        _ values: [JSON], _ command: TableSchema.Command, _ schema: TableSchema, isReturned: Bool
    ) throws(RestFailure) {
        guard client.may(command, values, of: schema),
            !isReturned || client.may(.select, values, of: schema)
        else { throw .policyViolation(schema.name, client.role) }
    }

    /// The rows a change applies to, selected before the write: all requests share the writer, and
    /// the cost of a filter is up to the client.
    private func findRows(_ parsed: Parsed, _ command: TableSchema.Command) async throws
        -> [TableRow]
    {
        try await database.read(isLong: true) { connection in
            let evaluator = RowEvaluator(storage(connection), client)
            return try evaluator.matchingRows(try evaluator.prepare(parsed.query)).filter {
                client.may(command, $0.values, of: parsed.schema)
            }
        }
    }

    /// Changes the selected rows as they are inside the write. A row that has changed since must
    /// match again, as in PostgreSQL.
    private func change(
        _ candidates: [TableRow], _ parsed: Parsed, _ command: TableSchema.Command,
        body: @escaping @Sendable (RowStorage, TableRow) throws -> TableRow
    ) async throws -> Response {
        let schema = parsed.schema
        return try await database.write { connection in
            let storage = storage(connection)
            var rows: [TableRow] = []
            for candidate in candidates {
                guard let row = try storage.row(candidate.id, of: schema) else { continue }
                if row != candidate {
                    let evaluator = RowEvaluator(storage, client)
                    guard client.may(.select, row.values, of: schema),
                        client.may(command, row.values, of: schema),
                        try evaluator.prepare(parsed.query).matches(row)
                    else { continue }
                }
                rows.append(try body(storage, row))
            }
            if let limit = parsed.preference.maxAffected, rows.count > limit {
                throw RestFailure.tooManyAffected(rows.count)
            }
            let isDelete = command == .delete
            let range = rows.isEmpty || isDelete ? "*" : "0-\(rows.count - 1)"
            return try finish(
                parsed, rows, storage, status: parsed.preference.wantsRows ? 200 : 204,
                range: range)
        }
    }

    /// The response to a write. Throws if a single object is requested and the number of rows
    /// differs, or to undo everything.
    private func finish(
        _ parsed: Parsed, _ rows: [TableRow], _ storage: RowStorage, status: Int, range: String
    ) throws -> Response {
        var response = Response(status: status)
        if parsed.preference.wantsRows {
            let prepared = try RowEvaluator(storage, client).prepare(parsed.query)
            response = try parsed.format.response(
                try rows.map(prepared.object), names: parsed.names, status: status)
        } else if parsed.preference.returnPreference == .headers, parsed.request.method == .post,
            let row = rows.first
        {
            let schema = parsed.schema
            let key = schema.primaryKey.map { column in
                let index = schema.index(of: column) ?? 0
                return (
                    column, "eq." + schema.columns[index].type.text(of: row.values[index])
                )
            }
            response.headers["Location"] = "/\(schema.name)?" + Form.encode(key)
        }
        Self.addHeaders(to: &response, range: range, total: rows.count, parsed.preference)
        if parsed.preference.rollsBack { throw RolledBack(response: response) }
        return response
    }
}

/// Undoes a write whose response is sent all the same.
private struct RolledBack: Error { let response: Response }

/// Adding rows.
extension TableServer {
    private func insert(_ parsed: Parsed) async throws -> Response {
        let payload = try RowPayload(
            parsed.request, parsed.schema, columns: parsed.parameters.columns, isSingle: false)
        let key = try conflictKey(parsed)
        return try await database.write { connection in
            let storage = storage(connection)
            var rows: [TableRow] = []
            var addedCount = payload.rows.isEmpty ? 1 : 0
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
                    ? 200 : 201, range: "*")
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
                    microseconds: now.milliseconds * 1_000, as: column.type.scalar))
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
        guard parsed.preference.resolution == .merge || parsed.request.method == .put else {
            return (nil, false)
        }
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
    private func put(_ parsed: Parsed) async throws -> Response {
        let schema = parsed.schema
        guard !parsed.parameters.hasPage, parsed.request.headers["Range"] == nil else {
            throw RestFailure.putRange
        }
        let filters = parsed.parameters.topFilters
        let names = filters.map(\.name)
        guard !schema.primaryKey.isEmpty, names.sorted() == schema.primaryKey.sorted(),
            filters.allSatisfy({ $0.value.hasPrefix("eq.") })
        else { throw RestFailure.incompletePutFilters }
        let payload = try RowPayload(
            parsed.request, schema, columns: parsed.parameters.columns, isSingle: true)
        for name in schema.primaryKey {
            let index = schema.index(of: name) ?? 0
            guard let value = payload.rows[0][name],
                parsed.query.condition.equalText(of: index) == value
            else { throw RestFailure.putMismatch }
        }
        return try await database.write { connection in
            let storage = storage(connection)
            let values = try makeRow(payload.rows[0], payload, parsed, storage)
            let (row, isNew) = try add(
                values, payload, parsed,
                conflictKey: (schema.primaryKeyName, schema.primaryKey), storage)
            return try finish(
                parsed, [row].compactMap(\.self), storage,
                status: !parsed.preference.wantsRows ? 204 : isNew ? 201 : 200, range: "*")
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
