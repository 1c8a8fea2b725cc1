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

    /// Adds a fault from the form; ignores fields that the chosen kind does not use.
    @Sendable private func add(_ context: RequestContext) async throws -> Response {
        let input = try Form(context.request).firstValues
        let workspace = try services.workspace(of: context)
        var form = FaultForm(input)
        let draft = form.draft()
        let validator = FaultValidator(services: services, workspace: workspace)
        let errors = form.errors.isEmpty ? try await validator.errors(of: draft) : form.errors
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

/// Parses the form's text fields into a draft and collects errors.
struct FaultForm {
    private var input: [String: String]
    private(set) var errors: [Problem.FieldError] = []

    /// The fields that only some kinds use.
    static let settings = Set(Fault.Kind.allCases.flatMap(\.settingNames))

    init(_ input: [String: String]) { self.input = input }

    mutating func draft() -> Fault.Draft {
        let kind = value("kind").flatMap(Fault.Kind.init)
        if kind == nil { addError("kind", "choose a type") }
        var draft = Fault.Draft(
            kind ?? .offline, app: value("app"), device: value("device"), call: value("call"),
            times: integer("times"))
        let phase = value("phase").flatMap(Fault.Phase.init) ?? .before
        draft.phase = kind?.supportsAfterPhase == false ? .before : phase
        // The form has the fields of all kinds.
        for name in Self.settings.subtracting(kind?.settingNames ?? []) { input[name] = nil }
        draft.status = integer("status")
        draft.body = value("body")
        draft.headers = headers()
        draft.delay = number("delay", "is not a number") { text in
            Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        draft.retryAfter = integer("retryAfter")
        draft.skew = integer("skew")
        return draft
    }

    private func value(_ name: String) -> String? {
        var text = input[name]?.drop(while: \.isWhitespace) ?? ""
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    private mutating func headers() -> [String: String] {
        let lines = HeaderLines(value("headers") ?? "")
        if let invalidLine = lines.invalidLine {
            addError("headers", "invalid header line: \(invalidLine)")
        }
        return Dictionary(
            lines.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
    }

    private mutating func integer(_ name: String) -> Int? {
        number(name, "is not an integer") { Int($0) }
    }

    /// Accepts the true minus sign that the page displays as well as a hyphen.
    private mutating func number<Number>(
        _ name: String, _ rule: String, _ convert: (String) -> Number?
    ) -> Number? {
        guard let text = value(name) else { return nil }
        if let number = convert(text.replacing("−", with: "-")) { return number }
        addError(name, rule)
        return nil
    }

    private mutating func addError(_ name: String, _ detail: String) {
        errors.append(.init(pointer: "/" + name, detail: detail))
    }
}
