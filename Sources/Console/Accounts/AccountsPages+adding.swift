import Apps
import Backend
import Templates
import Web

/// Forms that add one account or a batch.
extension AccountsPages {
    @Sendable func add(_ context: RequestContext) async throws -> Response {
        try await add(context, "Add account", "accounts/add") { form, contract, workspace in
            let added = try await services.backend.addAccount(
                contract: contract, workspace: workspace,
                draft: Self.draft(form, email: form["email"]?.nonEmpty))
            return Links.account(added.account.id)
        }
    }

    @Sendable func bulkAdd(_ context: RequestContext) async throws -> Response {
        try await add(context, "Bulk add accounts", "accounts/bulkadd") {
            form, contract, workspace in
            let batch = try await services.backend.addAccounts(
                form["count"].flatMap { Int($0) } ?? 0, domain: form["domain"] ?? "",
                contract: contract, workspace: workspace, draft: Self.draft(form, email: nil))
            let emailPrefix = batch.lastEmail.split(separator: "-").prefix(2).joined(separator: "-")
            return Links.url(Links.accounts, [("app", form["app"]), ("q", emailPrefix)])
        }
    }

    /// Redirects to the link from `work`, or shows the form with the problem.
    private func add(
        _ context: RequestContext, _ title: String, _ template: String,
        _ work: (Form, _ contract: String, _ workspace: String) async throws -> String
    ) async throws -> Response {
        let form = try Form(context.request)
        let workspace = try services.workspace(of: context)
        do {
            let contract = try services.requireContract(form["app"] ?? "")
            return .redirect(to: try await work(form, contract, workspace))
        } catch let problem as Problem where problem.status < 500 {
            return try await services.respond(
                to: context,
                page(title, app: form["app"], input: form, error: problem.formMessage),
                template + "page", status: problem.status)
        }
    }

    private static func draft(_ form: Form, email: String?) -> AccountDraft {
        AccountDraft(
            email: email, password: form["password"]?.nonEmpty,
            state: form["state"].flatMap(AccountDraft.State.init) ?? .verified,
            displayName: form["name"]?.nonEmpty.map { String($0.prefix(100)) })
    }

    func showForm(_ context: RequestContext, _ title: String, _ template: String)
        async throws -> Response
    {
        let app = try context.query(allowing: ["app", "part"])["app"]
        return try await services.respond(
            to: context, page(title, app: app), template + "page", parts: ["dialog": template])
    }

    private func page(
        _ title: String, app: String?, input: Form? = nil, error: String? = nil
    ) -> Page {
        let apps = services.appsWithContract
        let appsWithNames = apps.filter { app in
            services.contract(named: app.id).map {
                services.backend.storesNames(contract: $0)
            } ?? false
        }
        let state = input.map { $0["state"] } ?? AccountDraft.State.verified.rawValue
        let states = AccountDraft.State.allCases.map(\.rawValue).map {
            ChoiceModel(value: $0, label: $0.capitalizedFirst, chosen: $0 == state)
        }
        let suggestions = [
            "domain": "example.com", "count": "1000",
            "password": services.backend.generatedPassword,
        ]
        return Page(
            title: title, navItem: "accounts", url: Links.accounts,
            model: [
                "apps": apps.map {
                    ChoiceModel(value: $0.id, label: $0.name, chosen: $0.id == app)
                }, "hasNameField": !appsWithNames.isEmpty,
                // Nil if all apps store names.
                "nameNote": appsWithNames.count == apps.count
                    ? nil : "stored by " + appsWithNames.map(\.name).joined(separator: ", "),
                // The submitted texts by field.
                "values": suggestions.merging(input?.firstValues ?? [:]) { $1 },
                "states": states, "error": error,
            ])
    }
}

extension Services {
    /// The apps of the embedded backend, one per contract.
    var appsWithContract: [(id: String, name: String)] {
        var seen: Set<String> = []
        return appCatalog.apps.compactMap { app in
            guard let contract = appCatalog.contract(ofApp: app.id), seen.insert(contract).inserted
            else { return nil }
            return (app.id, app.name)
        }
    }
}
