import Apps
import Backend
import Templates
import Web

/// Forms that add one account or a batch.
extension AccountsPages {
    @Sendable func showAddForm(_ context: RequestContext) async throws -> Response {
        try await formPage(context, isMany: false)
    }

    @Sendable func showBulkAddForm(_ context: RequestContext) async throws -> Response {
        try await formPage(context, isMany: true)
    }

    @Sendable func add(_ context: RequestContext) async throws -> Response {
        try await add(context, isMany: false) { form, contract, workspace in
            let email = form["email"] ?? ""
            let added = try await services.backend.addAccount(
                contract: contract, workspace: workspace,
                draft: try Self.person(form, email: email.nonEmpty))
            return Links.account(added.account.id)
        }
    }

    @Sendable func bulkAdd(_ context: RequestContext) async throws -> Response {
        try await add(context, isMany: true) { form, contract, workspace in
            let maxCount = EmbeddedBackend.maxAccountsPerBatch
            guard let count = form["count"].flatMap({ Int($0) }), (1...maxCount).contains(count)
            else {
                throw Problem(
                    status: 422, code: "invalid-account", title: "Too many", detail: "",
                    errors: [
                        .init(pointer: "/count", detail: "must be 1 to \(Format.count(maxCount))")
                    ])
            }
            let batch = try await services.backend.addAccounts(
                count, domain: form["domain"] ?? "", contract: contract, workspace: workspace,
                draft: try Self.person(form, email: nil))
            let emailPrefix = batch.lastEmail.split(separator: "-").prefix(2).joined(separator: "-")
            return Links.url(Links.accounts, [("app", form["app"]), ("q", emailPrefix)])
        }
    }

    private func add(
        _ context: RequestContext, isMany: Bool,
        _ work: (Form, String, String) async throws -> String
    ) async throws -> Response {
        let form = try Form(context.request)
        let workspace = try services.workspace(of: context)
        do {
            let contract = try services.requireContract(form["app"] ?? "")
            return .redirect(to: try await work(form, contract, workspace))
        } catch let problem as Problem where problem.status < 500 {
            var page = page(isMany: isMany, app: form["app"])
            page.model.form.error = problem.formMessage
            page.model.form.email = form["email"] ?? ""
            page.model.form.name = form["name"] ?? ""
            page.model.form.domain = form["domain"] ?? page.model.form.domain
            page.model.form.count = form["count"] ?? page.model.form.count
            page.model.form.password = form["password"] ?? page.model.form.password
            for index in page.model.form.states.indices {
                page.model.form.states[index].chosen =
                    page.model.form.states[index].value == form["state"]
            }
            return try await services.respond(
                to: context, page, isMany ? "accounts/bulkaddpage" : "accounts/addpage",
                status: problem.status)
        }
    }

    private static func person(_ form: Form, email: String?) throws -> AccountDraft {
        let name = form["name"] ?? ""
        let password = form["password"] ?? ""
        return AccountDraft(
            email: email, password: password.nonEmpty,
            state: form["state"].flatMap(AccountDraft.State.init) ?? .verified,
            displayName: name.isEmpty ? nil : String(name.prefix(100)))
    }

    private func formPage(_ context: RequestContext, isMany: Bool) async throws -> Response {
        let queryParameters = try context.query(allowing: ["app", "part"])
        return try await services.respond(
            to: context, page(isMany: isMany, app: queryParameters["app"]),
            isMany ? "accounts/bulkaddpage" : "accounts/addpage",
            parts: ["dialog": isMany ? "accounts/bulkadd" : "accounts/add"])
    }

    private func page(isMany: Bool, app: String?) -> Page<AddAccountModel> {
        let appsWithNames = services.appsWithContract.filter { app in
            services.appCatalog.contract(ofApp: app.id).map {
                services.backend.storesNames(contract: $0)
            } ?? false
        }
        return Page(
            isMany ? "Bulk add accounts" : "Add account", navItem: "accounts",
            url: Links.accounts,
            AddAccountModel(
                form: .init(
                    action: isMany ? Links.bulkAddAccounts : Links.addAccount,
                    backURL: Links.accounts,
                    apps: services.appsWithContract.map {
                        .init(value: $0.id, label: $0.name, chosen: $0.id == app)
                    }, email: "", name: "", hasNameField: !appsWithNames.isEmpty,
                    nameNote: appsWithNames.count == services.appsWithContract.count
                        ? nil : "stored by " + appsWithNames.map(\.name).joined(separator: ", "),
                    domain: "example.com", count: "1000",
                    password: services.backend.generatedPassword,
                    states: AccountDraft.State.allCases.map {
                        .init(
                            value: $0.rawValue, label: $0.rawValue.capitalizedFirst,
                            chosen: $0 == .verified)
                    })))
    }
}

/// The form that adds one account (`accounts/add`) or a batch (`accounts/bulkadd`); as pages
/// `accounts/addpage` and `accounts/bulkaddpage`.
struct AddAccountModel: Encodable, Sendable {
    var form: Fields

    struct Fields: Encodable, Sendable {
        var action: String
        var backURL: String
        var apps: [ChoiceModel]
        var email: String
        var name: String
        /// Whether any app's accounts have names.
        var hasNameField: Bool
        /// `stored by Atlas, Harbour`; nil if all apps store names.
        var nameNote: String?
        var domain: String
        var count: String
        /// A generated suggestion, shown before it is used.
        var password: String
        var states: [ChoiceModel]
        /// Nil if the input is valid.
        var error: String?
    }
}
