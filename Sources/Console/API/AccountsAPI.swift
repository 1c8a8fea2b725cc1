import Apps
import Backend
import Web

/// `/api/accounts`: the embedded backend's accounts.
struct AccountsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let names = ["app", "q", "state"]
        let paging = try Paging(context, otherParameters: names)
        let queryParameters = try context.query(allowing: names + Paging.parameterNames)
        var query = AccountQuery(workspace: try scopeResolver.workspace(of: context))
        query.contract = try queryParameters["app"].map { app throws(Problem) in
            guard let contract = services.contract(named: app) else {
                throw Problem.badParameter("app", "is not an app with an embedded backend")
            }
            return contract
        }
        query.text = queryParameters["q"]?.nonEmpty
        query.state = try EmbeddedBackend.AccountDetails.State.queryValue(
            "state", in: queryParameters)
        query.limit = paging.limit
        query.before = try paging.sequence()
        let page = try await services.backend.accounts(query)
        return .json(
            Paging.list(
                total: page.total, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    /// Creates one account or, with `count`, a batch of accounts.
    @Sendable func create(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        var body = try BodyReader(context.request)
        let app = body.requiredString("app")
        let count = body.integer("count", in: 1...EmbeddedBackend.maxAccountsPerBatch)
        let email = body.string("email", limit: 254)
        let domain = body.string("domain", limit: 200)
        if email != nil, count != nil {
            body.addError("email", "cannot be combined with count; use domain")
        }
        if domain != nil, count == nil {
            body.addError("domain", "requires count")
        }
        let draft = AccountDraft(
            email: email, password: body.string("password"),
            state: body.choice("state", of: AccountDraft.State.self) ?? .verified,
            displayName: body.string("displayName", limit: 100),
            accessTokenTTL: body.integer("accessTokenTTL", in: AccountChange.accessTokenTTLRange))
        try body.finish()
        let contract = try services.requireContract(app)
        if let count {
            let batch = try await services.backend.addAccounts(
                count, domain: domain ?? "example.com", contract: contract, workspace: workspace,
                draft: draft)
            return .json(
                [
                    "created": JSON(batch.addedCount), "app": .string(contract),
                    "firstEmail": .string(batch.firstEmail),
                    "lastEmail": .string(batch.lastEmail),
                    "password": JSON(
                        draft.password == nil ? batch.password : nil),
                ], status: 201)
        }
        let (account, password) = try await services.backend.addAccount(
            contract: contract, workspace: workspace, draft: draft)
        return .json(
            .object(
                account.jsonMembers + [
                    .init("password", JSON(draft.password == nil ? password : nil))
                ]
            ), status: 201)
    }

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return .json(
            try await services.account(of: context, scopeResolver).fullJSON(services.backend))
    }

    @Sendable func update(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let account = try await services.account(of: context, scopeResolver)
        var body = try BodyReader(context.request)
        let change = AccountChange(reading: &body)
        try body.finish()
        let changed = try await services.backend.change(
            change, account: account.id, workspace: account.workspace)
        return .json(changed.fullJSON(services.backend))
    }

    @Sendable func delete(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        let account = try await services.account(of: context, scopeResolver)
        try await services.backend.delete(account: account.id, workspace: account.workspace)
        return .noContent
    }
}

extension AccountChange {
    fileprivate init(reading body: inout BodyReader) {
        self.init()
        isVerified = body.bool("verified")
        isDisabled = body.bool("disabled")
        let seconds = body.integer("lockSeconds", in: Self.lockSecondsRange)
        switch body.bool("locked") {
        case true: lock = .locked(seconds: seconds ?? Self.defaultLockSeconds)
        case false:
            lock = .unlocked
            fallthrough
        case nil: if seconds != nil { body.addError("lockSeconds", "requires locked: true") }
        }
        password = body.string("password")
        shouldSignOut = body.bool("signOut") ?? false
        if body.isNull("accessTokenTTL") {
            accessTokenTTL = .contractDefault
        } else {
            accessTokenTTL = body.integer("accessTokenTTL", in: Self.accessTokenTTLRange).map {
                .seconds($0)
            }
        }
    }
}

extension Services {
    /// The contract of the app named `name`, or the contract of that name; nil if there is neither.
    func contract(named name: String) -> String? {
        appCatalog.contract(ofApp: name) ?? backend.contractIDs.first { $0 == name }
    }

    /// As `contract(named:)` for the body's `/app`; throws a 400 problem if there is none.
    func requireContract(_ name: String) throws(Problem) -> String {
        if let contract = contract(named: name) { return contract }
        let appIDs = appCatalog.apps.filter { appCatalog.contract(ofApp: $0.id) != nil }.map(\.id)
            .joined(separator: ", ")
        throw Problem(
            status: 400, code: "invalid-body", title: "Invalid fields in the request body",
            detail: "/app must be one of \(appIDs).",
            errors: [.init(pointer: "/app", detail: "is not an app with an embedded backend")])
    }
}

extension AccountsAPI {
    var routes: [Route] {
        let path = "/api/accounts/{account}"
        return [
            Route(.get, "/api/accounts", .listAccounts, handler: list),
            Route(.post, "/api/accounts", .createAccount, handler: create),
            Route(.get, path, .readAccount, handler: read),
            Route(.patch, path, .updateAccount, handler: update),
            Route(.delete, path, .deleteAccount, handler: delete),
        ]
    }
}
