import Traffic
import Web
import Workspaces

/// `/traffic/{exchange}/resend`: resends a recorded request, optionally edited.
struct ResendPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.resend, handler: showForm),
            Route(.post, Links.resend, handler: send),
        ]
    }

    @Sendable private func showForm(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        return try await page(context, input: nil, problem: nil)
    }

    @Sendable private func send(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let detail = try await services.exchange(of: context)
        do {
            let resendForm = try ResendForm(form)
            let id = try await services.resend.send(detail, resendForm.edit(of: detail))
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
        let errors = ResendErrors(problem: problem)
        let page = Page(
            "Edit and resend", navItem: "traffic", url: action,
            ResendModel(
                action: action, exchangeURL: Links.exchange(exchange.id),
                requestTitle: services.title(of: detail),
                origin: URLParts(exchange.url).origin, method: input?["method"] ?? exchange.method,
                path: input?["path"] ?? exchange.pathAndQuery,
                headers: input?["headers"] ?? ResendForm.headers(of: detail),
                body: input?["body"] ?? detail.requestBody.text ?? "",
                bodyNote: detail.requestBody.text == nil
                    ? "Binary body: leave empty to send it unchanged." : nil,
                needsPassword: ResendForm.lacksPassword(detail) || errors.password != nil,
                hasTokens: !detail.tokens.isEmpty,
                tokens: detail.tokens.enumerated().map {
                    .init(placeholder: "‹token:\($0.offset)›", masked: $0.element)
                }, methodError: errors.method, pathError: errors.path, headersError: errors.headers,
                bodyError: errors.body, passwordError: errors.password,
                errorText: errors.generalError))
        return try await services.respond(
            to: context, page, "traffic/resend", status: problem?.status ?? 200)
    }
}

/// Maps the API's errors, by JSON Pointer, to the form's fields.
struct ResendErrors {
    /// Why it was not sent; nil before the first attempt.
    let problem: Problem?

    var method: String? { sentence("/edit/method", "The method") }
    var path: String? { sentence("/edit/path", "The path") }
    var headers: String? { sentence("/edit/headers", "A header line") }
    var body: String? { sentence("/edit/body", "The body") }
    var password: String? { sentence("/password", "The password") }

    /// The error that belongs to no field.
    var generalError: String? { problem.flatMap { $0.errors.isEmpty ? $0.detail : nil } }

    private func sentence(_ pointer: String, _ field: String) -> String? {
        problem?.errors.first { $0.pointer == pointer || $0.pointer.hasPrefix(pointer + "/") }.map {
            "\(field) \($0.detail)."
        }
    }
}

/// The form that resends a request (`traffic/resend`).
struct ResendModel: Encodable, Sendable {
    var action: String
    var exchangeURL: String
    /// `POST /auth/login`.
    var requestTitle: String
    /// The only server it can be sent to.
    var origin: String
    var method: String
    /// Path and query, with placeholders for tokens.
    var path: String
    /// One field per line.
    var headers: String
    var body: String
    /// A note if the body is no text, else nil.
    var bodyNote: String?
    /// Whether a password has to be entered again.
    var needsPassword: Bool
    var hasTokens: Bool
    /// The placeholders of tokens with their masked forms.
    var tokens: [Token]
    /// The error of each field; nil for none.
    var methodError: String?
    var pathError: String?
    var headersError: String?
    var bodyError: String?
    var passwordError: String?
    /// The error that belongs to no field; nil if there is none.
    var errorText: String?

    struct Token: Encodable, Sendable {
        var placeholder: String
        var masked: String
    }
}
