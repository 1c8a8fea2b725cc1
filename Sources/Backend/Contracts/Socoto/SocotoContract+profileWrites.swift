import SQLite
import Web

/// Changing the table: one's own row, or any as the service.
extension SocotoContract {
    func updateRows(_ request: Request, _ query: SocotoQuery, _ reader: Requester, in realm: Realm)
        async throws -> Response
    {
        let changes = try SocotoRowChanges(single: request)
        let found = changes.isEmpty ? [] : try await findRows(query, reader, in: realm)
        let rows = try await services.database.write { connection in
            var rows: [SocotoProfileRow] = []
            for (account, row) in try Self.reloadRows(found, query, in: realm, on: connection) {
                var row = row
                try changes.apply(to: &row)
                guard row[.id] == .string(account.id) else {
                    throw reader.role == .service
                        ? SocotoRestFailure.unknownUser(row[.id].scalarText ?? "")
                        : SocotoRestFailure.policyViolation(reader.role)
                }
                var person = SocotoUser(account)
                person.row = row
                try connection.save(person, of: account)
                rows.append(row)
            }
            // Asked for one and found others: nothing is changed.
            try Self.checkSingleRow(rows, request)
            return rows
        }
        return try Self.changeResponse(rows, request, query)
    }

    func deleteRows(_ request: Request, _ query: SocotoQuery, _ reader: Requester, in realm: Realm)
        async throws -> Response
    {
        // No policy lets anybody else delete.
        let found = reader.role == .service ? try await findRows(query, reader, in: realm) : []
        let rows = try await services.database.write { connection in
            var rows: [SocotoProfileRow] = []
            for (account, row) in try Self.reloadRows(found, query, in: realm, on: connection) {
                var person = SocotoUser(account)
                person.row = nil
                try connection.save(person, of: account)
                rows.append(row)
            }
            try Self.checkSingleRow(rows, request)
            return rows
        }
        return try Self.changeResponse(rows, request, query)
    }

    /// The rows a change is for, sought before the write: the writer is
    /// everybody's, and a filter costs what its client wants.
    private func findRows(_ query: SocotoQuery, _ reader: Requester, in realm: Realm) async throws
        -> [FoundRow]
    {
        try await services.database.read { connection in
            try Self.visibleRows(to: reader, in: realm, on: connection).map {
                FoundRow(accountID: $0.account.id, row: $0.row)
            }
        }.filter { query.matches($0.row) }
    }

    /// A row that was found, and whose it is.
    private struct FoundRow: Sendable {
        let accountID: String
        let row: SocotoProfileRow
    }

    /// What was found as it is in the write; what changed since must match
    /// again, as PostgreSQL has it.
    private static func reloadRows(
        _ found: [FoundRow], _ query: SocotoQuery, in realm: Realm, on connection: Connection
    ) throws -> [(account: Account, row: SocotoProfileRow)] {
        try found.compactMap { old in
            guard let account = try connection.account(old.accountID, in: realm),
                let row = SocotoUser(account).row, row == old.row || query.matches(row)
            else { return nil }
            return (account, row)
        }
    }

    func insertRows(_ request: Request, _ query: SocotoQuery, _ reader: Requester, in realm: Realm)
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
                // No policy lets anybody else add.
                guard reader.role == .service else {
                    throw SocotoRestFailure.policyViolation(reader.role)
                }
                var row = SocotoProfileRow(at: now)
                try changes.apply(to: &row)
                let id = row[.id].scalarText ?? ""
                guard let account = try connection.account(id, in: realm) else {
                    throw SocotoRestFailure.unknownUser(id)
                }
                var person = SocotoUser(account)
                if var old = person.row {
                    switch preference.resolution {
                    case nil: throw SocotoRestFailure.duplicateID(id)
                    case .ignore: continue
                    case .merge: try changes.apply(to: &old)
                    }
                    row = old
                } else {
                    hasNew = true
                }
                person.row = row
                try connection.save(person, of: account)
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
