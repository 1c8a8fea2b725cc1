import Backend
import Core
import SQLite
import Web

/// Administration of users, with the project's service key.
extension SocotoContract {
    var adminRoutes: [Route] {
        let checks: [RequestCheck] = .bearer + [.permission]
        return [
            authRoute(.get, "/admin/users", Self.listUsers, checks),
            authRoute(.post, "/admin/users", Self.createUser, checks + .json),
            authRoute(.get, "/admin/users/{user}", Self.readUser, checks),
            authRoute(.put, "/admin/users/{user}", Self.changeUser, checks + .json),
            authRoute(.delete, "/admin/users/{user}", Self.deleteUser, checks),
            authRoute(.get, "/admin/audit", Self.auditLog, checks),
            authRoute(.post, "/admin/generate_link", Self.generateLink, checks + .json),
            authRoute(.post, "/invite", Self.invite, checks + .json),
            authRoute(.get, "/admin/sso/providers", Self.listSSOProviders, checks),
        ]
    }

    /// GET /admin/users: a page of the users of an audience, newest first.
    func listUsers(_ context: RequestContext) async throws -> Response {
        try await requireAdmin(context)
        let isAscending = try Self.isAscending(context.target)
        let page = try AdminPage(context.target)
        let filter = context.target.queryValue("filter")
        let audience = audience(context)
        let (accounts, total) = try await database.read { connection in
            try connection.accounts(
                containing: filter, profilePath: "$.metadata.full_name",
                value: ("$.details.audience", audience, SocotoUser.Details.defaultAudience),
                isAscending: isAscending, offset: page.offset, limit: page.size, in: realm)
        }
        let users = accounts.map { SocotoUser($0).userObject($0) }
        return page.response(
            ["users": .array(users), "aud": .string(audience)], total: total,
            at: administrationPath + "/users")
    }

    /// The order that `sort` names: `created_at`, then optionally a direction. The first one counts,
    /// as further ones of the same column change nothing.
    private static func isAscending(_ target: RequestTarget) throws(GoTrueFailure) -> Bool {
        var order: Bool?
        for value in target.query.filter({ $0.name == "sort" }).map(\.value) {
            let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == "created_at" else {
                throw .invalid(
                    "Bad Sort Parameters: bad field for sort '\(parts[0].prefix(40))'")
            }
            let direction = parts.count > 1 ? parts[1].uppercased() : "DESC"
            guard ["ASC", "DESC"].contains(direction) else {
                throw .invalid(
                    "Bad Sort Parameters: bad direction for sort '\(parts[1].prefix(40))', "
                        + "only 'asc' and 'desc' allowed")
            }
            order = order ?? (direction == "ASC")
        }
        return order ?? false
    }

    /// The path of the administrator's endpoints, as clients of the workspace reach them.
    var administrationPath: String { URLParts(issuer).path + "/admin" }

    /// GET /admin/users/{id}.
    func readUser(_ context: RequestContext) async throws -> Response {
        let account = try await administeredAccount(context)
        return .plainJSON(SocotoUser(account).userObject(account))
    }

    /// DELETE /admin/users/{id}: with its data, or only its personal data.
    func deleteUser(_ context: RequestContext) async throws -> Response {
        let account = try await administeredAccount(context)
        var isSoft = false
        if !context.request.body.isEmpty {
            let body = try GoTrueBody(context.request, as: "adminUserDeleteParams")
            isSoft = try body.bool("should_soft_delete") ?? false
        }
        let keepsID = isSoft
        try await write { connection, now in
            try recordAdministration(.userDeleted, of: account, on: connection, at: now)
            guard keepsID else { return try connection.remove(account: account.id) }
            guard let current = try connection.account(account.id, in: realm),
                SocotoUser(current).details.deletedAt == nil
            else { return }
            try removePersonalData(of: current, on: connection, at: now)
        }
        return Self.emptyResponse
    }

    /// Removes everything of the account but its id, inside a write. Its address and number are
    /// replaced by digests, so that they are free again.
    private func removePersonalData(
        of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        func digest(_ text: String) throws -> String {
            String(try accessTokens.keyring.digest("\(account.id) \(text)").prefix(44))
        }
        if let email = account.email {
            try connection.setEmail(
                of: account.id, to: try digest(email), verifiedAt: account.emailVerifiedAt)
        }
        if let phone = account.phone {
            try connection.setPhone(
                of: account.id, to: try digest(phone), verifiedAt: account.phoneVerifiedAt)
        }
        for identity in account.identities { try connection.remove(identity: identity.id) }
        for factor in account.factors { try connection.remove(factor: factor.id) }
        try connection.removePassword(of: account.id)
        try connection.invalidateChallenges(of: account.id, at: now)
        try connection.endPKCEFlows(of: account.id, at: now)
        try connection.revokeSessions(of: account.id, reason: .signedOutByAdministrator, at: now)
        var user = SocotoUser(metadata: [], at: now)
        user.details.deletedAt = now
        try connection.save(user, of: account)
    }

    /// GET /admin/sso/providers: there are none.
    func listSSOProviders(_ context: RequestContext) async throws -> Response {
        try await requireAdmin(context)
        return .plainJSON(["items": []])
    }
}

/// The page of a list that a request names.
struct AdminPage: Sendable {
    let number: Int
    let size: Int
    private let query: [(String, String)]

    /// Throws the server's 400 for a page that is not a number.
    init(_ target: RequestTarget) throws(GoTrueFailure) {
        func read(_ name: String, _ standard: Int) throws(GoTrueFailure) -> Int {
            guard let text = target.queryValue(name) else { return standard }
            guard text.utf8.allSatisfy(\.isDigit) else {
                throw .invalid(
                    "Bad Pagination Parameters: strconv.ParseUint: parsing "
                        + "\"\(text.prefix(40))\": invalid syntax")
            }
            return min(Int(text) ?? Self.maxNumber, Self.maxNumber)
        }
        number = max(1, try read("page", 1))
        size = try read("per_page", 50)
        query = target.query.filter { $0.name != "page" }.map { ($0.name, $0.value) }
    }

    private static let maxNumber = 1_000_000

    var offset: Int { (number - 1) * size }

    /// A page with its links to the next and the last one. They lead to `path`, with the request's
    /// query in the order of the names.
    func response(_ body: JSON, total: Int, at path: String) -> Response {
        func url(ofPage page: Int) -> String {
            let items = query + [("page", String(page))]
            return path + "?" + Form.encode(items.sorted { $0.0 < $1.0 })
        }
        let last = size == 0 ? 0 : (total + size - 1) / size
        var links = [#"<\#(url(ofPage: last))>; rel="last""#]
        if last > number { links.insert(#"<\#(url(ofPage: number + 1))>; rel="next""#, at: 0) }
        var response = Response.plainJSON(body)
        response.headers["Link"] = links.joined(separator: ", ")
        response.headers["X-Total-Count"] = String(total)
        return response
    }
}
