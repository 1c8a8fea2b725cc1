import Traffic
import Web

/// `/rules` and `/intercepted/{exchange}`: rules, and the exchanges they pause.
struct RulesPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            .page(Links.rules) { try await page($0) }, Route(.post, Links.rules, handler: add),
            Route(.get, Links.newRule, handler: showNew),
            .page(Links.clearRules, handler: confirmClear),
            Route(.post, Links.clearRules, handler: clear),
            .page(Links.rule) { try await formPage($0, rule: try services.rule(of: $0)) },
            Route(.post, Links.rule, handler: update),
            change(Links.toggleRule) { rule, form in
                var draft = rule.draft
                draft.isOn = form["on"] == "yes"
                _ = try await services.rules.update(rule, to: draft)
            },
            change(Links.moveRule) { rule, form in
                let rules = services.rules.list(in: rule.workspace)
                guard let index = rules.firstIndex(where: { $0.id == rule.id }) else { return }
                try await services.rules.move(rule, to: index + (form["to"] == "up" ? -1 : 1))
            },
            change(Links.deleteRule) { rule, _ in
                try await services.rules.remove(in: rule.workspace) { $0.id == rule.id }
            }, Route(.post, Links.intercepted, handler: decide),
            Route(.get, Links.intercepted) { context in
                _ = try context.query(allowing: [])
                return .redirect(to: "\(Links.rules)#\(context.parameters["exchange"] ?? "")")
            }, Route(.post, Links.allIntercepted, handler: decideAll),
        ]
    }

    /// The body limit of requests that upload a response's body, including the overhead of their
    /// encoding; nil for other targets.
    static func fileLimit(_ target: String) -> Int? {
        let prefixes = [Links.rules, "/api/rules", "/intercepted/", "/api/intercepted/"]
        return prefixes.contains(where: target.hasPrefix) ? 4 * MappedResponse.bodyLimit : nil
    }

    // MARK: Rules

    @Sendable private func showNew(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["exchange", "kind", "part"])
        let kind = try Form.choice(
            query["kind"], named: "kind", of: TrafficRule.Kind.allCases.map(\.rawValue))
        return try await formPage(
            context, exchange: query["exchange"], kind: kind.flatMap(TrafficRule.Kind.init))
    }

    @Sendable private func add(_ context: RequestContext) async throws -> Response {
        let form = try RuleForm(context.request)
        let editor = RuleEditor(services: services, workspace: try services.workspace(of: context))
        do {
            let source = try await editor.template(form.exchange)?.response
            _ = try await editor.add(try form.input(), source: source)
            return .redirect(to: Links.rules)
        } catch let problem as Problem where problem.status < 500 {
            return try await formPage(
                context, exchange: form.exchange, form: form, problem: problem)
        }
    }

    @Sendable private func update(_ context: RequestContext) async throws -> Response {
        let form = try RuleForm(context.request)
        let rule = try services.rule(of: context)
        do {
            _ = try await RuleEditor(services: services, workspace: rule.workspace).update(
                rule, try form.input())
            return .redirect(to: Links.rules)
        } catch let problem as Problem where problem.status < 500 {
            return try await formPage(context, rule: rule, form: form, problem: problem)
        }
    }

    /// A form that changes a rule and returns to the list.
    private func change(
        _ path: PagePath, _ work: @escaping @Sendable (TrafficRule, Form) async throws -> Void
    ) -> Route {
        Route(.post, path) { context in
            try await work(try services.rule(of: context), try Form(context.request))
            return .redirect(to: Links.rules)
        }
    }

    @Sendable private func confirmClear(_ context: RequestContext) async throws -> Response {
        let count = services.rules.list(in: try services.workspace(of: context)).count
        return try await services.confirm(
            context, "Delete all rules", navItem: "rules",
            ConfirmModel(
                action: Links.clearRules, question: "Delete \(Format.count(count, "rule"))?",
                consequence: "Paused requests continue unchanged.",
                confirmLabel: "Delete \(Format.count(count, "rule"))", backURL: Links.rules))
    }

    @Sendable private func clear(_ context: RequestContext) async throws -> Response {
        try await services.rules.remove(in: try services.workspace(of: context))
        return .redirect(to: Links.rules)
    }

    // MARK: Paused exchanges

    @Sendable private func decideAll(_ context: RequestContext) async throws -> Response {
        let act = try Form(context.request).choice("act", of: ["continue", "abort"])
        services.rules.decideAll(
            aborts: act == "abort", in: try services.workspace(of: context))
        return .redirect(to: Links.rules)
    }

    /// Continues or aborts a paused exchange. A rejected edit is shown with the form's values.
    @Sendable private func decide(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let workspace = try services.workspace(of: context)
        let id = context.parameters["exchange"] ?? ""
        let phase = try form.choice("phase", of: PausedExchange.Phase.self)
        let act = try form.choice("act", of: ["continue", "unchanged", "abort"])
        do {
            switch act {
            case "abort": try services.rules.abort(id, phase, in: workspace)
            case "unchanged": try services.rules.resume(id, phase, in: workspace)
            default: try services.rules.resume(id, phase, in: workspace, with: Self.edit(form))
            }
        } catch let problem as Problem where !problem.errors.isEmpty {
            // A script keeps the form and shows the errors at their fields.
            guard Accept(context.request.headers).prefersHTML else { throw problem }
            return try await page(
                context, rejected: RejectedEdit(exchange: id, form: form, problem: problem))
        }
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.rules)
    }
}

/// A form of a paused exchange that was rejected.
struct RejectedEdit: Sendable {
    let exchange: String
    let form: Form
    let problem: Problem
}

extension RulesPages {
    private static func edit(_ form: Form) throws -> PausedExchange.Edit {
        var edit = PausedExchange.Edit()
        var errors: [Problem.FieldError] = []
        edit.method = form["method"]?.uppercased()
        edit.path = form["path"]
        if let text = form["status"] {
            edit.status = Int(text)
            if edit.status == nil { errors.add("/status", "must be 200 to 599") }
        }
        if let text = form["headers"] {
            let lines = HeaderLines(text)
            edit.headers = lines.fields
            if let line = lines.invalidLine {
                errors.add("/headers", "has an invalid line: \"\(line)\"")
            }
        }
        edit.body = form["body"]
        guard errors.isEmpty else {
            throw Problem(errors: errors, code: "invalid-edit", title: "Invalid edit")
        }
        return edit
    }
}

/// The fields of the form of a rule.
struct RuleForm {
    let values: [String: String]
    private let file: Multipart.Part?

    init(_ request: Request) throws(Problem) {
        let multipart = try Multipart(request)
        var values: [String: String] = [:]
        for part in multipart.parts where part.filename == nil {
            values[part.name] = String(decoding: part.bytes, as: UTF8.self)
        }
        self.values = values
        file = multipart.parts.first { $0.filename?.isEmpty == false }
    }

    /// The exchange that the form was filled in from.
    var exchange: String? { values["exchange"]?.nonEmpty }

    private func text(_ name: String) -> String? {
        String(Substring(values[name] ?? "").trimmingBlanks).nonEmpty
    }

    /// Ignores fields that the chosen kind does not use.
    func input() throws(Problem) -> RuleInput {
        var errors: [Problem.FieldError] = []
        let kind = text("kind").flatMap(TrafficRule.Kind.init)
        if kind == nil { errors.add("/kind", "choose an action") }
        var input = RuleInput(
            kind: kind,
            match: .init(
                method: text("method")?.uppercased(), host: text("host"), path: text("path"),
                app: text("app"), device: text("device"), call: text("call")))
        if kind == .respond {
            var response = RuleInput.ResponseInput()
            response.status = text("status").flatMap { Int($0) }
            if response.status == nil { errors.add("/response/status", "must be 200 to 599") }
            response.contentType = text("contentType") ?? ""
            let lines = HeaderLines(values["headers"] ?? "")
            if let line = lines.invalidLine {
                errors.add("/response/headers", "has an invalid line: \"\(line)\"")
            }
            response.headers = lines.fields
            response.body = values["body"]
            if let file {
                response.bytes = file.bytes
                response.fileName = file.filename.map { String($0.prefix(200)) }
            }
            input.response = response
        } else if let timeout = text("timeout") {
            input.timeout = Double(timeout).flatMap { $0.isFinite ? $0 : nil }
            if input.timeout == nil { errors.add("/timeout", "is not a number") }
        }
        guard errors.isEmpty else { throw Problem(errors: errors, title: "Invalid rule") }
        return input
    }
}
