import Backend
import Crypto
import SQLite
import TableSchemas
import Web

/// The tables: `/rest/v1/{table}`.
extension SocotoContract {
    var restRoutes: [Route] {
        let methods: [Method] = [.get, .post, .put, .patch, .delete]
        let checks: [RequestCheck] = [.fields, .permission, .state]
        return methods.map { method in
            apiKeyRoute(method, "/rest/v1/{table}", Self.serveTable, checks)
        } + [
            route(.options, "/rest/v1/{table}", Self.tableOptions),
            apiKeyRoute(.get, "/rest/v1", Self.describeTables, []),
        ] + functionRoutes
    }

    func serveTable(_ context: RequestContext) async throws -> Response {
        let request = context.request
        let client = try requester(request)
        let profile = request.headers[request.method.isSafe ? "Accept-Profile" : "Content-Profile"]
        if let profile, profile != "public" { throw RestFailure.invalidSchema(profile) }
        return try await tableServer(client, at: now).respond(
            context, table: context.parameters["table"] ?? "")
    }

    /// OPTIONS: the methods that a table allows.
    func tableOptions(_ context: RequestContext) async throws -> Response {
        _ = try tableCatalog.table(context.parameters["table"] ?? "")
        return Response(
            status: 200, headers: ["Allow": "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"])
    }

    /// GET /: the tables in OpenAPI.
    func describeTables(_ context: RequestContext) async throws -> Response {
        _ = try requester(context.request)
        let url = URLParts(rootURL)
        var response = Response.json(
            TableOpenAPI.document(
                tableCatalog.tables, host: String(url.authority ?? ""), path: url.path + "/rest/v1")
        )
        response.headers["Content-Type"] = "application/openapi+json; charset=utf-8"
        if context.request.method == .head { response.body = .empty }
        return response
    }

    private var tableCatalog: TableCatalog {
        var profiles = Self.profiles
        if isOn(Self.showsProfilesToAll) { profiles.rules[.select] = [RowRule()] }
        return TableCatalog(
            tables: services.declaredTables.tables(of: Self.id, builtIn: [profiles]))
    }

    private func tableServer(_ client: Requester, at now: Timestamp) -> TableServer {
        TableServer(
            database: database, catalog: tableCatalog, realm: realm, client: client,
            world: services.world, now: now)
    }

    /// The role depends on the token, never on the API key, which only the gateway checks. As at
    /// the real server, a token is valid until it expires, whatever its session.
    func requester(_ request: Request) throws -> Requester {
        let token: String
        switch Bearer(request) {
        case .missing: return Requester(role: .anon)
        case .empty: throw RestFailure.emptyToken
        case .token(let text): token = text
        }
        switch accessTokens.validate(token, at: now) {
        case .valid(let claims):
            let text = Token(decoding: token).claims ?? ""
            let json = (try? JSON(parsing: text)) ?? [:]
            var role = Requester.Role.anon
            if let claim = json["role"], claim != .null {
                let name = claim.string ?? claim.description
                role = try Requester.Role(rawValue: name).orThrow(RestFailure.unknownRole(name))
            }
            return Requester(role: role, subject: claims.subject, claims: json)
        case .expired: throw RestFailure.tokenExpired
        case .invalid: break
        }
        if let role = try apiKeys.role(of: token, in: realm),
            let known = Requester.Role(rawValue: role.rawValue)
        {
            return Requester(role: known)
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).count
        guard parts == 3 else { throw RestFailure.malformedToken(parts: parts) }
        guard let header = try? JSON(parsing: Token(decoding: token).header ?? "") else {
            throw RestFailure.undecodableToken
        }
        throw header["alg"] == "none" ? RestFailure.unsignedToken : .unknownSigningKey
    }

    // MARK: Sign-up

    func didAdd(_ account: Account, on connection: Connection) throws {
        do { try addSignUpRows(of: account, on: connection) } catch let failure as RestFailure {
            throw Problem(
                status: 422, code: "row-rejected", title: "Row of the new account rejected",
                detail: failure.message)
        }
    }

    func addSignUpRows(of account: Account, on connection: Connection) throws {
        let client = Requester(role: .service, subject: account.id)
        try tableServer(client, at: account.createdAt).addSignUpRows(
            of: account, metadata: .object(SocotoUser(account).metadata), on: connection)
    }

    /// The table of Socoto's specification.
    static let profiles = TableSchema(
        name: "profiles",
        columns: [
            .init(
                "id", ColumnType(.uuid), isRequired: true,
                reference: .init(.users, onDelete: .cascade)),
            .init("email", ColumnType(.text), isRequired: true, defaultValue: .literal("")),
            .init("full_name", ColumnType(.text), isRequired: true, defaultValue: .literal("")),
            .init("role", ColumnType(.text), isRequired: true, defaultValue: .literal("user")),
            .init("avatar_url", ColumnType(.text)), .init("bio", ColumnType(.text)),
            .init("location", ColumnType(.text)), .init("phone_number", ColumnType(.text)),
            .init("preferences", ColumnType(.jsonb)),
            .init("created_at", ColumnType(.timestamptz), defaultValue: .now),
            .init("updated_at", ColumnType(.timestamptz), defaultValue: .now),
            .init("username", ColumnType(.text), check: .init(minLength: 3)),
            .init("website", ColumnType(.text)),
        ], primaryKey: ["id"], uniqueKeys: [["username"]],
        rules: [
            .select: [RowRule([.authenticated], ownerColumn: "id")],
            .insert: [RowRule([.authenticated], ownerColumn: "id")],
            .update: [RowRule([.authenticated], ownerColumn: "id")],
        ],
        signUpRow: [
            SignUpValue("id", .id), SignUpValue("email", .email, .constant("")),
            SignUpValue("full_name", .metadata("full_name"), .constant("")),
            SignUpValue("avatar_url", .metadata("avatar_url")),
            SignUpValue("role", .metadata("role"), .metadata("user_type")),
        ])
}
