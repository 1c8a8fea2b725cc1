import SQLite
import Web

/// Changing the table: one's own row, or any as the service.
extension SocotoContract {
    func update(_ request: Request, _ query: SocotoQuery, _ reader: Reader, in realm: Realm)
        async throws -> Response
    {
        let changes = try SocotoChanges(one: request)
        let found = changes.isEmpty ? [] : try await find(query, reader, in: realm)
        let rows = try await premises.database.write { connection in
            var rows: [SocotoRow] = []
            for (account, row) in try Self.current(found, query, in: realm, on: connection) {
                var row = row
                try changes.apply(to: &row)
                guard row[.id] == .string(account.id) else {
                    throw reader.role == .service
                        ? SocotoRestFailure.nobody(row[.id].text ?? "")
                        : SocotoRestFailure.policy(reader.role)
                }
                var person = SocotoPerson(account)
                person.row = row
                try connection.save(person, of: account)
                rows.append(row)
            }
            // Asked for one and found others: nothing is changed.
            try Self.checkOne(rows, request)
            return rows
        }
        return try Self.changed(rows, request, query)
    }

    func remove(_ request: Request, _ query: SocotoQuery, _ reader: Reader, in realm: Realm)
        async throws -> Response
    {
        // No policy lets anybody else delete.
        let found = reader.role == .service ? try await find(query, reader, in: realm) : []
        let rows = try await premises.database.write { connection in
            var rows: [SocotoRow] = []
            for (account, row) in try Self.current(found, query, in: realm, on: connection) {
                var person = SocotoPerson(account)
                person.row = nil
                try connection.save(person, of: account)
                rows.append(row)
            }
            try Self.checkOne(rows, request)
            return rows
        }
        return try Self.changed(rows, request, query)
    }

    /// The rows a change is for, sought before the write: the writer is
    /// everybody's, and a filter costs what its client wants.
    private func find(_ query: SocotoQuery, _ reader: Reader, in realm: Realm) async throws
        -> [Found]
    {
        try await premises.database.read { connection in
            try Self.visible(to: reader, in: realm, on: connection).map {
                Found(account: $0.account.id, row: $0.row)
            }
        }.filter { query.matches($0.row) }
    }

    /// A row that was found, and whose it is.
    private struct Found: Sendable {
        let account: String
        let row: SocotoRow
    }

    /// What was found as it is in the write; what changed since must match
    /// again, as PostgreSQL has it.
    private static func current(
        _ found: [Found], _ query: SocotoQuery, in realm: Realm, on connection: Connection
    ) throws -> [(account: Account, row: SocotoRow)] {
        try found.compactMap { old in
            guard let account = try connection.account(old.account, in: realm),
                let row = SocotoPerson(account).row, row == old.row || query.matches(row)
            else { return nil }
            return (account, row)
        }
    }

    func insert(_ request: Request, _ query: SocotoQuery, _ reader: Reader, in realm: Realm)
        async throws -> Response
    {
        let bodies = try SocotoChanges.all(request)
        let preference = SocotoPreference(request)
        let now = premises.now(in: realm)
        let (rows, hasNew) = try await premises.database.write {
            connection -> ([SocotoRow], Bool) in
            var rows: [SocotoRow] = []
            var hasNew = bodies.isEmpty
            for changes in bodies {
                // No policy lets anybody else add.
                guard reader.role == .service else { throw SocotoRestFailure.policy(reader.role) }
                var row = SocotoRow(at: now)
                try changes.apply(to: &row)
                let id = row[.id].text ?? ""
                guard let account = try connection.account(id, in: realm) else {
                    throw SocotoRestFailure.nobody(id)
                }
                var person = SocotoPerson(account)
                if var old = person.row {
                    switch preference.resolution {
                    case nil: throw SocotoRestFailure.taken(id)
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
            try Self.checkOne(rows, request)
            return (rows, hasNew)
        }
        var response =
            preference.wantsRows
            ? try Self.rows(rows, request, query, status: hasNew ? 201 : 200)
            : Response(status: hasNew ? 201 : 200)
        if preference.answer == .headers, let row = rows.first {
            response.headers["Location"] = "/profiles?id=eq.\(row[.id].text ?? "")"
        }
        response.headers["Content-Range"] = "*/*"
        preference.tell(&response)
        return response
    }

    private static func checkOne(_ rows: [SocotoRow], _ request: Request) throws(SocotoRestFailure)
    {
        guard SocotoPreference(request).wantsRows, wantsObject(request), rows.count != 1 else {
            return
        }
        throw .notOne(rows.count)
    }

    private static func changed(_ rows: [SocotoRow], _ request: Request, _ query: SocotoQuery)
        throws -> Response
    {
        let preference = SocotoPreference(request)
        var response =
            preference.wantsRows ? try Self.rows(rows, request, query) : Response(status: 204)
        let range = rows.isEmpty || !preference.wantsRows ? "*" : "0-\(rows.count - 1)"
        response.headers["Content-Range"] =
            range + "/" + (preference.counts ? String(rows.count) : "*")
        preference.tell(&response)
        return response
    }
}
