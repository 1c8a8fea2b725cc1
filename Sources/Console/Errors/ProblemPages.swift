import Templates
import Web

/// Puts a problem into the words of whoever asked: a page or JSON.
struct ProblemPages: Sendable {
    let services: Services

    func answer(_ problem: Problem, to request: Request) -> Response {
        guard wantsPage(request) else { return problem.response }
        var response: Response
        do {
            response = .html(try page(problem), status: problem.status)
        } catch {
            // The templates themselves are what is broken.
            response = problem.response
        }
        for field in problem.headers.fields {
            response.headers.add(field.name, field.value)
        }
        return response
    }

    /// A browser looking at a page, not a script asking the API.
    private func wantsPage(_ request: Request) -> Bool {
        !request.target.hasPrefix("/api")
            && !request.target.hasPrefix("/assets")
            && Accept(request.headers).prefersPage
    }

    private func page(_ problem: Problem) throws -> [UInt8] {
        if problem.code == "key-needed" || problem.code == "wrong-key" {
            let model = KeyModel(
                pageTitle: "Key needed", kind: "401 Key needed",
                title: problem.code == "wrong-key"
                    ? "That is not Foyer's key" : "Foyer wants its key",
                detail: problem.detail,
                exampleURL: "http://127.0.0.1:\(services.port)/?key=…")
            return try services.templates.render(
                "errors/key", model, layout: "layouts/door")
        }
        let model = ProblemModel(
            frame: nil, pageTitle: problem.title,
            kind: "\(problem.status) \(Self.name(problem.status))",
            title: problem.title, detail: problem.detail, mends: Self.mends(problem),
            stillWorks: problem.status < 500
                ? "Nothing was changed." : "What was stored is kept.",
            homeURL: [403, 421].contains(problem.status) ? nil : Links.home)
        return try services.templates.render(
            "errors/problem", model, layout: "layouts/door")
    }

    /// What a person can do about it.
    private static func mends(_ problem: Problem) -> [ProblemModel.Mend] {
        guard problem.code == "unknown-workspace" else { return [] }
        return [
            ProblemModel.Mend(
                mend: "Choose another workspace", mendURL: Links.workspaces,
                why: "The one called main is always there.")
        ]
    }

    /// The reason phrase (RFC 9110, 15).
    private static func name(_ status: Int) -> String {
        switch status {
        case 400: "Bad request"
        case 401: "Key needed"
        case 403: "Refused"
        case 404: "Not found"
        case 405: "Method not allowed"
        case 408: "Time-out"
        case 409: "Conflict"
        case 413: "Too large"
        case 414: "Address too long"
        case 415: "Unsupported type"
        case 421: "Wrong host"
        case 503: "Not available"
        default: status < 500 ? "Refused" : "Error"
        }
    }
}
