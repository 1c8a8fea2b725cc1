import Backend
import Core
import Web

/// `/mailbox` and `/mailbox/{mail}`: mail captured from the embedded backend.
struct MailboxPages: Sendable {
    let services: Services
    /// The ids of opened mails, so that the list can mark the others; a restart clears it.
    let openedMail = SharedCache<String, Bool>(capacity: 10_000)

    var routes: [Route] {
        [
            // The list, with the newest mail beside it.
            Route(.get, Links.mailbox) { try await page($0, requested: nil) },
            .page(Links.clearMailbox, handler: confirmClear),
            Route(.post, Links.clearMailbox, handler: clear),
            Route(.get, Links.mail, handler: show),
            Route(.get, Links.mailBody, handler: body),
        ]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let mail = try await services.mail(of: context)
        if !context.target.query.contains(where: { $0.name == "part" }) {
            openedMail[mail.id] = true
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
        var response = Response.html(Array((head + mail.html).utf8))
        response.headers["Content-Security-Policy"] = Self.contentSecurityPolicy
        return response
    }

    static let contentSecurityPolicy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'self'; \
        sandbox allow-popups allow-popups-to-escape-sandbox
        """

    // MARK: Clearing

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
