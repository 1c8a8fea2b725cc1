import Traffic
import Web

/// `/conditions`: trouble on purpose, by hand.
struct ConditionsPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/conditions", handler: show), Route(.post, "/conditions", handler: add),
            Route(.post, "/conditions/set", handler: turnOn),
            Route(.post, "/conditions/end", handler: endAll),
            Route(.post, "/conditions/{condition}/end", handler: end),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        return try await page(visit, part: part)
    }

    private func page(
        _ visit: Visit, part: String? = nil, typed: [String: String] = [:],
        faults: [Problem.FieldError] = []
    ) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let model = try await ConditionsBuilder(
            services: services, frames: frames, workspace: workspace,
            device: try await visitors.device(of: visit, in: workspace), csrf: visit.csrf,
            typed: typed, faults: faults
        ).build()
        var response = try PageParts(
            templates: services.templates, page: "conditions/conditions",
            parts: [
                "total": "parts/total", "active": "conditions/active", "sets": "conditions/sets",
            ]
        ).answer(part, model, frame: model.frame)
        if !faults.isEmpty { response.status = 422 }
        return response
    }

    /// The form; what means nothing to the chosen kind is left aside.
    @Sendable private func add(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let workspace = try visitors.workspace(of: visit)
        var typed: [String: String] = [:]
        for item in form.items { typed[item.name] = item.value }
        var reading = ConditionForm(typed)
        let draft = reading.draft()
        let order = ConditionOrder(services: services, workspace: workspace)
        let faults = reading.faults.isEmpty ? try await order.faults(of: draft) : reading.faults
        guard faults.isEmpty else { return try await page(visit, typed: typed, faults: faults) }
        _ = try await services.conditions.add([draft], in: workspace)
        return .redirect(to: Links.conditions)
    }

    /// `set`, and for whom: `app`, `device`.
    @Sendable private func turnOn(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        guard let set = Condition.set(form["set"] ?? "") else {
            throw Problem.badCondition([.init(pointer: "/set", detail: "is no set")])
        }
        let workspace = try visitors.workspace(of: visit)
        _ = try await ConditionOrder(services: services, workspace: workspace).turnOn(
            set, app: form["app"]?.given, device: form["device"]?.given)
        return back(form)
    }

    /// All, or those of a `set`, of an app, of a device.
    @Sendable private func endAll(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let set = form["set"]?.given
        let app = form["app"]?.given
        let device = form["device"]?.given
        try await services.conditions.end(in: try visitors.workspace(of: visit)) {
            (set == nil || $0.set == set) && (app == nil || $0.draft.app == app)
                && (device == nil || $0.draft.device == device)
        }
        return back(form)
    }

    /// One that is over already is over.
    @Sendable private func end(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let id = visit.parameters["condition"] ?? ""
        try await services.conditions.end(in: try visitors.workspace(of: visit)) { $0.id == id }
        return back(form)
    }

    private func back(_ form: Form) -> Response {
        .redirect(to: Links.back(form["back"]) ?? Links.conditions)
    }
}
