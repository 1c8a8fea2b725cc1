import Backend
import Crypto
import SQLite
import Web

/// The one table: `/rest/v1/profiles`.
extension SocotoContract {
    /// The client of a table request, which determines the visible rows.
    struct Requester: Sendable {
        let role: ProjectAPIKeys.Role
        /// The account of a signed-in user.
        var subject: String?
    }

    func profiles(_ context: RequestContext) async throws -> Response {
        let request = context.request
        let client = try requester(request)
        let isReading = request.method.isSafe
        let profile = request.headers[isReading ? "Accept-Profile" : "Content-Profile"]
        if let profile, profile != "public" { throw RestFailure.invalidSchema(profile) }
        let table = context.parameters["table"] ?? ""
        guard table == "profiles" else { throw RestFailure.tableNotFound(table) }
        let query = try TableQuery(context)
        switch request.method {
        case .post: return try await insertRows(query, client)
        case .patch: return try await updateRows(query, client)
        case .delete: return try await deleteRows(query, client)
        default: return try await selectRows(query, client)
        }
    }

    /// The role depends on the token, never on the API key, which only the gateway checks. As at
    /// the real server, a token is valid until it expires, whatever its session.
    private func requester(_ request: Request) throws -> Requester {
        guard let token = Bearer(request).token else { return Requester(role: .anon) }
        switch accessTokens.validate(token, at: now) {
        case .valid(let claims): return Requester(role: .authenticated, subject: claims.subject)
        case .expired: throw RestFailure.tokenExpired
        case .invalid: break
        }
        if let role = try apiKeys.role(of: token, in: realm) { return Requester(role: role) }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).count
        throw parts == 3 ? RestFailure.unknownSigningKey : .malformedToken(parts: parts)
    }

    private func selectRows(_ query: TableQuery, _ client: Requester) async throws -> Response {
        let rows = try await database.read(isLong: true) { connection in
            try visibleRows(to: client, on: connection).map(\.row)
        }
        let (page, total) = try query.selectPage(from: rows)
        let wantsCount = query.preference.wantsCount
        if wantsCount, query.offset > total {
            throw RestFailure.invalidRange(
                "An offset of \(query.offset) was requested, but there are only \(total) rows.")
        }
        let range = page.isEmpty ? "*" : "\(query.offset)-\(query.offset + page.count - 1)"
        var response = try Self.rowsResponse(page, query)
        Self.addHeaders(to: &response, range: range, total: total, query)
        if wantsCount, page.count < total { response.status = 206 }
        if query.request.method == .head { response.body = .empty }
        return response
    }

    private static func addHeaders(
        to response: inout Response, range: String, total: Int, _ query: TableQuery
    ) {
        response.headers["Content-Range"] =
            range + "/" + (query.preference.wantsCount ? String(total) : "*")
        query.preference.addAppliedHeader(to: &response)
    }

    /// Rows as an array, or as a single object if requested.
    private static func rowsResponse(_ rows: [ProfileRow], _ query: TableQuery, status: Int = 200)
        throws(RestFailure) -> Response
    {
        let objects = rows.map(query.projectedJSON)
        guard query.wantsSingleObject else { return .json(.array(objects), status: status) }
        guard let object = objects.first, objects.count == 1 else {
            throw .notSingleRow(objects.count)
        }
        var response = Response.json(object, status: status)
        response.headers["Content-Type"] = "application/vnd.pgrst.object+json; charset=utf-8"
        return response
    }

    private typealias FoundRow = (account: Account, row: ProfileRow)

    /// The rows the policies make visible: users see their own, the service role all.
    private func visibleRows(to client: Requester, on connection: Connection) throws -> [FoundRow] {
        let accounts: [Account] =
            switch client.role {
            case .anon: []
            case .authenticated:
                try [client.subject.flatMap { try connection.account($0, in: realm) }].compactMap {
                    $0
                }
            case .service: try connection.accounts(in: realm)
            }
        return accounts.compactMap { account in SocotoUser(account).row.map { (account, $0) } }
    }

    // MARK: Writes to the table: signed-in users to their own row, the service role to any

    private func updateRows(_ query: TableQuery, _ client: Requester) async throws -> Response {
        let changes = try RowChanges(single: query.request)
        let candidates = changes.isEmpty ? [] : try await findRows(query, client)
        return try await changeRows(candidates, query) { row, account in
            var row = row
            try changes.apply(to: &row)
            guard row[.id] == .string(account.id) else {
                throw client.role == .service
                    ? RestFailure.unknownUser(row[.id].scalarText ?? "")
                    : RestFailure.policyViolation(client.role)
            }
            return row
        }
    }

    private func deleteRows(_ query: TableQuery, _ client: Requester) async throws -> Response {
        // The policies let only the service role delete.
        let candidates = client.role == .service ? try await findRows(query, client) : []
        return try await changeRows(candidates, query) { _, _ in nil }
    }

    /// Replaces the selected rows by what `change` returns, or deletes those for which it is nil.
    private func changeRows(
        _ candidates: [FoundRow], _ query: TableQuery,
        change: @escaping @Sendable (ProfileRow, Account) throws -> ProfileRow?
    ) async throws -> Response {
        let rows = try await database.write { connection in
            let rows = try reloadRows(candidates, query, on: connection).map { account, row in
                var user = SocotoUser(account)
                user.row = try change(row, account)
                try connection.save(user, of: account)
                return user.row ?? row
            }
            try Self.checkSingleRow(rows, query)
            return rows
        }
        let wantsRows = query.preference.wantsRows
        var response = wantsRows ? try Self.rowsResponse(rows, query) : Response(status: 204)
        let range = rows.isEmpty || !wantsRows ? "*" : "0-\(rows.count - 1)"
        Self.addHeaders(to: &response, range: range, total: rows.count, query)
        return response
    }

    /// The rows a change applies to, selected before the write: all requests share the writer, and
    /// the cost of a filter is up to the client.
    private func findRows(_ query: TableQuery, _ client: Requester) async throws -> [FoundRow] {
        try await database.read(isLong: true) { connection in
            try visibleRows(to: client, on: connection)
        }.filter { query.matches($0.row) }
    }

    /// The selected rows as they are inside the write. A row that has changed since must match
    /// again, as in PostgreSQL.
    private func reloadRows(
        _ candidates: [FoundRow], _ query: TableQuery, on connection: Connection
    ) throws -> [FoundRow] {
        try candidates.compactMap { candidate in
            guard let account = try connection.account(candidate.account.id, in: realm),
                let row = SocotoUser(account).row, row == candidate.row || query.matches(row)
            else { return nil }
            return (account, row)
        }
    }

    private func insertRows(_ query: TableQuery, _ client: Requester) async throws -> Response {
        let bodies = try RowChanges.parseAll(query.request)
        let preference = query.preference
        let (rows, hasNew) = try await write { connection, now -> ([ProfileRow], Bool) in
            var rows: [ProfileRow] = []
            var hasNew = bodies.isEmpty
            for changes in bodies {
                // The policies let only the service role insert.
                guard client.role == .service else {
                    throw RestFailure.policyViolation(client.role)
                }
                var row = ProfileRow(at: now)
                try changes.apply(to: &row)
                let id = row[.id].scalarText ?? ""
                let account = try connection.account(id, in: realm).orThrow(
                    RestFailure.unknownUser(id))
                var user = SocotoUser(account)
                if var existing = user.row {
                    switch preference.resolution {
                    case nil: throw RestFailure.duplicateID(id)
                    case .ignore: continue
                    case .merge: try changes.apply(to: &existing)
                    }
                    row = existing
                } else {
                    hasNew = true
                }
                user.row = row
                try connection.save(user, of: account)
                rows.append(row)
            }
            try Self.checkSingleRow(rows, query)
            return (rows, hasNew)
        }
        let status = hasNew ? 201 : 200
        var response =
            preference.wantsRows
            ? try Self.rowsResponse(rows, query, status: status) : Response(status: status)
        if preference.returnPreference == .headers, let row = rows.first {
            response.headers["Location"] = "/profiles?id=eq.\(row[.id].scalarText ?? "")"
        }
        response.headers["Content-Range"] = "*/*"
        preference.addAppliedHeader(to: &response)
        return response
    }

    /// If a single object is requested and the number of rows differs, nothing is changed.
    private static func checkSingleRow(_ rows: [ProfileRow], _ query: TableQuery)
        throws(RestFailure)
    {
        if query.preference.wantsRows, query.wantsSingleObject, rows.count != 1 {
            throw .notSingleRow(rows.count)
        }
    }
}
