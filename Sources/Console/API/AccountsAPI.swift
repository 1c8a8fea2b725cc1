import Apps
import Backend
import FoundationEssentials
import Web

/// `/api/accounts`: the embedded backend's accounts.
enum AccountsAPI {
    private typealias Account = EmbeddedBackend.AccountDetails
    private static let accountPath = "/api/accounts/{account}"

    static let endpoints = [
        Endpoint(
            .get, "/api/accounts", "listAccounts",
            "Lists the embedded backend's accounts, newest first.",
            reading: { parameters in
                let app = parameters.query.string("app", "An app's id, or its contract's.")
                var query = AccountQuery(workspace: "")
                query.text =
                    parameters.query.string(
                        "q", "Part of an email address or phone number, or the start of an id.")?
                    .nonEmpty
                query.state = parameters.query.choice(
                    "state", "The account's status.", of: Account.State.self)
                return (app, query, Paging(&parameters.query))
            }, returning: .ok(.list(of: Account.summary), "The list of accounts.")
        ) { call, input in
            var (app, query, paging) = input
            query.workspace = try call.workspace
            query.contract = try app.map { app throws(Problem) in
                guard let contract = call.services.contract(named: app) else {
                    throw Problem.badParameter("app", "is not an app with an embedded backend")
                }
                return contract
            }
            query.keyset = try paging.keyset()
            return ListPage(try await call.services.backend.accounts(query).page)
        },

        Endpoint(
            .post, "/api/accounts", "createAccount",
            "Creates an account or, with count, several with one shared password. "
                + "Missing values are generated; a generated password is returned "
                + "only in this response.", reading: { NewAccounts(&$0.body) },
            returning: .response(
                201, "The new account, or a summary of several.",
                [.json(Schema.anyOf([created.schema, createdBatch.schema]))],
                components: created.components + createdBatch.components)
        ) { call, new in
            let workspace = try call.workspace
            let contract = try call.services.requireContract(new.app)
            if let count = new.count {
                let batch = try await call.services.backend.addAccounts(
                    count, domain: new.domain ?? "example.com", contract: contract,
                    workspace: workspace, draft: new.draft)
                return .plainJSON(
                    createdBatch.json(
                        (batch, contract, new.draft.password == nil ? batch.password : nil)),
                    status: 201)
            }
            let (account, password) = try await call.services.backend.addAccount(
                contract: contract, workspace: workspace, draft: new.draft)
            return .plainJSON(
                created.json((account, new.draft.password == nil ? password : nil)), status: 201)
        },

        Endpoint(
            .get, accountPath, "readAccount",
            "Returns one account, with the admin actions and their effects.",
            returning: .ok(detail, "The account.")
        ) { call in (try await account(call), call.services.backend) },

        Endpoint(
            .patch, accountPath, "updateAccount",
            "Applies all changes or none: verifies, disables, locks (for "
                + "lockSeconds, 900 by default), sets a password, signs out "
                + "everywhere, replaces metadata, removes second factors and identities. "
                + "A 422 lists the fields that the app's contract does "
                + "not support. accessTokenTTL null restores the contract's default.",
            reading: { AccountChange(reading: &$0.body) },
            returning: .ok(detail, "The updated account.")
        ) { call, change in
            let account = try await account(call)
            let changed = try await call.services.backend.change(
                change, account: account.id, workspace: account.workspace)
            return (changed, call.services.backend)
        },

        Endpoint(
            .delete, accountPath, "deleteAccount",
            "Deletes an account with its sessions, codes and links.",
            returning: .noContent("The account was deleted.")
        ) { call in
            let account = try await account(call)
            try await call.services.backend.delete(
                account: account.id, workspace: account.workspace)
        },
    ]

    private static func account(_ call: APICall) async throws -> Account {
        try await call.services.account(of: call.context)
    }

    private static let created = Representation<(account: Account, password: String?)>(
        "CreatedAccount",
        Account.members.map { $0.of { $0.account } } + [.init("password") { $0.password }])

    private typealias Batch = EmbeddedBackend.BulkAddResult

    private static let createdBatch = Representation<
        (batch: Batch, contract: String, password: String?)
    >(
        "CreatedAccounts",
        [
            .init("created") { $0.batch.addedCount }, .init("app") { $0.contract },
            .init("firstEmail") { $0.batch.firstEmail }, .init("lastEmail") { $0.batch.lastEmail },
            .init("password") { $0.password },
        ])

    private static let detail = Representation<(account: Account, backend: EmbeddedBackend)>(
        "AccountDetail",
        Account.members.map { $0.of { $0.account } } + [
            .init(
                "actions",
                Representation(
                    AdminAction.allCases.map { action in
                        .init(
                            action.rawValue,
                            Representation([
                                .init("available") { $0.isAvailable },
                                .init("text") { $0.explanation },
                            ])
                        ) { account, backend in
                            backend.availability(
                                action, contract: account.contract,
                                isDevice: account.deviceID != nil)
                        }
                    })
            ) { $0 },
            .init("identities", array: identity) { $0.account.identities },
            .init("factors", array: factor) { account, _ in
                account.factors.map { ($0, account.authenticatorCodes[$0.id]) }
            },
            .init("metadata", schema: Schema.map(Schema.anyObject)) { account, _ in
                .object(account.metadata.map { .init($0.name, .object($0.members)) })
            },
        ])

    private static let identity = Representation<Identity>(
        "Identity",
        [
            .init("id") { $0.id }, .init("provider") { $0.provider },
            .init("subject") { $0.subject },
            .init("data", schema: Schema.anyObject) {
                (try? JSON(parsing: $0.data)) ?? .object([])
            },
            .init("createdAt") { $0.createdAt.date },
            .init("lastSignInAt") { $0.lastSignInAt?.date },
        ])

    private static let factor = Representation<(factor: Factor, code: String?)>(
        "Factor",
        [
            .init("id") { $0.factor.id }, .init("kind", choice: { $0.factor.kind }),
            .init("name") { $0.factor.name }, .init("phone") { $0.factor.phone },
            .init("code") { $0.code }, .init("createdAt") { $0.factor.createdAt.date },
            .init("verifiedAt") { $0.factor.verifiedAt?.date },
        ])
}

extension EmbeddedBackend.AccountDetails {
    fileprivate static let summary = Representation("Account", members)

    fileprivate static let members: [Representation<Self>.Member] = [
        .init("id") { $0.id }, .init("app") { $0.contract }, .init("email") { $0.email },
        .init("deviceId") { $0.deviceID }, .init("phone") { $0.phone },
        .init("phoneVerifiedAt") { $0.phoneVerifiedAt }, .init("displayName") { $0.displayName },
        .init("state", choice: { $0.state }), .init("verifiedAt") { $0.emailVerifiedAt },
        .init("disabledAt") { $0.disabledAt }, .init("lockedUntil") { $0.lockedUntil },
        .init("hasPassword") { $0.hasPassword }, .init("createdAt") { $0.createdAt },
        .init("lastLoginAt") { $0.lastLoginAt }, .init("sessions") { $0.activeSessionCount },
        .init("accessTokenTTL") { $0.accessTokenTTL },
    ]
}

/// The body that creates one account or, with `count`, a batch of accounts.
private struct NewAccounts: Sendable {
    let app: String
    let count: Int?
    let domain: String?
    let draft: AccountDraft

    init(_ body: inout BodyReader) {
        app = body.requiredString("app")
        count = body.integer("count", in: 1...EmbeddedBackend.maxAccountsPerBatch)
        let email = body.string("email", limit: 254)
        domain = body.string("domain", limit: 200)
        draft = AccountDraft(
            email: email, password: body.string("password"),
            state: body.choice("state", of: AccountDraft.State.self) ?? .verified,
            displayName: body.string("displayName", limit: 100),
            accessTokenTTL: body.integer("accessTokenTTL", in: AccountChange.accessTokenTTLRange))
        if email != nil, count != nil {
            body.addError("email", "cannot be combined with count; use domain")
        }
        if domain != nil, count == nil { body.addError("domain", "requires count") }
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
        let ttl = body.integer("accessTokenTTL", in: Self.accessTokenTTLRange)
        accessTokenTTL = body.isNull("accessTokenTTL") ? .contractDefault : ttl.map { .seconds($0) }
        removedFactors = body.texts("removeFactors") ?? []
        removedIdentities = body.texts("removeIdentities") ?? []
        metadata = body.objects("metadata") ?? [:]
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
