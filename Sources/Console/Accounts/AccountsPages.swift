import Backend
import Templates
import Web

/// `/accounts` and `/accounts/{account}`: the embedded backend's people, and
/// what its administrator would do to them.
struct AccountsPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/accounts", handler: list), Route(.get, "/accounts/new", handler: askAdd),
            Route(.post, "/accounts/new", handler: add),
            Route(.get, "/accounts/many", handler: askMany),
            Route(.post, "/accounts/many", handler: addMany),
            Route(.get, "/accounts/{account}", handler: show),
            Route(.get, "/accounts/{account}/{act}", handler: ask),
            Route(.post, "/accounts/{account}/{act}", handler: act),
        ]
    }

    @Sendable private func list(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: AccountsBuilder.filters + Keyset.names + ["part"])
        let model = try await AccountsBuilder(
            services: services, frames: frames, workspace: try visitors.workspace(of: visit),
            csrf: visit.csrf,
            listing: try Listing(Links.accounts, filters: AccountsBuilder.filters, asked: asked)
        ).build()
        return try PageParts.list("accounts", services.templates).answer(
            asked["part"], model, frame: model.frame)
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["part"])
        let model = try await AccountBuilder(
            services: services, frames: frames,
            account: try await services.account(of: visit, visitors), csrf: visit.csrf
        ).build()
        return try PageParts(
            templates: services.templates, page: "accounts/account",
            parts: [
                "state": "accounts/state", "actions": "accounts/actions",
                "sessions": "accounts/sessions", "facts": "accounts/facts",
            ]
        ).answer(asked["part"], model, frame: model.frame)
    }

    // MARK: Acts

    @Sendable private func ask(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let account = try await services.account(of: visit, visitors)
        let model = try await question(try Self.act(visit), account, visit.csrf)
        return try PageParts(
            templates: services.templates, page: "accounts/actpage",
            parts: ["dialog": "accounts/act"]
        ).answer(part, model, frame: model.frame)
    }

    @Sendable private func act(_ visit: Visit) async throws -> Response {
        let account = try await services.account(of: visit, visitors)
        let act = try Self.act(visit)
        guard act != .delete else {
            try await services.backend.delete(account: account.id, workspace: account.workspace)
            return .redirect(to: Links.accounts)
        }
        do {
            _ = try await services.backend.change(
                AccountChange(act, try Form(visit.request)), account: account.id,
                workspace: account.workspace)
        } catch let problem as Problem where problem.status == 422 {
            var model = try await question(act, account, visit.csrf)
            model.act.error = problem.words
            // What was typed is mended, not made up anew.
            model.act.password = try Form(visit.request)["password"] ?? model.act.password
            return .html(
                try services.templates.render("accounts/actpage", model, layout: "layouts/console"),
                status: 422)
        }
        return .redirect(to: Links.account(account.id))
    }

    private func question(
        _ act: AccountAct, _ account: EmbeddedBackend.KnownAccount, _ csrf: String
    ) async throws -> AccountActModel {
        AccountActModel(
            frame: try await frames.frame(
                act.label, place: "accounts", workspace: account.workspace, csrf: csrf,
                partURL: Links.part(Links.account(account.id), [])), csrf: csrf,
            act: .init(
                action: Links.account(account.id, act.rawValue),
                question: act.question(account.who),
                consequence: services.backend.rule(
                    act, contract: account.contract, isDevice: account.deviceID != nil
                ).text, yes: act.label, backURL: Links.account(account.id), destroys: act.destroys,
                password: act == .password ? services.backend.madeUpPassword : nil,
                anyLocks: act == .lock, locks: act == .lock ? AccountChange.choices : []))
    }

    private static func act(_ visit: Visit) throws(Problem) -> AccountAct {
        let word = visit.parameters["act"] ?? ""
        guard let act = AccountAct(rawValue: word) else {
            throw Problem(
                status: 404, code: "unknown-act", title: "There is no such act",
                detail: "An account cannot be \(word.prefix(40)).")
        }
        return act
    }
}

extension AccountChange {
    /// What a form asks for.
    fileprivate init(_ act: AccountAct, _ form: Form) {
        self.init()
        switch act {
        case .verify: verified = true
        case .unverify: verified = false
        case .disable: disabled = true
        case .enable: disabled = false
        case .lock: lock = .locked(seconds: form["seconds"].flatMap { Int($0) } ?? Self.usualLock)
        case .unlock: lock = .open
        case .password: password = form["password"] ?? ""
        case .signOut: signsOut = true
        case .delete: break
        }
    }

    /// For how long somebody is locked out.
    fileprivate static var choices: [ChoiceModel] {
        [60, usualLock, 3_600, 86_400].map { seconds in
            .init(
                value: String(seconds), words: Words.span(Double(seconds)),
                chosen: seconds == usualLock)
        }
    }
}

extension Problem {
    /// For the form that was sent.
    var words: String {
        guard let field = errors.first else { return detail }
        let name = field.pointer.dropFirst()
        return field.detail.hasSuffix(".")
            ? field.detail : "\(String(name).capitalizedFirst) \(field.detail)."
    }
}
