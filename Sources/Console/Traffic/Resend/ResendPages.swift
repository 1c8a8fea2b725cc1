import Templates
import Traffic
import Web
import Workspaces

/// `/traffic/{exchange}/resend`: resends a recorded request, optionally edited.
struct ResendPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            .page(Links.resend) { try await page($0, input: nil, problem: nil) },
            Route(.post, Links.resend, handler: send),
        ]
    }

    @Sendable private func send(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let detail = try await services.exchange(of: context)
        do {
            let id = try await services.resend.send(detail, ResendForm.edit(of: detail, from: form))
            return .redirect(to: Links.exchange(id))
        } catch let problem as Problem where problem.status < 500 {
            return try await page(context, input: form, problem: problem)
        }
    }

    private func page(_ context: RequestContext, input: Form?, problem: Problem?) async throws
        -> Response
    {
        let detail = try await services.exchange(of: context)
        let exchange = detail.exchange
        let action = Links.resend(exchange.id)
        let errors = problem.map { ResendForm.errors($0) } ?? [:]
        let page = Page(
            title: "Edit and resend", navItem: "traffic", url: action,
            model: [
                "action": action, "exchangeURL": Links.exchange(exchange.id),
                "requestTitle": services.title(of: detail), "errors": errors,
                "errorText": problem.flatMap { $0.errors.isEmpty ? $0.detail : nil },
                // The only server it can be sent to.
                "origin": URLParts(exchange.url).origin,
                "method": input?["method"] ?? exchange.method,
                "path": input?["path"] ?? exchange.pathAndQuery,
                "headers": input?["headers"] ?? ResendForm.headers(of: detail),
                "body": input?["body"] ?? detail.requestBody.text ?? "",
                "isBinary": detail.requestBody.text == nil,
                "needsPassword": ResendForm.lacksPassword(detail) || errors["password"] != nil,
                "tokens": detail.tokens.enumerated().map { index, token -> TemplateModel in
                    ["placeholder": "‹token:\(index)›", "masked": token]
                },
            ])
        return try await services.respond(
            to: context, page, "traffic/resend", status: problem?.status ?? 200)
    }
}

/// The form that edits a request before resending it.
enum ResendForm {
    /// Returns only the parts that differ from the recorded request. The field `headers` has one
    /// `Name: value` per line.
    static func edit(of detail: ExchangeDetail, from form: Form) throws(Problem) -> Resend.Edit {
        var edit = Resend.Edit()
        edit.password = form["password"]?.nonEmpty
        if let method = form["method"], method != detail.exchange.method {
            edit.method = method.uppercased()
        }
        if let path = form["path"], path != detail.exchange.pathAndQuery { edit.path = path }
        if let text = form["headers"], normalizingLineEndings(text) != headers(of: detail) {
            edit.headers = try fields(text)
        }
        if let body = form["body"].map(normalizingLineEndings),
            body != normalizingLineEndings(detail.requestBody.text ?? "")
        {
            edit.body = body
        }
        return edit
    }

    static func headers(of detail: ExchangeDetail) -> String {
        ResendRequest.resendableFields(detail.requestHeaders.fields).map {
            "\($0.name): \($0.value)"
        }.joined(separator: "\n")
    }

    /// Whether the request contained a password, which was not recorded.
    static func lacksPassword(_ detail: ExchangeDetail) -> Bool {
        let placeholder = ResendRequest.passwordPlaceholder
        return detail.requestBody.text?.contains(placeholder) == true
            || detail.exchange.url.contains(placeholder)
            || detail.requestHeaders.fields.contains { $0.value.contains(placeholder) }
    }

    /// Browsers submit CRLF line endings.
    static func normalizingLineEndings(_ text: String) -> String {
        text.replacing("\r\n", with: "\n")
    }

    static func fields(_ text: String, pointer: String = "/edit/headers") throws(Problem)
        -> [Headers.Field]
    {
        let lines = HeaderLines(text)
        guard let invalidLine = lines.invalidLine else { return lines.fields }
        throw Problem(
            status: 400, code: "invalid-resend", title: "Invalid request",
            detail: "Invalid header line \"\(invalidLine)\". Each line is a name, "
                + "a colon and a value.",
            errors: [
                .init(
                    pointer: pointer,
                    detail: "is invalid: \"\(invalidLine)\"; use a name, a colon and a value")
            ])
    }

    /// The sentences below the fields, from the API's errors by JSON Pointer.
    static func errors(_ problem: Problem, below parent: String = "/edit") -> [String: String] {
        let subjects = [
            parent + "/method": "The method", parent + "/path": "The path",
            parent + "/headers": "A header line", parent + "/body": "The body",
            "/password": "The password", "/device": "The device", "/backend": "The backend",
        ]
        var sentences: [String: String] = [:]
        for error in problem.errors {
            for (pointer, subject) in subjects
            where error.pointer == pointer || error.pointer.hasPrefix(pointer + "/") {
                let field = pointer.split(separator: "/").last.map(String.init) ?? ""
                sentences[field] = sentences[field] ?? "\(subject) \(error.detail)."
            }
        }
        return sentences
    }
}
