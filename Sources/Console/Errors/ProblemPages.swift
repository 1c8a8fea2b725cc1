import Simulator
import Templates
import Web

/// Renders a problem as a page or as JSON, as the client accepts it.
struct ProblemPages: Sendable {
    let services: Services

    /// `context` is nil for a request that was not admitted.
    func respond(_ problem: Problem, to request: Request, of context: RequestContext?) async
        -> Response
    {
        guard wantsPage(request) else { return problem.response }
        return page(problem, to: request, of: context, in: await frame(problem, context))
    }

    /// The response to a request that is rejected before authentication.
    func unauthenticatedResponse(_ problem: Problem, of request: Request) -> Response {
        wantsPage(request) ? page(problem, to: request, of: nil, in: nil) : problem.response
    }

    private func page(
        _ problem: Problem, to request: Request, of context: RequestContext?,
        in frame: TemplateModel?
    ) -> Response {
        var response: Response
        do {
            response = .html(try render(problem, request, context, frame), status: problem.status)
        } catch {
            // The templates themselves may be broken.
            response = problem.response
        }
        for field in problem.headers.fields { response.headers.add(field.name, field.value) }
        return response
    }

    /// Whether a browser requests a page, as opposed to a script that calls the API.
    private func wantsPage(_ request: Request) -> Bool {
        !request.target.hasPrefix("/api") && !request.target.hasPrefix("/assets")
            && Accept(request.headers).prefersHTML
    }

    /// The console's frame, so that an error page still has navigation.
    ///
    /// Nil inside another page (an app's screens, a mail's body, a script's response), for a
    /// request that was not admitted, and if the frame cannot be built.
    private func frame(_ problem: Problem, _ context: RequestContext?) async -> TemplateModel? {
        guard let context, context.authentication != .notRequired,
            context.target.segments.first != "apps",
            ["document", nil].contains(context.request.headers["Sec-Fetch-Dest"])
        else { return nil }
        let page = Page(
            title: problem.title, navItem: context.target.segments.first ?? "", url: Links.home,
            model: [:])
        return try? await services.frame(of: page, context)
    }

    /// The id of the app whose studio or screens were requested.
    private static func app(_ context: RequestContext?) -> String? {
        guard let segments = context?.target.segments, segments.count > 1,
            ["studio", "apps"].contains(segments[0])
        else { return nil }
        return segments[1]
    }

    private func render(
        _ problem: Problem, _ request: Request, _ context: RequestContext?, _ frame: TemplateModel?
    ) throws -> [UInt8] {
        if problem.code == "key-needed" || problem.code == "wrong-key" {
            let model: TemplateModel = [
                "pageTitle": "Unauthorized",
                "title": problem.code == "wrong-key" ? "Invalid key" : "Enter your key",
                "detail": problem.detail, "exampleURL": "http://127.0.0.1:\(services.port)/?key=…",
            ]
            return try services.templates.render("errors/key", model, layout: "layouts/auth")
        }
        // In another page's frame, the page has no console around it, and no links, which would
        // open the console inside the frame.
        let isFramed = ["iframe", "frame"].contains(request.headers["Sec-Fetch-Dest"])
        let fix = isFramed ? nil : Self.fix(problem, app: Self.app(context))
        // Only in the console's frame, and only if the fix has another link.
        let back = Self.backLink(context)
        let backLink = frame == nil || fix?.url == back?.url ? nil : back
        let mayHaveActed =
            context != nil && ![.get, .head].contains(request.method)
            && !problem.isRaisedBeforeHandling
        let model: TemplateModel = [
            "frame": frame, "pageTitle": problem.title,
            "kind": "\(problem.status) \(Self.reasonPhrase(problem.status))",
            "title": problem.title, "detail": problem.detail, "fixLabel": fix?.label,
            "fixURL": fix?.url, "fixReason": fix?.reason,
            "outcomeText": Self.outcomeText(problem, mayHaveActed), "backURL": backLink?.url,
            "backName": backLink?.name,
            "homeURL": isFramed || [403, 421].contains(problem.status) || fix?.url == Links.home
                ? nil : Links.home,
        ]
        return try services.templates.render(
            "errors/problem", model,
            layout: isFramed ? "layouts/tile" : frame == nil ? "layouts/auth" : "layouts/console")
    }

    private static func outcomeText(_ problem: Problem, _ mayHaveActed: Bool) -> String {
        if problem.code == "partially-restored" { return "Partially completed." }
        if problem.status >= 500 { return "No stored data was lost." }
        return mayHaveActed ? "It may be partially completed." : "No changes were made."
    }

    /// The page that a form or a confirmation belongs to: the app's page under `/studio/{app}/…`,
    /// else the list; nil for such a page itself.
    private static func backLink(_ context: RequestContext?) -> (url: String, name: String)? {
        guard let segments = context?.target.segments, let name = segments.first,
            let depth = pageDepths[name], segments.count > depth
        else { return nil }
        let path = segments.prefix(depth).map { PercentEncoding.encode($0) }
        return ("/" + path.joined(separator: "/"), name)
    }

    /// The number of path segments of a page, by its first segment.
    private static let pageDepths = [
        "studio": 2, "storyboard": 2, "walkthrough": 2, "sessions": 1, "traffic": 1, "mailbox": 1,
        "accounts": 1, "faults": 1, "clock": 1, "snapshots": 1, "workspaces": 1, "tokens": 1,
    ]

    /// The reason phrase (RFC 9110, 15).
    private static func reasonPhrase(_ status: Int) -> String {
        reasonPhrases[status] ?? (status < 500 ? "Rejected" : "Error")
    }

    private static let reasonPhrases = [
        400: "Bad request", 401: "Unauthorized", 403: "Forbidden", 404: "Not found",
        405: "Method not allowed", 408: "Timeout", 409: "Conflict", 413: "Payload too large",
        414: "URL too long", 415: "Unsupported media type", 421: "Unknown host",
        503: "Service unavailable",
    ]
}

extension Problem {
    /// Whether it is raised before a handler changes anything: the input is invalid, or names
    /// something that does not exist.
    fileprivate var isRaisedBeforeHandling: Bool {
        switch status {
        case 400, 401, 403, 405, 413, 414, 415, 421, 422, 431: true
        case 404: code.hasPrefix("unknown-") || code == "not-found"
        default: false
        }
    }
}

// MARK: Suggested fixes

extension ProblemPages {
    /// A suggested fix, with the page for it, if there is one.
    private typealias Fix = (label: String, url: String?, reason: String)

    /// The fix by the problem's code; `app` is the id of the app whose page was requested.
    private static func fix(_ problem: Problem, app: String?) -> Fix? {
        if problem.code == Problem.unknownDevice("").code, let app {
            return ("Show another device", Links.studio(app), "Its menu lists all devices.")
        }
        guard problem.code == Problem.unreadableStorageCode else { return fixes[problem.code] }
        return (
            "Clear app data", app.map { Links.clearStorage($0) },
            "Accounts on the backend remain."
        )
    }

    private static let fixes: [String: Fix] = [
        "unknown-workspace": (
            "Go to main", Links.home, "Other workspaces did not change."
        ), "deleted-exchange": viewRequests, "unknown-exchange": viewRequests,
        "unknown-session": (
            "View all sessions", Links.sessions, "Each workspace has its own sessions."
        ),
        "unknown-mail": ("View the mailbox", Links.mailbox, "Each workspace has its own mailbox."),
        "unknown-account": (
            "View all accounts", Links.accounts, "Each workspace has its own list."
        ),
        "unknown-app": (
            "View all apps", Links.home, "An app is listed while its manifest is valid."
        ),
        "unknown-snapshot": (
            "View all snapshots", Links.snapshots, "Each workspace has its own list."
        ), "unknown-fault": viewFaults, "too-many-faults": viewFaults,
        "exchange-pair-required": (
            "Select two in the list", Links.traffic,
            "Each request has a checkbox at the end of its row."
        ),
        "body-too-large": (
            "Go back and send less", nil, "The form's contents are still in the browser."
        ),
    ]

    private static let viewRequests: Fix = (
        "View recorded requests", Links.traffic, "Requests of the apps are recorded live."
    )
    private static let viewFaults: Fix = (
        "View all faults", Links.faults, "Used-up faults end automatically."
    )
}
