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
        let query: TableQuery
        let preference: PreferHeader
        let format: ResponseFormat
        let items: [Form.Item]
        /// The schema that a header chose.
        let profile: String?

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
        let parameters = try TableParameters(context.target.query, now: microseconds)
        var query = try TableQuery(schema, parameters, catalog)
        try query.apply(range: request.method == .get ? request.headers["Range"] : nil)
        let parsed = Parsed(
            request: request, schema: schema, parameters: parameters, query: query,
            preference: preference, format: format, items: context.target.query,
            profile: request.headers[request.method.isSafe ? "Accept-Profile" : "Content-Profile"])
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

    var microseconds: Int64 { now.milliseconds * 1_000 }

    func storage(_ connection: Connection) -> RowStorage {
        RowStorage(connection: connection, realm: realm, catalog: catalog, role: client.role)
    }

    // MARK: Reading

    private func select(_ parsed: Parsed) async throws -> Response {
        let query = parsed.query
        let (objects, total) = try await database.read(isLong: true) { connection in
            let evaluator = RowEvaluator(storage(connection), client)
            let prepared = try evaluator.prepare(query)
            let rows = try evaluator.matchingRows(prepared)
            let page = rows.dropFirst(query.offset).prefix(query.limit ?? .max)
            return (try page.map(prepared.object), rows.count)
        }
        var response = try parsed.format.response(objects, names: parsed.names)
        addHeaders(
            to: &response, first: query.offset, count: objects.count,
            total: parsed.preference.wantsCount ? total : nil, parsed)
        let location = CanonicalQuery.text(parsed.items)
        response.headers["Content-Location"] =
            "/" + parsed.schema.name + (location.isEmpty ? "" : "?" + location)
        if parsed.preference.wantsCount {
            guard query.offset <= total else {
                throw RestFailure.offsetBeyond(
                    query.offset, total: total, headers: response.headers)
            }
            if objects.count < total { response.status = 206 }
        }
        if parsed.request.method == .head { response.body = .empty }
        return response
    }

    /// Adds what a result says about itself.
    private func addHeaders(
        to response: inout Response, first: Int, count: Int, total: Int?, _ parsed: Parsed
    ) {
        let range = count == 0 || total == 0 ? "*" : "\(first)-\(first + count - 1)"
        response.headers["Content-Range"] = range + "/" + (total.map(String.init) ?? "*")
        addNegotiated(to: &response, parsed)
    }

    /// Adds the schema that a header chose, if there is a body, and the applied preferences.
    private func addNegotiated(to response: inout Response, _ parsed: Parsed) {
        if response.headers["Content-Type"] != nil, let profile = parsed.profile {
            response.headers["Content-Profile"] = profile
        }
        parsed.preference.addAppliedHeader(to: &response)
    }

    // MARK: Changing and deleting

    private func update(_ parsed: Parsed) async throws -> Response {
        let schema = parsed.schema
        let payload = try RowPayload(
            parsed.request, schema, columns: parsed.parameters.columns, now: microseconds)
        // Of several objects PostgreSQL takes one.
        let changes = payload.rows.first ?? [:]
        let candidates =
            payload.columns.isEmpty || payload.rows.isEmpty
            ? [] : try await findRows(parsed, .update)
        return try await change(candidates, parsed, .update) { storage, row in
            var changed = row
            for column in payload.columns {
                guard let index = schema.index(of: column.name) else { continue }
                changed.values[index] =
                    try changes[column.name]
                    ?? (parsed.preference.fillsDefaults
                        ? defaultValue(of: column, schema, storage) : .null)
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
    func checkNew(
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
            return try finish(
                parsed, rows, storage, status: parsed.preference.wantsRows ? 200 : 204)
        }
    }

    /// The response to a write. Throws if the number of rows is not what the client requires, or to
    /// undo everything.
    func finish(
        _ parsed: Parsed, _ rows: [TableRow], _ storage: RowStorage, status: Int
    ) throws -> Response {
        let preference = parsed.preference
        let method = parsed.request.method
        if parsed.format.isSingle, rows.count != 1 { throw RestFailure.notSingleRow(rows.count) }
        if let limit = preference.maxAffected, rows.count > limit,
            [.patch, .delete].contains(method)
        {
            throw RestFailure.tooManyAffected(rows.count)
        }
        var response = Response(status: status)
        if preference.wantsRows {
            let prepared = try RowEvaluator(storage, client).prepare(parsed.query)
            response = try parsed.format.response(
                try rows.map(prepared.object), names: parsed.names, status: status)
        } else if preference.returnPreference == .headers, method == .post, rows.count == 1 {
            response.headers["Location"] = location(of: rows[0], parsed.schema)
        }
        if method == .put {
            addNegotiated(to: &response, parsed)
        } else {
            addHeaders(
                to: &response, first: 0, count: method == .patch ? rows.count : 0,
                total: preference.wantsCountOfWrite ? rows.count : nil, parsed)
        }
        if preference.rollsBack { throw RolledBack(response: response) }
        return response
    }

    private func location(of row: TableRow, _ schema: TableSchema) -> String? {
        guard !schema.primaryKey.isEmpty else { return nil }
        let key = schema.columns.indices.filter {
            schema.primaryKey.contains(schema.columns[$0].name)
        }
        .map { index in
            let column = schema.columns[index]
            return (column.name, "eq." + column.type.text(of: row.values[index]))
        }
        return "/\(schema.name)?" + Form.encode(key)
    }
}

/// Undoes a write whose response is sent all the same.
private struct RolledBack: Error { let response: Response }
