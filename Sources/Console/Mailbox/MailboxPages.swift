import Backend
import Web

/// `/mailbox` and `/mailbox/{mail}`: what the embedded backend sent, caught.
struct MailboxPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let opened = OpenedMail()

    var routes: [Route] {
        [
            Route(.get, "/mailbox", handler: list),
            Route(.get, "/mailbox/empty", handler: askEmpty),
            Route(.post, "/mailbox/empty", handler: empty),
            Route(.get, "/mailbox/{mail}", handler: show),
            Route(.get, "/mailbox/{mail}/body", handler: body),
        ]
    }

    private static let names = ["to", "before", "from", "view", "part"]

    /// The list, with the newest mail beside it.
    @Sendable private func list(_ visit: Visit) async throws -> Response {
        try await page(visit, chosen: nil)
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let mail = try await named(visit)
        if !visit.target.query.contains(where: { $0.name == "part" }) { opened.note(mail.id) }
        return try await page(visit, chosen: mail)
    }

    private func page(_ visit: Visit, chosen: Mail?) async throws -> Response {
        let asked = try visit.query(allowing: Self.names)
        let model = try await MailboxBuilder(
            services: services, frames: frames, opened: opened,
            workspace: try visitors.workspace(of: visit), csrf: visit.csrf, asked: asked,
            keyset: try Keyset(asked),
            view: try MailboxBuilder.View.asked("view", in: asked) ?? .message, chosen: chosen
        ).build()
        return try PageParts(
            templates: services.templates, page: "mailbox/mailbox",
            parts: ["total": "parts/total", "rows": "mailbox/rows", "letter": "mailbox/letter"]
        ).answer(asked["part"], model, frame: model.frame)
    }

    /// A mail's HTML as a document of its own: nothing of it runs, nothing is
    /// fetched, and its links open beside the console.
    ///
    /// What a mail says is a stranger's; the policy here and the frame's
    /// `sandbox` each hold alone.
    @Sendable private func body(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let mail = try await named(visit)
        let head = """
            <!doctype html><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width">\
            <base target="_blank">
            """
        var response = Response.html(Array((head + mail.html).utf8))
        response.headers["Content-Security-Policy"] = Self.policy
        return response
    }

    static let policy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'self'; \
        sandbox allow-popups allow-popups-to-escape-sandbox
        """

    // MARK: Emptying

    @Sendable private func askEmpty(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let workspace = try visitors.workspace(of: visit)
        let count = try await services.backend.mailbox.count(workspace: workspace)
        let model = ConfirmModel(
            frame: try await frames.frame(
                "Empty the mailbox", place: "mailbox", workspace: workspace, csrf: visit.csrf,
                partURL: Links.part(Links.mailbox, [])), csrf: visit.csrf,
            confirm: ConfirmModel.Confirm(
                action: Links.emptyMailbox, question: "Throw away \(Words.count(count, "mail"))?",
                consequence: "Links and codes that were not used still work "
                    + "for whoever knows them.", yes: "Throw away \(Words.count(count))",
                no: "Keep them", backURL: Links.mailbox, destroys: true))
        return try PageParts.confirm(part, model, services.templates)
    }

    @Sendable private func empty(_ visit: Visit) async throws -> Response {
        _ = try await services.backend.mailbox.forget(workspace: try visitors.workspace(of: visit))
        return .redirect(to: Links.mailbox)
    }

    private func named(_ visit: Visit) async throws -> Mail {
        let id = visit.parameters["mail"] ?? ""
        let workspace = try visitors.workspace(of: visit)
        guard let mail = try await services.backend.mailbox.mail(id, workspace: workspace) else {
            throw Problem.unknownMail(id)
        }
        return mail
    }
}
