import Traffic
import Web

/// `/faults`: adds, lists and turns off simulated failures.
struct FaultsPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            .page(Links.faults) { try await page($0) }, Route(.post, Links.faults, handler: add),
            Route(.post, Links.applyFaultPreset, handler: applyPreset),
            Route(.post, Links.turnOffFaults, handler: turnOffAll),
            Route(.post, Links.turnOffFault, handler: turnOff),
        ]
    }

    /// Adds a fault from the form; ignores fields that the chosen kind does not use.
    @Sendable private func add(_ context: RequestContext) async throws -> Response {
        let input = try Form(context.request).firstValues
        let workspace = try services.workspace(of: context)
        // Without scripts: shows the choices that fit the app.
        if input["fit"] != nil { return try await page(context, input: input) }
        var errors: [Problem.FieldError] = []
        let draft = Fault.Draft(form: input, errors: &errors)
        if errors.isEmpty {
            errors = try await FaultValidator(services: services, workspace: workspace)
                .errors(of: draft)
        }
        guard errors.isEmpty else { return try await page(context, input: input, errors: errors) }
        _ = try await services.faults.add([draft], in: workspace)
        return .redirect(to: Links.faults)
    }

    /// Activates the preset `preset`, optionally for one `app` and `device`.
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

    /// Turns off all faults, or those of a `preset`, an `app` or a `device`.
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

extension Fault.Draft {
    /// The settings that only some kinds use.
    static let settingNames = Set(Fault.Kind.allCases.flatMap(\.settingNames))

    /// Parses the form's text fields, which are those of all kinds.
    init(form input: [String: String], errors: inout [Problem.FieldError]) {
        let kind = input["kind"].flatMap(Fault.Kind.init)
        func text(_ name: String) -> String? {
            guard !Self.settingNames.subtracting(kind?.settingNames ?? []).contains(name) else {
                return nil
            }
            var text = input[name]?.drop(while: \.isWhitespace) ?? ""
            while text.last?.isWhitespace == true { text.removeLast() }
            return String(text).nonEmpty
        }
        /// Accepts the true minus sign that the page displays as well as a hyphen.
        func number<Number>(_ name: String, _ rule: String, _ convert: (String) -> Number?)
            -> Number?
        {
            guard let text = text(name) else { return nil }
            let number = convert(text.replacing("−", with: "-"))
            if number == nil { errors.add("/" + name, rule) }
            return number
        }
        func integer(_ name: String) -> Int? { number(name, "is not an integer") { Int($0) } }
        if kind == nil { errors.add("/kind", "choose a type") }
        self.init(
            kind ?? .offline, app: text("app"), device: text("device"), call: text("call"),
            times: integer("times"))
        if kind?.supportsAfterPhase != false {
            phase = text("phase").flatMap(Fault.Phase.init) ?? .before
        }
        status = integer("status")
        body = text("body")
        let lines = HeaderLines(text("headers") ?? "")
        if let line = lines.invalidLine {
            errors.add("/headers", "invalid header line: \(line)")
        }
        headers = Dictionary(
            lines.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
        delay = number("delay", "is not a number") { text in
            Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        retryAfter = integer("retryAfter")
        skew = integer("skew")
    }
}
