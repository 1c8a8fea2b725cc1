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
        case .post: return try await insertRows(request, query, client)
        case .patch: return try await updateRows(request, query, client)
        case .delete: return try await deleteRows(request, query, client)
        default: return try await selectRows(request, query, client)
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

    private func selectRows(_ request: Request, _ query: TableQuery, _ client: Requester)
        async throws -> Response
    {
        let rows = try await database.read { connection in
            try visibleRows(to: client, on: connection).map(\.row)
        }
        let preference = PreferHeader(request)
        let (page, total) = try query.selectPage(from: rows)
        if preference.wantsCount, query.offset > total {
            throw RestFailure.invalidRange(
                "An offset of \(query.offset) was requested, but there are only \(total) rows.")
        }
        var response = try Self.rowsResponse(page, request, query)
        let range = page.isEmpty ? "*" : "\(query.offset)-\(query.offset + page.count - 1)"
        response.headers["Content-Range"] =
            range + "/" + (preference.wantsCount ? String(total) : "*")
        if preference.wantsCount, page.count < total { response.status = 206 }
        preference.addAppliedHeader(to: &response)
        if request.method == .head { response.body = .empty }
        return response
    }

    /// Rows as an array, or as a single object if requested.
    static func rowsResponse(
        _ rows: [ProfileRow], _ request: Request, _ query: TableQuery, status: Int = 200
    ) throws(RestFailure) -> Response {
        let objects = rows.map(query.projectedJSON)
        guard wantsSingleObject(request) else { return .json(.array(objects), status: status) }
        guard let object = objects.first, objects.count == 1 else {
            throw .notSingleRow(objects.count)
        }
        var response = Response.json(object, status: status)
        response.headers["Content-Type"] = "application/vnd.pgrst.object+json; charset=utf-8"
        return response
    }

    static func wantsSingleObject(_ request: Request) -> Bool {
        request.headers["Accept"]?.contains("application/vnd.pgrst.object+json") ?? false
    }

    /// The rows the policies make visible: users see their own, the service role all.
    func visibleRows(to client: Requester, on connection: Connection) throws -> [(
        account: Account, row: ProfileRow
    )] {
        let accounts: [Account]
        switch client.role {
        case .anon: accounts = []
        case .authenticated:
            accounts = try [client.subject.flatMap { try connection.account($0, in: realm) }]
                .compactMap { $0 }
        case .service: accounts = try connection.accounts(in: realm)
        }
        return accounts.compactMap { account in SocotoUser(account).row.map { (account, $0) } }
    }

    // MARK: Writes to the table: signed-in users to their own row, the service role to any

    func updateRows(_ request: Request, _ query: TableQuery, _ client: Requester) async throws
        -> Response
    {
        let changes = try RowChanges(single: request)
        let candidates = changes.isEmpty ? [] : try await findRows(query, client)
        return try await changeRows(candidates, request, query) { row, account in
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

    func deleteRows(_ request: Request, _ query: TableQuery, _ client: Requester) async throws
        -> Response
    {
        // The policies let only the service role delete.
        let candidates = client.role == .service ? try await findRows(query, client) : []
        return try await changeRows(candidates, request, query) { _, _ in nil }
    }

    /// Replaces the selected rows by what `change` returns, or deletes those for which it is nil.
    private func changeRows(
        _ candidates: [FoundRow], _ request: Request, _ query: TableQuery,
        change: @escaping @Sendable (ProfileRow, Account) throws -> ProfileRow?
    ) async throws -> Response {
        let rows = try await database.write { connection in
            let rows = try reloadRows(candidates, query, on: connection).map { account, row in
                var user = SocotoUser(account)
                user.row = try change(row, account)
                try connection.save(user, of: account)
                return user.row ?? row
            }
            // If a single object is requested and the number of rows differs, nothing is changed.
            try Self.checkSingleRow(rows, request)
            return rows
        }
        return try Self.changeResponse(rows, request, query)
    }

    /// The rows a change applies to, selected before the write: all requests share the writer, and
    /// the cost of a filter is up to the client.
    private func findRows(_ query: TableQuery, _ client: Requester) async throws -> [FoundRow] {
        try await database.read { connection in
            try visibleRows(to: client, on: connection).map {
                FoundRow(accountID: $0.account.id, row: $0.row)
            }
        }.filter { query.matches($0.row) }
    }

    /// A matching row with its account.
    private struct FoundRow: Sendable {
        let accountID: String
        let row: ProfileRow
    }

    /// The selected rows as they are inside the write. A row that has changed since must match
    /// again, as in PostgreSQL.
    private func reloadRows(
        _ candidates: [FoundRow], _ query: TableQuery, on connection: Connection
    ) throws -> [(account: Account, row: ProfileRow)] {
        try candidates.compactMap { candidate in
            guard let account = try connection.account(candidate.accountID, in: realm),
                let row = SocotoUser(account).row, row == candidate.row || query.matches(row)
            else { return nil }
            return (account, row)
        }
    }

    func insertRows(_ request: Request, _ query: TableQuery, _ client: Requester) async throws
        -> Response
    {
        let bodies = try RowChanges.parseAll(request)
        let preference = PreferHeader(request)
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
            try Self.checkSingleRow(rows, request)
            return (rows, hasNew)
        }
        var response =
            preference.wantsRows
            ? try Self.rowsResponse(rows, request, query, status: hasNew ? 201 : 200)
            : Response(status: hasNew ? 201 : 200)
        if preference.returnPreference == .headers, let row = rows.first {
            response.headers["Location"] = "/profiles?id=eq.\(row[.id].scalarText ?? "")"
        }
        response.headers["Content-Range"] = "*/*"
        preference.addAppliedHeader(to: &response)
        return response
    }

    private static func checkSingleRow(_ rows: [ProfileRow], _ request: Request) throws(RestFailure)
    {
        guard PreferHeader(request).wantsRows, wantsSingleObject(request), rows.count != 1 else {
            return
        }
        throw .notSingleRow(rows.count)
    }

    private static func changeResponse(
        _ rows: [ProfileRow], _ request: Request, _ query: TableQuery
    ) throws -> Response {
        let preference = PreferHeader(request)
        var response =
            preference.wantsRows
            ? try Self.rowsResponse(rows, request, query) : Response(status: 204)
        let range = rows.isEmpty || !preference.wantsRows ? "*" : "0-\(rows.count - 1)"
        response.headers["Content-Range"] =
            range + "/" + (preference.wantsCount ? String(rows.count) : "*")
        preference.addAppliedHeader(to: &response)
        return response
    }
}
