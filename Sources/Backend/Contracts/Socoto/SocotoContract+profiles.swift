import SQLite
import Secrets
import Web

/// The one table: `/rest/v1/profiles`.
extension SocotoContract {
    /// Who asks a table, which decides what they may see.
    struct Reader: Sendable {
        let role: SocotoKeys.Role
        /// The account, for somebody who is signed in.
        var subject: String?
    }

    @Sendable func profiles(_ visit: Visit) async throws -> Response {
        let request = visit.request
        let realm = realm(visit)
        let reader = try reader(request, in: realm)
        let isReading = request.method.isSafe
        let profile = request.headers[isReading ? "Accept-Profile" : "Content-Profile"]
        if let profile, profile != "public" { throw SocotoRestFailure.noSchema(profile) }
        let table = visit.parameters["table"] ?? ""
        guard table == "profiles" else { throw SocotoRestFailure.noTable(table) }
        let query = try SocotoQuery(visit)
        switch request.method {
        case .post: return try await insert(request, query, reader, in: realm)
        case .patch: return try await update(request, query, reader, in: realm)
        case .delete: return try await remove(request, query, reader, in: realm)
        default: return try await select(request, query, reader, in: realm)
        }
    }

    /// The token decides, never the key (the gateway's concern). As at the
    /// real one a token counts until it expires, whatever its session.
    private func reader(_ request: Request, in realm: Realm) throws -> Reader {
        guard let token = Bearer(request).token else { return Reader(role: .anon) }
        switch tokens.read(token, at: premises.now(in: realm)) {
        case .valid(let claims): return Reader(role: .authenticated, subject: claims.subject)
        case .expired: throw SocotoRestFailure.expired
        case .refused: break
        }
        if let role = try gateway.keys.role(of: token, in: realm) { return Reader(role: role) }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).count
        throw parts == 3 ? SocotoRestFailure.unknownKey : .malformedToken(parts: parts)
    }

    private func select(_ request: Request, _ query: SocotoQuery, _ reader: Reader, in realm: Realm)
        async throws -> Response
    {
        let rows = try await premises.database.read { connection in
            try Self.visible(to: reader, in: realm, on: connection).map(\.row)
        }
        let preference = SocotoPreference(request)
        let (page, total) = try query.choose(from: rows)
        if preference.counts, query.offset > total {
            throw SocotoRestFailure.beyond(query.offset, of: total)
        }
        var response = try Self.rows(page, request, query)
        let range = page.isEmpty ? "*" : "\(query.offset)-\(query.offset + page.count - 1)"
        response.headers["Content-Range"] = range + "/" + (preference.counts ? String(total) : "*")
        if preference.counts, page.count < total { response.status = 206 }
        preference.tell(&response)
        if request.method == .head { response.body = .empty }
        return response
    }

    /// Rows as an array, or as the one object that was asked for.
    static func rows(
        _ rows: [SocotoRow], _ request: Request, _ query: SocotoQuery, status: Int = 200
    ) throws(SocotoRestFailure) -> Response {
        let told = rows.map(query.told)
        guard wantsObject(request) else { return .json(.array(told), status: status) }
        guard let one = told.first, told.count == 1 else { throw .notOne(told.count) }
        var response = Response.json(one, status: status)
        response.headers["Content-Type"] = "application/vnd.pgrst.object+json; charset=utf-8"
        return response
    }

    static func wantsObject(_ request: Request) -> Bool {
        request.headers["Accept"]?.contains("application/vnd.pgrst.object+json") ?? false
    }

    /// The rows the policies show: everybody their own, the service all.
    static func visible(to reader: Reader, in realm: Realm, on connection: Connection) throws -> [(
        account: Account, row: SocotoRow
    )] {
        let accounts: [Account]
        switch reader.role {
        case .anon: accounts = []
        case .authenticated:
            accounts = try [reader.subject.flatMap { try connection.account($0, in: realm) }]
                .compactMap { $0 }
        case .service: accounts = try connection.accounts(in: realm)
        }
        return accounts.compactMap { account in SocotoPerson(account).row.map { (account, $0) } }
    }
}
