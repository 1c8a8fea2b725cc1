import Apps
import Backend
import FoundationEssentials
import Web

/// `/api/mailbox`: mail captured from the embedded backend.
enum MailboxAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/mailbox", "listMail", "Lists messages, newest first.",
            reading: { parameters in
                (
                    MailFilter(&parameters.query),
                    parameters.query.string(
                        "q",
                        "Words in recipient, sender, subject or text, each a prefix; or an address."
                    ),
                    Paging(&parameters.query)
                )
            },
            returning: .ok(.list(of: Mail.summary), "The list of messages.")
        ) { call, input in
            let (filter, text, paging) = input
            return ListPage(
                try await call.services.backend.mailbox.list(
                    workspace: try call.workspace, to: filter.to, app: filter.contract(call),
                    purpose: filter.purpose, channel: filter.channel, text: text?.nonEmpty,
                    at: try paging.keyset()))
        },

        Endpoint(
            .patch, "/api/mailbox", "markAllMail", "Marks all messages as read or unread.",
            reading: readIsRead, returning: .noContent("All messages were marked.")
        ) { call, isRead in
            let workspace = try call.workspace
            try await call.services.backend.mailbox.mark(
                read: isRead, workspace: workspace, at: call.services.now(in: workspace))
        },

        Endpoint(
            .delete, "/api/mailbox", "clearMail", "Deletes all messages.",
            returning: .noContent("All messages were deleted.")
        ) { call in _ = try await call.services.backend.mailbox.clear(workspace: call.workspace) },

        Endpoint(
            .get, "/api/mailbox/wait", "waitForMail", "Waits for a matching message.",
            reading: { (MailFilter(&$0.query), readSince(&$0.query), $0.query.waitTimeout()) },
            returning: .ok(Mail.detail, "The message."),
            errors: [504: "No matching message in time; detail has the reason."]
        ) { call, input in
            let (filter, since, timeout) = input
            let mailbox = call.services.backend.mailbox
            let workspace = try call.workspace
            let mail = try await mailbox.waitForMail(
                workspace: workspace, to: filter.to, app: filter.contract(call),
                purpose: filter.purpose, channel: filter.channel, since: since, timeout: timeout)
            if let mail { return mail }
            throw Problem(
                status: 504, code: "no-such-mail", title: "No matching message",
                detail: try await mailbox.explainMissingMail(
                    workspace: workspace, to: filter.to, app: filter.contract(call),
                    purpose: filter.purpose, since: since))
        },

        Endpoint(
            .get, "/api/mailbox/{mail}", "readMail", "Returns one message with text and HTML.",
            returning: .ok(Mail.detail, "The message.")
        ) { call in try await call.services.mail(of: call.context) },

        Endpoint(
            .patch, "/api/mailbox/{mail}", "markMail", "Marks one message as read or unread.",
            reading: readIsRead, returning: .ok(Mail.detail, "The message.")
        ) { call, isRead in
            let mail = try await call.services.mail(of: call.context)
            try await call.services.backend.mailbox.mark(
                mail.id, read: isRead, workspace: mail.workspace,
                at: call.services.now(in: mail.workspace))
            return try await call.services.mail(of: call.context)
        },

        Endpoint(
            .delete, "/api/mailbox/{mail}", "deleteMail",
            "Deletes one message; its unused link or code remains valid.",
            returning: .noContent("The message was deleted.")
        ) { call in
            let mail = try await call.services.mail(of: call.context)
            _ = try await call.services.backend.mailbox.delete(mail.id, workspace: mail.workspace)
        },

        Endpoint(
            .get, "/api/mailbox/{mail}/source", "readMailSource",
            "Returns one message as an .eml file (RFC 5322), or as text if Accept is text/plain.",
            returning: .response(
                200, "The message's source.",
                [
                    .init("message/rfc822", ["schema": Schema.string]),
                    .init("text/plain", ["schema": Schema.string]),
                ])
        ) { call in
            var response = try await call.services.mailFile(of: call.context)
            if call.context.request.headers["Accept"]?.hasPrefix("text/plain") == true {
                response.headers["Content-Type"] = "text/plain; charset=utf-8"
            }
            return response
        },

        Endpoint(
            .get, "/api/mailbox/{mail}/attachments/{attachment}", "readMailAttachment",
            "Returns one attachment of a message; attachment is its number, from 0.",
            returning: .response(
                200, "The attachment's bytes.",
                [.init("application/octet-stream", ["schema": Schema.string])])
        ) { call in try await call.services.mailAttachment(of: call.context) },
    ]

    private static func readIsRead(_ parameters: inout ParameterReader) -> Bool {
        parameters.body.bool("isRead", isRequired: true) ?? true
    }

    private static func readSince(_ query: inout QueryReader) -> Date? {
        query.time("since", "Sent at or after this time, by the workspace's clock.")
    }
}

private struct MailFilter: Sendable {
    let to: String?
    let app: String?
    let purpose: String?
    let channel: Mail.Channel?

    /// Rejects an address that no mail can match, instead of waiting until the timeout.
    init(_ query: inout QueryReader) {
        to = query.string(
            "to", "The recipient's full address, case-insensitive, or phone number with its +.")
        app = query.string("app", "An app's id, or its contract's.")
        purpose = query.string("purpose", "The purpose: verify, reset, login …")
        channel = query.choice(
            "channel", "Only mail, or only text messages.", of: Mail.Channel.self)
        if to?.isEmpty == true { query.addError("to", "is empty") }
        if to?.contains(" ") == true {
            query.addError("to", "contains a space: write + as %2B in a query")
        }
    }

    /// Mail is stored by the contract that sent it, so an app's id is translated to its contract.
    func contract(_ call: APICall) -> String? {
        app.map { call.services.appCatalog.contract(ofApp: $0) ?? $0 }
    }
}

extension Mail {
    static let summary = Representation("Mail", members)

    static let detail = Representation(
        "MailDetail",
        members + [
            .init("text") { $0.text }, .init("html") { $0.html },
            .init(
                "headers",
                array: Representation([.init("name") { $0.name }, .init("value") { $0.value }])
            ) { $0.headers },
            .init(
                "attachments",
                array: Representation([
                    .init("name") { $0.name }, .init("mediaType") { $0.mediaType },
                    .init("size") { $0.size },
                ])
            ) { $0.attachments },
        ])

    private static let members: [Representation<Mail>.Member] = [
        .init("id") { $0.id }, .init("channel", choice: { $0.channel }),
        .init("app") { $0.app.nonEmpty }, .init("to") { $0.to },
        .init("subject") { $0.subject }, .init("purpose") { $0.purpose }, .init("code") { $0.code },
        .init("link") { $0.link }, .init("expiresAt") { $0.expiresAt },
        .init("usedAt") { $0.usedAt }, .init("sentAt") { $0.sentAt },
        .init("from") { $0.sender }, .init("isRead") { $0.readAt != nil },
    ]
}

extension Problem {
    static func unknownMail(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-mail", title: "Unknown message",
            detail: "No message has the id \(id.prefix(40)).",
            apiHint: "GET /api/mailbox lists them.")
    }
}
