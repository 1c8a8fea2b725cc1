import Backend
import SQLite
import Web

/// Writes to the table: signed-in users to their own row, the service role to any.
extension SocotoContract {
    func updateRows(_ request: Request, _ query: SocotoQuery, _ client: Requester, in realm: Realm)
        async throws -> Response
    {
        let changes = try SocotoRowChanges(single: request)
        let candidates = changes.isEmpty ? [] : try await findRows(query, client, in: realm)
        let rows = try await services.database.write { connection in
            var rows: [SocotoProfileRow] = []
            for (account, row) in try Self.reloadRows(candidates, query, in: realm, on: connection)
            {
                var row = row
                try changes.apply(to: &row)
                guard row[.id] == .string(account.id) else {
                    throw client.role == .service
                        ? SocotoRestFailure.unknownUser(row[.id].scalarText ?? "")
                        : SocotoRestFailure.policyViolation(client.role)
                }
                var user = SocotoUser(account)
                user.row = row
                try connection.save(user, of: account)
                rows.append(row)
            }
            // If a single object is requested and the number of rows differs, nothing is changed.
            try Self.checkSingleRow(rows, request)
            return rows
        }
        return try Self.changeResponse(rows, request, query)
    }

    func deleteRows(_ request: Request, _ query: SocotoQuery, _ client: Requester, in realm: Realm)
        async throws -> Response
    {
        // The policies let only the service role delete.
        let candidates = client.role == .service ? try await findRows(query, client, in: realm) : []
        let rows = try await services.database.write { connection in
            var rows: [SocotoProfileRow] = []
            for (account, row) in try Self.reloadRows(candidates, query, in: realm, on: connection)
            {
                var user = SocotoUser(account)
                user.row = nil
                try connection.save(user, of: account)
                rows.append(row)
            }
            try Self.checkSingleRow(rows, request)
            return rows
        }
        return try Self.changeResponse(rows, request, query)
    }

    /// The rows a change applies to, selected before the write: all requests share the writer, and
    /// the cost of a filter is up to the client.
    private func findRows(_ query: SocotoQuery, _ client: Requester, in realm: Realm) async throws
        -> [FoundRow]
    {
        try await services.database.read { connection in
            try Self.visibleRows(to: client, in: realm, on: connection).map {
                FoundRow(accountID: $0.account.id, row: $0.row)
            }
        }.filter { query.matches($0.row) }
    }

    /// A matching row with its account.
    private struct FoundRow: Sendable {
        let accountID: String
        let row: SocotoProfileRow
    }

    /// The selected rows as they are inside the write. A row that has changed since must match
    /// again, as in PostgreSQL.
    private static func reloadRows(
        _ candidates: [FoundRow], _ query: SocotoQuery, in realm: Realm, on connection: Connection
    ) throws -> [(account: Account, row: SocotoProfileRow)] {
        try candidates.compactMap { candidate in
            guard let account = try connection.account(candidate.accountID, in: realm),
                let row = SocotoUser(account).row, row == candidate.row || query.matches(row)
            else { return nil }
            return (account, row)
        }
    }

    func insertRows(_ request: Request, _ query: SocotoQuery, _ client: Requester, in realm: Realm)
        async throws -> Response
    {
        let bodies = try SocotoRowChanges.parseAll(request)
        let preference = SocotoPreferHeader(request)
        let now = services.now(in: realm)
        let (rows, hasNew) = try await services.database.write {
            connection -> ([SocotoProfileRow], Bool) in
            var rows: [SocotoProfileRow] = []
            var hasNew = bodies.isEmpty
            for changes in bodies {
                // The policies let only the service role insert.
                guard client.role == .service else {
                    throw SocotoRestFailure.policyViolation(client.role)
                }
                var row = SocotoProfileRow(at: now)
                try changes.apply(to: &row)
                let id = row[.id].scalarText ?? ""
                guard let account = try connection.account(id, in: realm) else {
                    throw SocotoRestFailure.unknownUser(id)
                }
                var user = SocotoUser(account)
                if var existing = user.row {
                    switch preference.resolution {
                    case nil: throw SocotoRestFailure.duplicateID(id)
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

    private static func checkSingleRow(_ rows: [SocotoProfileRow], _ request: Request)
        throws(SocotoRestFailure)
    {
        guard SocotoPreferHeader(request).wantsRows, wantsSingleObject(request), rows.count != 1
        else {
            return
        }
        throw .notSingleRow(rows.count)
    }

    private static func changeResponse(
        _ rows: [SocotoProfileRow], _ request: Request, _ query: SocotoQuery
    )
        throws -> Response
    {
        let preference = SocotoPreferHeader(request)
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
