import Apps
import Backend
import Web

/// `/api/accounts`: the embedded backend's people.
struct AccountsAPI: Sendable {
    let services: Services
    let visitors: Visitors

    @Sendable func list(_ visit: Visit) async throws -> Response {
        let names = ["app", "q", "state"]
        let paging = try Paging(visit, others: names)
        let asked = try visit.query(allowing: names + Paging.names)
        var query = AccountQuery(workspace: try visitors.workspace(of: visit))
        query.contract = try asked["app"].map { app throws(Problem) in
            guard let contract = services.contract(named: app) else {
                throw Problem.badParameter("app", "is no app with an embedded backend")
            }
            return contract
        }
        query.text = asked["q"]?.given
        query.state = try EmbeddedBackend.KnownAccount.State.asked("state", in: asked)
        query.limit = paging.limit
        query.before = try paging.sequence()
        let page = try await services.backend.accounts(query)
        return .json(
            Paging.list(
                total: page.total, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    /// One person, or with `count` many.
    @Sendable func create(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        var body = try BodyReader(visit.request)
        let app = body.required("app")
        let count = body.integer("count", in: 1...EmbeddedBackend.mostPeople)
        let email = body.string("email", limit: 254)
        let domain = body.string("domain", limit: 200)
        if email != nil, count != nil {
            body.fail("email", "cannot stand with count; give a domain")
        }
        if domain != nil, count == nil { body.fail("domain", "is for many; give count with it") }
        let person = Person(
            email: email, password: body.string("password"),
            state: body.choice("state", of: Person.State.self) ?? .verified,
            displayName: body.string("displayName", limit: 100),
            accessTokenTTL: body.integer("accessTokenTTL", in: AccountChange.accessTokenTTLs))
        try body.finish()
        let contract = try services.expectContract(app)
        if let count {
            let crowd = try await services.backend.addPeople(
                count, domain: domain ?? "example.com", contract: contract, workspace: workspace,
                person: person)
            return .json(
                [
                    "made": JSON(crowd.made), "app": .string(contract),
                    "firstEmail": .string(crowd.firstEmail),
                    "lastEmail": .string(crowd.lastEmail),
                    "password": JSON(
                        person.password == nil ? crowd.password : nil),
                ], status: 201)
        }
        let (account, password) = try await services.backend.addPerson(
            contract: contract, workspace: workspace, person: person)
        return .json(
            .object(
                account.members + [.init("password", JSON(person.password == nil ? password : nil))]
            ), status: 201)
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        return .json(try await services.account(of: visit, visitors).fullJSON(services.backend))
    }

    @Sendable func update(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let account = try await services.account(of: visit, visitors)
        var body = try BodyReader(visit.request)
        let change = AccountChange(reading: &body)
        try body.finish()
        let changed = try await services.backend.change(
            change, account: account.id, workspace: account.workspace)
        return .json(changed.fullJSON(services.backend))
    }

    @Sendable func delete(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let account = try await services.account(of: visit, visitors)
        try await services.backend.delete(account: account.id, workspace: account.workspace)
        return .noContent
    }
}

extension AccountChange {
    fileprivate init(reading body: inout BodyReader) {
        self.init()
        verified = body.bool("verified")
        disabled = body.bool("disabled")
        let seconds = body.integer("lockSeconds", in: Self.locks)
        switch body.bool("locked") {
        case true: lock = .locked(seconds: seconds ?? Self.usualLock)
        case false:
            lock = .open
            fallthrough
        case nil: if seconds != nil { body.fail("lockSeconds", "is for locked: true") }
        }
        password = body.string("password")
        signsOut = body.bool("signOut") ?? false
        if body.isNull("accessTokenTTL") {
            accessTokenTTL = .contract
        } else {
            accessTokenTTL = body.integer("accessTokenTTL", in: Self.accessTokenTTLs).map {
                .seconds($0)
            }
        }
    }
}

extension Services {
    /// The contract of an app, or that of this name; nil if there is none.
    func contract(named name: String) -> String? {
        contract(ofApp: name) ?? backend.contractIDs.first { $0 == name }
    }

    /// The same for a body's `/app`.
    func expectContract(_ name: String) throws(Problem) -> String {
        if let contract = contract(named: name) { return contract }
        let known = apps.filter { contract(ofApp: $0.id) != nil }.map(\.id).joined(separator: ", ")
        throw Problem(
            status: 400, code: "invalid-body", title: "The body has fields that are wrong",
            detail: "/app is no app with an embedded backend; there are \(known).",
            errors: [.init(pointer: "/app", detail: "is no app with an embedded backend")])
    }
}
