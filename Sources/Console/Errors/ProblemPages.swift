import Templates
import Web

/// Puts a problem into the words of whoever asked: a page or JSON.
struct ProblemPages: Sendable {
    let services: Services
    let visitors: Visitors

    /// `visit` is nil for one who was not let in.
    func answer(
        _ problem: Problem, to request: Request, of visit: Visit?
    ) async -> Response {
        guard wantsPage(request) else { return problem.response }
        return page(
            problem, in: await frame(problem, visit),
            isInside: Self.isInside(request))
    }

    /// The same for a request that nobody was asked about.
    func refusal(_ problem: Problem, of request: Request) -> Response {
        wantsPage(request)
            ? page(problem, in: nil, isInside: Self.isInside(request))
            : problem.response
    }

    private func page(
        _ problem: Problem, in frame: FrameModel?, isInside: Bool
    ) -> Response {
        var response: Response
        do {
            response = .html(
                try page(problem, frame, isInside: isInside),
                status: problem.status)
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

    /// The console's frame, so that a page that is missing is no dead end;
    /// nil inside another page (an app's screens, a mail's body, a script's
    /// answer), for one who was not let in, and where none can be made.
    private func frame(
        _ problem: Problem, _ visit: Visit?
    ) async -> FrameModel? {
        guard let visit, visit.pass != .open,
            visit.target.segments.first != "apps",
            ["document", nil].contains(
                visit.request.headers["Sec-Fetch-Dest"]),
            let workspace = try? visitors.workspace(of: visit)
        else { return nil }
        return try? await FrameBuilder(services: services).frame(
            problem.title,
            place: visit.target.segments.first ?? "",
            workspace: workspace, csrf: visit.csrf,
            partURL: Links.part(Links.home, []))
    }

    /// Whether a frame of another page asks: there nothing of the console
    /// stands around it, and no link opens the console within.
    private static func isInside(_ request: Request) -> Bool {
        ["iframe", "frame"].contains(request.headers["Sec-Fetch-Dest"])
    }

    private func page(
        _ problem: Problem, _ frame: FrameModel?, isInside: Bool
    ) throws -> [UInt8] {
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
            frame: frame, pageTitle: problem.title,
            kind: "\(problem.status) \(Self.name(problem.status))",
            title: problem.title, detail: problem.detail,
            mends: isInside ? [] : ProblemModel.Mend.all(of: problem),
            stillWorks: problem.status < 500
                ? "Nothing was changed." : "What was stored is kept.",
            homeURL: isInside || [403, 421].contains(problem.status)
                ? nil : Links.home)
        return try services.templates.render(
            "errors/problem", model,
            layout: isInside ? "layouts/tile"
                : frame == nil ? "layouts/door" : "layouts/console")
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
