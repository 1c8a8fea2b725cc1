import Traffic
import Web

/// What a form or an API call says about a rule; nil means unchanged, or the default.
struct RuleInput: Sendable {
    var kind: TrafficRule.Kind?
    var isOn: Bool?
    var timeout: Double?
    var match: TrafficRule.Match
    var response: ResponseInput?

    /// The response of a rule. Placeholders in headers and body stand for encrypted values.
    struct ResponseInput: Sendable {
        var status: Int?
        var contentType: String?
        var headers: [Headers.Field]?
        var body: String?
        /// The body as bytes, instead of `body`.
        var bytes: [UInt8]?
        var fileName: String?
    }

    /// The rule with this input; `source` is the response that a `respond` rule starts from.
    func draft(
        from old: TrafficRule.Draft?, source: MappedResponse?, _ errors: inout [Problem.FieldError]
    ) -> TrafficRule.Draft {
        var draft = old ?? TrafficRule.Draft(.pauseRequest)
        draft.kind = kind ?? draft.kind
        draft.isOn = isOn ?? draft.isOn
        draft.timeout = timeout ?? draft.timeout
        draft.match = match
        if draft.kind == .respond {
            if response == nil, source == nil, old?.response == nil {
                errors.add("/response", "is missing, and exchange too")
            }
            let base = old?.response ?? source ?? MappedResponse()
            draft.response = response?.applied(to: base, &errors) ?? base
        } else {
            draft.response = nil
            if response != nil {
                errors.add("/response", "does not apply to \(draft.kind.rawValue)")
            }
        }
        return draft
    }
}

extension RuleInput.ResponseInput {
    func applied(to base: MappedResponse, _ errors: inout [Problem.FieldError]) -> MappedResponse {
        let masked = base.masked
        var response = base
        response.status = status ?? base.status
        if let headers {
            let (filled, invalid) = masked.headers(edited: headers)
            for index in invalid { errors.add("/response/headers/\(index)", Self.unknown) }
            response.headers = filled
            response.headers["Content-Type"] =
                filled["Content-Type"] ?? base.headers["Content-Type"]
        }
        if let bytes {
            response.body = bytes
            response.fileName = fileName
        } else if let body, body != masked.body {
            if let filled = masked.body(edited: body) {
                if filled != base.body { response.fileName = fileName }
                response.body = filled
            } else {
                errors.add("/response/body", Self.unknown)
            }
        }
        if let contentType { response.headers["Content-Type"] = contentType.nonEmpty }
        if response.headers["Content-Type"] == nil, !response.body.isEmpty {
            response.headers["Content-Type"] = response.guessedContentType
        }
        return response
    }

    private static let unknown = "contains a placeholder that stands for nothing here"
}

extension MappedResponse {
    /// By the name of the uploaded file, or by the text.
    fileprivate var guessedContentType: String {
        if let fileName, let type = StaticFiles.contentType(of: fileName) { return type }
        guard String(validating: body, as: UTF8.self) != nil else {
            return "application/octet-stream"
        }
        return (try? JSON(parsing: body)) == nil
            ? "text/plain; charset=utf-8" : "application/json"
    }

    /// The response of a recorded exchange, with its unmasked tokens; nil without one.
    init?(_ detail: ExchangeDetail, tokens: [String]) {
        guard let status = detail.exchange.status, (200...599).contains(status) else { return nil }
        let excluded = [
            "content-length", "transfer-encoding", "content-encoding", "connection", "keep-alive",
            "date", "x-foyer-rule", "x-foyer-fault", "x-request-id",
        ]
        let fields = detail.responseHeaders.fields.filter { field in
            !excluded.contains(where: field.isNamed)
        }
        let body = detail.responseBody
        let text = body.isWithheld ? "" : body.text.map { detail.filled($0, with: tokens) }
        self.init(
            status: status,
            headers: Headers(
                fields.map { .init(name: $0.name, value: detail.filled($0.value, with: tokens)) }),
            body: [204, 304].contains(status) ? [] : text.map { Array($0.utf8) } ?? body.bytes)
    }
}

/// Validates rules against the existing apps, calls and devices, and stores them.
struct RuleEditor: Sendable {
    let services: Services
    let workspace: String

    /// The conditions and the response of a rule for requests like a recorded one.
    func template(_ exchange: String?) async throws -> (
        match: TrafficRule.Match, response: MappedResponse?, detail: ExchangeDetail
    )? {
        guard let exchange else { return nil }
        let detail = try await services.exchange(exchange, in: workspace)
        let tokens = try await services.exchanges.unmaskedTokens(of: detail)
        let path = Format.path(
            detail.exchange.pathAndQuery, below: services.baseURL(of: detail.exchange))
        // A token in the path stands for any.
        let pattern = Exchange.elidingTokens(String(path.prefix { $0 != "?" })).replacing(
            "…", with: "*")
        return (
            TrafficRule.Match(
                method: detail.exchange.method, path: pattern, app: detail.exchange.app),
            MappedResponse(detail, tokens: tokens), detail
        )
    }

    func add(_ input: RuleInput, source: MappedResponse?) async throws -> TrafficRule {
        try await services.rules.add(try await draft(input, nil, source), in: workspace)
    }

    func update(_ rule: TrafficRule, _ input: RuleInput) async throws -> TrafficRule {
        try await services.rules.update(rule, to: try await draft(input, rule.draft, nil))
    }

    /// Throws a problem that names every wrong field.
    private func draft(
        _ input: RuleInput, _ old: TrafficRule.Draft?, _ source: MappedResponse?
    ) async throws -> TrafficRule.Draft {
        var errors: [Problem.FieldError] = []
        let draft = input.draft(from: old, source: source, &errors)
        errors += draft.fieldErrors
        errors += try await FaultValidator(services: services, workspace: workspace).scopeErrors(
            app: draft.match.app, device: draft.match.device, call: draft.match.call)
        guard errors.isEmpty else { throw Problem(errors: errors, title: "Invalid rule") }
        return draft
    }
}

extension Services {
    /// The rule a path refers to.
    func rule(of context: RequestContext) throws -> TrafficRule {
        let id = context.parameters["rule"] ?? ""
        guard let rule = rules.rule(id, in: try workspace(of: context)) else {
            throw Problem.unknown(
                "rule", "No rule of this workspace has the id \(id.prefix(40)): it was deleted.",
                apiHint: "GET /api/rules lists them.")
        }
        return rule
    }
}
