import Traffic
import Web

/// `/traffic/{exchange}/resend`: resends a recorded request, optionally edited.
struct ResendPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/traffic/{exchange}/resend", handler: showForm),
            Route(.post, "/traffic/{exchange}/resend", handler: send),
        ]
    }

    @Sendable private func showForm(_ context: RequestContext) async throws -> Response {
        let part = try context.query(allowing: ["part"])["part"]
        return try await page(context, part: part, input: nil, problem: nil, status: 200)
    }

    @Sendable private func send(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let detail = try await services.exchange(of: context, scopeResolver)
        do {
            let resendForm = try ResendForm(form)
            let id = try await Resend(services: services, detail: detail).send(
                resendForm.edit(of: detail))
            return .redirect(to: Links.exchange(id))
        } catch let problem as Problem where problem.status < 500 {
            return try await page(
                context, part: nil, input: form, problem: problem, status: problem.status)
        }
    }

    private func page(
        _ context: RequestContext, part: String?, input: Form?, problem: Problem?, status: Int
    )
        async throws -> Response
    {
        let detail = try await services.exchange(of: context, scopeResolver)
        let exchange = detail.exchange
        let action = Links.exchange(exchange.id, "resend")
        let base = services.baseURL(
            ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace)
        let errors = ResendErrors(problem: problem)
        let model = ResendModel(
            frame: try await frames.frame(
                "Send again", navItem: "traffic", workspace: exchange.workspace,
                csrfToken: context.csrfToken,
                partURL: Links.partURL(action, [])), csrf: context.csrfToken, action: action,
            exchangeURL: Links.exchange(exchange.id),
            requestTitle: exchange.method + " "
                + detail.masked(ExchangeRowModel.path(exchange, base: base)),
            origin: URLParts(exchange.url).origin, method: input?["method"] ?? exchange.method,
            path: input?["path"] ?? exchange.pathAndQuery,
            headers: input?["headers"] ?? ResendForm.headers(of: detail),
            body: input?["body"] ?? detail.requestBody.text ?? "",
            bodyNote: detail.requestBody.text == nil
                ? "The recorded body is no text: left empty it is sent as it was." : nil,
            needsPassword: ResendForm.lacksPassword(detail) || errors.password != nil,
            hasTokens: !detail.tokens.isEmpty,
            tokens: detail.tokens.enumerated().map {
                .init(placeholder: "‹token:\($0.offset)›", masked: $0.element)
            }, methodError: errors.method, pathError: errors.path, headersError: errors.headers,
            bodyError: errors.body, passwordError: errors.password, errorText: errors.generalError)
        var response = try PageRenderer(
            templates: services.templates, pageTemplate: "traffic/resend", partTemplates: [:]
        ).response(part, model, frame: model.frame)
        response.status = status
        return response
    }
}
