import Backend
import Core
import Web

/// `/mailbox` and `/mailbox/{mail}`: mail captured from the embedded backend.
struct MailboxPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            // The list, with the newest mail beside it.
            Route(.get, Links.mailbox) { try await page($0, requested: nil) },
            .page(Links.clearMailbox, handler: confirmClear),
            Route(.post, Links.clearMailbox, handler: clear),
            Route(.post, Links.readMailbox, handler: readAll),
            Route(.get, Links.mail, handler: show),
            Route(.get, Links.mailBody, handler: body),
            Route(.get, Links.mailFile, handler: download),
            Route(.get, Links.mailAttachment) { context in
                _ = try context.query(allowing: [])
                return try await services.mailAttachment(of: context)
            },
            Route(.post, Links.readMail, handler: markRead),
            Route(.post, Links.deleteMail, handler: delete),
        ]
    }

    /// Opening a mail does not mark it as read, because a GET changes nothing: the page's script
    /// submits its form once the page is visible.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let mail: Mail
        do { mail = try await services.mail(of: context) } catch let problem as Problem {
            let isPart = context.target.query.contains { $0.name == "part" }
            guard isPart, problem.status == 404, problem.code == Problem.unknownMail("").code else {
                throw problem
            }
            // Deleted while its page is open: the page keeps the list, and says so.
            return try await page(context, requested: nil, isDeleted: true)
        }
        return try await page(context, requested: mail)
    }

    /// A mail's HTML as a separate document without scripts and external resources; its links open
    /// in a new window.
    ///
    /// A mail's content is untrusted. The policy here and the frame's `sandbox` are each sufficient
    /// on their own.
    @Sendable private func body(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let mail = try await services.mail(of: context)
        let head = """
            <!doctype html><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width">\
            <base target="_blank">
            """
        // The policy does not cover connections in advance, `<link rel=preconnect>`.
        let content = try await services.backend.mailbox.html(of: mail)
        let html = Self.linkTags.reduce(content) { $0.replacing($1, with: "<x-link") }
        var response = Response.html(Array((head + html).utf8))
        response.headers["Content-Security-Policy"] = Self.contentSecurityPolicy
        // The policy does not cover name lookups of a mail's links.
        response.headers["X-DNS-Prefetch-Control"] = "off"
        return response
    }

    @Sendable private func download(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return try await services.mailFile(of: context)
    }

    /// In every spelling.
    private static let linkTags = (0..<16).map { bits in
        "<"
            + "link".enumerated().map { index, letter in
                bits >> index & 1 == 0 ? String(letter) : letter.uppercased()
            }.joined()
    }

    static let contentSecurityPolicy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'self'; \
        sandbox allow-popups allow-popups-to-escape-sandbox
        """

    // MARK: Reading and deleting

    /// `read` is `true` or `false`.
    @Sendable private func markRead(_ context: RequestContext) async throws -> Response {
        let mail = try await services.mail(of: context)
        let choice = try Form(context.request).choice("read", of: ["true", "false"])
        try await services.backend.mailbox.mark(
            mail.id, read: choice != "false", workspace: mail.workspace,
            at: services.now(in: mail.workspace))
        return .redirect(to: Links.mail(mail.id))
    }

    @Sendable private func readAll(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        try await services.backend.mailbox.mark(
            read: true, workspace: workspace, at: services.now(in: workspace))
        return .redirect(to: Links.mailbox)
    }

    /// Also for a mail that another tab deleted.
    @Sendable private func delete(_ context: RequestContext) async throws -> Response {
        _ = try await services.backend.mailbox.delete(
            context.parameters["mail"] ?? "", workspace: try services.workspace(of: context))
        return .redirect(to: Links.mailbox)
    }

    @Sendable private func confirmClear(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let count = try await services.backend.mailbox.count(workspace: workspace)
        return try await services.confirm(
            context, "Delete all messages", navItem: "mailbox",
            ConfirmModel(
                action: Links.clearMailbox, question: "Delete \(Format.count(count, "message"))?",
                consequence: "Their unused links and codes remain valid.",
                confirmLabel: "Delete \(Format.count(count, "message"))", backURL: Links.mailbox))
    }

    @Sendable private func clear(_ context: RequestContext) async throws -> Response {
        _ = try await services.backend.mailbox.clear(workspace: try services.workspace(of: context))
        return .redirect(to: Links.mailbox)
    }
}

extension Services {
    /// The requested mail as a file that mail programs open.
    func mailFile(of context: RequestContext) async throws -> Response {
        let mail = try await mail(of: context)
        guard mail.channel == .mail else {
            throw Problem.unknown("source", "A text message has no source.")
        }
        var response = Response(
            status: 200, body: .bytes(try await backend.mailbox.source(of: mail)))
        response.headers["Content-Type"] = "message/rfc822"
        response.headers["Content-Disposition"] = "attachment; filename=\"\(mail.id).eml\""
        return response
    }

    /// A file of the requested mail, numbered from 0. Its type is not the sender's choice, which a
    /// browser might act on.
    func mailAttachment(of context: RequestContext) async throws -> Response {
        let mail = try await mail(of: context)
        guard let index = Int(context.parameters["attachment"] ?? ""),
            let bytes = try await backend.mailbox.attachment(index, of: mail)
        else {
            throw Problem.unknown(
                "attachment",
                "The message has \(Format.count(mail.attachments.count, "attachment")).")
        }
        var response = Response(status: 200, body: .bytes(bytes))
        response.headers["Content-Type"] = "application/octet-stream"
        response.headers["Content-Disposition"] =
            "attachment; filename*=UTF-8''" + PercentEncoding.encode(mail.attachments[index].name)
        return response
    }
}
