import Traffic
import Web

/// `/traffic/{exchange}/resend`: sends a recorded request again, edited
/// first if one likes.
struct ResendPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/traffic/{exchange}/resend", handler: ask),
            Route(.post, "/traffic/{exchange}/resend", handler: send),
        ]
    }

    @Sendable private func ask(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        return try await page(visit, part: part, typed: nil, fault: nil, status: 200)
    }

    @Sendable private func send(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let detail = try await services.exchange(of: visit, visitors)
        do {
            let typed = try ResendForm(form)
            let id = try await Resending(services: services, detail: detail).send(
                typed.edit(of: detail))
            return .redirect(to: Links.exchange(id))
        } catch let problem as Problem where problem.status < 500 {
            return try await page(
                visit, part: nil, typed: form, fault: problem, status: problem.status)
        }
    }

    private func page(_ visit: Visit, part: String?, typed: Form?, fault: Problem?, status: Int)
        async throws -> Response
    {
        let detail = try await services.exchange(of: visit, visitors)
        let exchange = detail.exchange
        let action = Links.exchange(exchange.id, "resend")
        let base = services.base(
            ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace)
        let faults = ResendFaults(problem: fault)
        let model = ResendModel(
            frame: try await frames.frame(
                "Send again", place: "traffic", workspace: exchange.workspace, csrf: visit.csrf,
                partURL: Links.part(action, [])), csrf: visit.csrf, action: action,
            exchangeURL: Links.exchange(exchange.id),
            what: exchange.method + " "
                + detail.masked(ExchangeRowModel.path(exchange, base: base)),
            origin: Address(exchange.url).origin, method: typed?["method"] ?? exchange.method,
            path: typed?["path"] ?? exchange.path,
            headers: typed?["headers"] ?? ResendForm.headers(of: detail),
            body: typed?["body"] ?? detail.requestBody.text ?? "",
            bodyNote: detail.requestBody.text == nil
                ? "The recorded body is no text: left empty it is sent as it was." : nil,
            needsPassword: ResendForm.lacksPassword(detail) || faults.password != nil,
            anyTokens: !detail.tokens.isEmpty,
            tokens: detail.tokens.enumerated().map {
                .init(placeholder: "‹token:\($0.offset)›", masked: $0.element)
            }, methodError: faults.method, pathError: faults.path, headersError: faults.headers,
            bodyError: faults.body, passwordError: faults.password, faultText: faults.rest)
        var response = try PageParts(
            templates: services.templates, page: "traffic/resend", parts: [:]
        ).answer(part, model, frame: model.frame)
        response.status = status
        return response
    }
}
