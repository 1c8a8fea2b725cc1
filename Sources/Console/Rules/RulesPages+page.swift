import Apps
import Core
import FoundationEssentials
import Simulator
import Templates
import Traffic
import Web

/// The list of rules with the paused exchanges (`rules/rules`), and the form of a rule.
extension RulesPages {
    /// `paused` is a rejected form of a paused exchange.
    func page(
        _ context: RequestContext, rejected: RejectedEdit? = nil
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let rules = services.rules.list(in: workspace)
        let paused = services.rules.paused(in: workspace)
        let names = try await RuleNames(
            devices: rules.compactMap(\.draft.match.device) + paused.map(\.device), in: workspace,
            services)
        let onCount = rules.count { $0.draft.isOn }
        let model: TemplateModel = [
            "totalText": rules.isEmpty
                ? "No rules" : "\(Format.count(rules.count, "rule")), \(onCount) on",
            "rules": rules.enumerated().map { index, rule in
                row(rule, names, isFirst: index == 0, isLast: index == rules.count - 1)
            },
            "paused": paused.map { exchange in
                let isOpen = exchange.id == rejected?.exchange ?? paused.first?.id
                return pausedModel(exchange, names, rejected).merging(["isOpen": isOpen])
            },
            "hasSeveralPaused": paused.count > 1,
            "pausedTitle": paused.isEmpty
                ? "Nothing is paused" : "\(Format.count(paused.count, "request")) paused",
            "announcement": paused.last.map {
                "\($0.phase == .request ? "Request" : "Response") paused: \($0.methodAndPath)"
            },
            "form": try await form(
                context, TrafficRule.Draft(.pauseRequest), nil, nil, in: workspace),
        ]
        return try await services.respond(
            to: context, Page(title: "Rules", navItem: "rules", url: Links.rules, model: model),
            "rules/rules",
            parts: [
                "total": "parts/total", "rules": "rules/list", "paused": "rules/paused",
                "announcement": "rules/announcement",
            ], status: rejected?.problem.status ?? 200)
    }

    private func row(_ rule: TrafficRule, _ names: RuleNames, isFirst: Bool, isLast: Bool)
        -> TemplateModel
    {
        [
            "id": rule.id, "rowIcon": rule.kind.icon, "name": rule.kind.name,
            "sentence": names.sentence(rule), "isOn": rule.draft.isOn,
            "editURL": Links.rule(rule.id), "toggleAction": Links.toggleRule(rule.id),
            "moveAction": Links.moveRule(rule.id), "deleteAction": Links.deleteRule(rule.id),
            "isFirst": isFirst, "isLast": isLast,
        ]
    }

    // MARK: A paused exchange

    private func pausedModel(
        _ exchange: PausedExchange, _ names: RuleNames,
        _ rejected: RejectedEdit?
    ) -> TemplateModel {
        let rejected = rejected?.exchange == exchange.id ? rejected : nil
        let message = exchange.response?.message ?? exchange.request
        let isRequest = exchange.phase == .request
        let input = rejected?.form
        let errors = rejected.map { Self.sentences($0.problem) } ?? [:]
        return [
            "id": exchange.id, "phase": exchange.phase.rawValue, "phaseName": exchange.phase.name,
            "title": exchange.methodAndPath, "action": Links.intercepted(exchange.id),
            "appName": names.app(exchange.app), "device": names.device(exchange.device),
            "isRequest": isRequest, "method": input?["method"] ?? exchange.method,
            "baseURL": exchange.baseURL, "path": input?["path"] ?? exchange.path,
            "status": input?["status"] ?? exchange.response.map { String($0.status) },
            "headers": input?["headers"] ?? Self.lines(message.fields),
            "canEditBody": message.body != nil, "body": input?["body"] ?? message.body,
            "bodyNote": message.bodyNote, "errors": errors,
            "placeholders": message.placeholders.map { placeholder -> TemplateModel in
                ["placeholder": placeholder.text, "masked": placeholder.masked]
            },
            "countdown": CountdownModel.until(
                exchange.until, from: exchange.pausedAt, named: "Time until it continues",
                testID: "paused.countdown", now: services.world.now()),
        ]
    }

    private static func lines(_ fields: [Headers.Field]) -> String {
        fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// The sentences below the fields, by field name; the API has more precise pointers.
    private static func sentences(_ problem: Problem) -> [String: String] {
        var sentences: [String: String] = [:]
        for error in problem.errors {
            let parts = error.pointer.split(separator: "/").filter { $0 != "response" }
            let field = parts.first.map(String.init) ?? "response"
            let line = parts.count > 1 ? Int(parts[1]).map { "Line \($0 + 1) " } ?? "" : ""
            sentences[field] =
                sentences[field] ?? (line + error.detail).capitalizedFirst + "."
        }
        return sentences
    }

    // MARK: The form of a rule

    /// The page of a new rule, filled in from an exchange if one is given, or of an existing one.
    func formPage(
        _ context: RequestContext, rule: TrafficRule? = nil, exchange: String? = nil,
        kind: TrafficRule.Kind? = nil, form input: RuleForm? = nil, problem: Problem? = nil
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let template = try await RuleEditor(services: services, workspace: workspace).template(
            exchange)
        let draft =
            rule?.draft
            ?? TrafficRule.Draft(
                kind ?? .pauseRequest, template?.match ?? .init(), response: template?.response)
        var model = try await form(context, draft, input, problem, in: workspace)
        model = model.merging([
            "action": rule.map { Links.rule($0.id) } ?? Links.rules,
            "exchange": exchange, "isNew": rule == nil,
            "sourceTitle": template.map { services.title(of: $0.detail) },
            "sourceURL": exchange.map { Links.exchange($0) },
            "isTruncated": template?.detail.responseBody.isTruncated == true,
        ])
        let title = rule == nil ? "New rule" : "Edit rule"
        return try await services.respond(
            to: context,
            Page(
                title: title, navItem: "rules",
                url: rule.map { Links.rule($0.id) }
                    ?? Links.url(
                        Links.newRule, [("exchange", exchange), ("kind", kind?.rawValue)]),
                model: ["form": model, "formTitle": title]), "rules/formpage",
            status: problem?.status ?? 200)
    }

    private func form(
        _ context: RequestContext, _ draft: TrafficRule.Draft, _ input: RuleForm?,
        _ problem: Problem?, in workspace: String
    ) async throws -> TemplateModel {
        let match = draft.match
        let response = draft.response ?? MappedResponse()
        let masked = response.masked
        var values = [
            "kind": draft.kind.rawValue, "method": match.method ?? "", "host": match.host ?? "",
            "path": match.path ?? "", "app": match.app ?? "", "device": match.device ?? "",
            "call": match.call ?? "", "timeout": draft.timeout.shortText,
            "status": String(response.status),
            "contentType": response.headers["Content-Type"] ?? "",
            "headers": Self.lines(masked.fields.filter { !$0.isNamed("Content-Type") }),
            "body": masked.body ?? "",
        ]
        values.merge(input?.values ?? [:]) { $1 }
        func choice(_ id: String, _ name: String, _ field: String) -> ChoiceModel {
            ChoiceModel(value: id, label: name, chosen: values[field] == id)
        }
        let current = try await services.scopeResolver.device(of: context, in: workspace)
        let devices = try await services.simulator.devices(in: workspace).items
        let errors = problem.map(Self.sentences) ?? [:]
        return [
            "action": Links.rules, "isNew": true, "values": values, "errors": errors,
            "formError": problem.flatMap { $0.errors.isEmpty ? $0.detail : nil },
            "kinds": TrafficRule.Kind.allCases.map {
                choice($0.rawValue, "\($0.name): \($0.explanation)", "kind")
            }, "apps": services.appCatalog.apps.map { choice($0.id, $0.name, "app") },
            "devices": devices.map {
                choice(
                    $0.id, $0.label + ($0.id == current?.id ? " (this browser)" : ""), "device")
            },
            "calls": Set(services.appCatalog.apps.flatMap(\.callNames)).sorted().map {
                choice($0, $0, "call")
            },
            "fileNote": response.fileName.map { "\($0), \(Format.size(response.body.count))" },
            "bodyNote": masked.bodyNote,
            "placeholders": masked.placeholders.map { placeholder -> TemplateModel in
                ["placeholder": placeholder.text, "masked": placeholder.masked]
            },
        ]
    }
}

extension Double {
    /// `30`, `2.5`.
    fileprivate var shortText: String {
        self == rounded() ? String(Int(self)) : String(self)
    }
}
