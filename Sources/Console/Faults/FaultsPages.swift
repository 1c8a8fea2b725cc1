import Traffic
import Web

/// `/faults`: adds, lists and turns off simulated failures.
struct FaultsPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.faults, handler: show), Route(.post, Links.faults, handler: add),
            Route(.post, Links.applyFaultPreset, handler: applyPreset),
            Route(.post, Links.turnOffFaults, handler: turnOffAll),
            Route(.post, Links.turnOffFault, handler: turnOff),
        ]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        return try await page(context)
    }

    private func page(
        _ context: RequestContext, input: [String: String] = [:], errors: [Problem.FieldError] = []
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let page = try await FaultsBuilder(
            services: services, workspace: workspace,
            device: try await services.scopeResolver.device(of: context, in: workspace),
            input: input, errors: errors
        ).build()
        return try await services.respond(
            to: context, page, "faults/faults",
            parts: [
                "total": "parts/total", "active": "faults/active", "presets": "faults/presets",
            ], status: errors.isEmpty ? 200 : 422)
    }

    /// Adds a fault from the form; ignores fields that the chosen kind does not use.
    @Sendable private func add(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let workspace = try services.workspace(of: context)
        var input: [String: String] = [:]
        for item in form.items { input[item.name] = item.value }
        var faultForm = FaultForm(input)
        let draft = faultForm.draft()
        let validator = FaultValidator(services: services, workspace: workspace)
        let errors =
            faultForm.errors.isEmpty ? try await validator.errors(of: draft) : faultForm.errors
        guard errors.isEmpty else { return try await page(context, input: input, errors: errors) }
        _ = try await services.faults.add([draft], in: workspace)
        return .redirect(to: Links.faults)
    }

    /// Activates the preset `set`, optionally for one `app` and `device`.
    @Sendable private func applyPreset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        guard let preset = Fault.preset(form["preset"] ?? "") else {
            throw Problem.invalidFault([.init(pointer: "/preset", detail: "is not a preset")])
        }
        let workspace = try services.workspace(of: context)
        _ = try await FaultValidator(services: services, workspace: workspace).applyPreset(
            preset, app: form["app"]?.nonEmpty, device: form["device"]?.nonEmpty)
        return redirectBack(form)
    }

    /// Turns off all faults, or those of a `set`, an `app` or a `device`.
    @Sendable private func turnOffAll(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let presetID = form["preset"]?.nonEmpty
        let app = form["app"]?.nonEmpty
        let device = form["device"]?.nonEmpty
        try await services.faults.remove(in: try services.workspace(of: context)) {
            (presetID == nil || $0.presetID == presetID) && (app == nil || $0.draft.app == app)
                && (device == nil || $0.draft.device == device)
        }
        return redirectBack(form)
    }

    /// Turns off one fault; succeeds even if it is already off.
    @Sendable private func turnOff(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let id = context.parameters["fault"] ?? ""
        try await services.faults.remove(in: try services.workspace(of: context)) { $0.id == id }
        return redirectBack(form)
    }

    private func redirectBack(_ form: Form) -> Response {
        .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.faults)
    }
}
