import Backend
import Templates
import Web

/// Adding somebody, or many.
extension AccountsPages {
    @Sendable func askAdd(_ visit: Visit) async throws -> Response {
        try await form(visit, isMany: false)
    }

    @Sendable func askMany(_ visit: Visit) async throws -> Response {
        try await form(visit, isMany: true)
    }

    @Sendable func add(_ visit: Visit) async throws -> Response {
        try await add(visit, isMany: false) { form, contract, workspace in
            let email = form["email"] ?? ""
            let added = try await services.backend.addPerson(
                contract: contract, workspace: workspace,
                person: try Self.person(form, email: email.given))
            return Links.account(added.account.id)
        }
    }

    @Sendable func addMany(_ visit: Visit) async throws -> Response {
        try await add(visit, isMany: true) { form, contract, workspace in
            let most = EmbeddedBackend.mostPeople
            guard let count = form["count"].flatMap({ Int($0) }), (1...most).contains(count) else {
                throw Problem(
                    status: 422, code: "invalid-account", title: "So many cannot be added",
                    detail: "",
                    errors: [.init(pointer: "/count", detail: "must be 1 to \(Words.count(most))")])
            }
            let crowd = try await services.backend.addPeople(
                count, domain: form["domain"] ?? "", contract: contract, workspace: workspace,
                person: try Self.person(form, email: nil))
            let batch = crowd.lastEmail.split(separator: "-").prefix(2).joined(separator: "-")
            return Links.query(Links.accounts, [("app", form["app"]), ("q", batch)])
        }
    }

    private func add(
        _ visit: Visit, isMany: Bool, _ work: (Form, String, String) async throws -> String
    ) async throws -> Response {
        let form = try Form(visit.request)
        let workspace = try visitors.workspace(of: visit)
        do {
            let contract = try services.expectContract(form["app"] ?? "")
            return .redirect(to: try await work(form, contract, workspace))
        } catch let problem as Problem where problem.status < 500 {
            var model = try await model(visit, isMany: isMany, app: form["app"])
            model.form.error = problem.words
            model.form.email = form["email"] ?? ""
            model.form.name = form["name"] ?? ""
            model.form.domain = form["domain"] ?? model.form.domain
            model.form.count = form["count"] ?? model.form.count
            model.form.password = form["password"] ?? model.form.password
            for place in model.form.states.indices {
                model.form.states[place].chosen = model.form.states[place].value == form["state"]
            }
            return .html(
                try services.templates.render(
                    isMany ? "accounts/manypage" : "accounts/addpage", model,
                    layout: "layouts/console"), status: problem.status)
        }
    }

    private static func person(_ form: Form, email: String?) throws -> Person {
        let name = form["name"] ?? ""
        let password = form["password"] ?? ""
        return Person(
            email: email, password: password.given,
            state: form["state"].flatMap(Person.State.init) ?? .verified,
            displayName: name.isEmpty ? nil : String(name.prefix(100)))
    }

    private func form(_ visit: Visit, isMany: Bool) async throws -> Response {
        let asked = try visit.query(allowing: ["app", "part"])
        let model = try await model(visit, isMany: isMany, app: asked["app"])
        return try PageParts(
            templates: services.templates, page: isMany ? "accounts/manypage" : "accounts/addpage",
            parts: ["dialog": isMany ? "accounts/many" : "accounts/add"]
        ).answer(asked["part"], model, frame: model.frame)
    }

    private func model(_ visit: Visit, isMany: Bool, app: String?) async throws -> AddAccountModel {
        let naming = services.speaking.filter { app in
            services.contract(ofApp: app.id).map { services.backend.keepsNames(contract: $0) }
                ?? false
        }
        return AddAccountModel(
            frame: try await frames.frame(
                isMany ? "Add many accounts" : "Add account", place: "accounts",
                workspace: try visitors.workspace(of: visit), csrf: visit.csrf,
                partURL: Links.part(Links.accounts, [])), csrf: visit.csrf,
            form: .init(
                action: isMany ? Links.addAccounts : Links.addAccount, backURL: Links.accounts,
                apps: services.speaking.map {
                    .init(value: $0.id, words: $0.name, chosen: $0.id == app)
                }, email: "", name: "", offersName: !naming.isEmpty,
                nameNote: naming.count == services.speaking.count
                    ? nil : "kept by " + naming.map(\.name).joined(separator: ", "),
                domain: "example.com", count: "1000", password: services.backend.madeUpPassword,
                states: Person.State.allCases.map {
                    .init(value: $0.rawValue, words: $0.rawValue, chosen: $0 == .verified)
                }))
    }
}
