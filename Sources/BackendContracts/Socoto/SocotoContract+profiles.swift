import Backend
import Crypto
import SQLite
import Web

/// The one table: `/rest/v1/profiles`.
extension SocotoContract {
    /// The client of a table request, which determines the visible rows.
    struct Requester: Sendable {
        let role: SocotoAPIKeys.Role
        /// The account of a signed-in user.
        var subject: String?
    }

    @Sendable func profiles(_ context: RequestContext) async throws -> Response {
        let request = context.request
        let realm = realm(context)
        let client = try requester(request, in: realm)
        let isReading = request.method.isSafe
        let profile = request.headers[isReading ? "Accept-Profile" : "Content-Profile"]
        if let profile, profile != "public" { throw SocotoRestFailure.invalidSchema(profile) }
        let table = context.parameters["table"] ?? ""
        guard table == "profiles" else { throw SocotoRestFailure.tableNotFound(table) }
        let query = try SocotoQuery(context)
        switch request.method {
        case .post: return try await insertRows(request, query, client, in: realm)
        case .patch: return try await updateRows(request, query, client, in: realm)
        case .delete: return try await deleteRows(request, query, client, in: realm)
        default: return try await selectRows(request, query, client, in: realm)
        }
    }

    /// The role depends on the token, never on the API key, which only the gateway checks. As at
    /// the real server, a token is valid until it expires, whatever its session.
    private func requester(_ request: Request, in realm: Realm) throws -> Requester {
        guard let token = Bearer(request).token else { return Requester(role: .anon) }
        switch accessTokens.validate(token, at: services.now(in: realm)) {
        case .valid(let claims): return Requester(role: .authenticated, subject: claims.subject)
        case .expired: throw SocotoRestFailure.tokenExpired
        case .invalid: break
        }
        if let role = try gateway.keys.role(of: token, in: realm) { return Requester(role: role) }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).count
        throw parts == 3 ? SocotoRestFailure.unknownSigningKey : .malformedToken(parts: parts)
    }

    private func selectRows(
        _ request: Request, _ query: SocotoQuery, _ client: Requester, in realm: Realm
    )
        async throws -> Response
    {
        let rows = try await services.database.read { connection in
            try Self.visibleRows(to: client, in: realm, on: connection).map(\.row)
        }
        let preference = SocotoPreferHeader(request)
        let (page, total) = try query.selectPage(from: rows)
        if preference.wantsCount, query.offset > total {
            throw SocotoRestFailure.invalidRange(
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
        _ rows: [SocotoProfileRow], _ request: Request, _ query: SocotoQuery, status: Int = 200
    ) throws(SocotoRestFailure) -> Response {
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
    static func visibleRows(to client: Requester, in realm: Realm, on connection: Connection) throws
        -> [(
            account: Account, row: SocotoProfileRow
        )]
    {
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
}
