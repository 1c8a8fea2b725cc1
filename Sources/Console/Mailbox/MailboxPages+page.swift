import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Templates
import Traffic
import Web

/// The mailbox page (`mailbox/mailbox`): the list, and one mail beside it, which narrow screens
/// show only if the URL names it.
extension MailboxPages {
    /// The tabs of a mail's details.
    private enum View: String, CaseIterable {
        case message, text, headers, source

        var name: String { self == .message ? "HTML" : rawValue.capitalizedFirst }
    }

    /// The filters and the position of the list, which its links preserve.
    private struct List {
        /// An exact recipient.
        let recipient: String?
        let text: String?
        let channel: Mail.Channel?
        let position: ListPosition

        var filterItems: [(String, String?)] {
            [("q", text), ("to", recipient), ("channel", channel?.rawValue)]
        }
        var items: [(String, String?)] { filterItems + position.queryItems }
    }

    /// `requested` is the mail that the URL names; nil shows the newest, unless the mail of the URL
    /// `isDeleted`.
    func page(_ context: RequestContext, requested: Mail?, isDeleted: Bool = false) async throws
        -> Response
    {
        var reader = QueryReader(
            context, allowing: ["to", "q", "part"] + ListPosition.parameterNames)
        let view = reader.choice("view", "", of: View.self) ?? .message
        let channel = reader.choice("channel", "", of: Mail.Channel.self)
        try reader.finish()
        let list = List(
            recipient: reader.values["to"]?.nonEmpty, text: reader.values["q"]?.nonEmpty,
            channel: channel, position: try ListPosition(reader.values))
        let workspace = try services.workspace(of: context)
        let mailbox = services.backend.mailbox
        let found = try await list.position.fetch(hasNewer: \.hasNewer) {
            try await mailbox.list(
                workspace: workspace, to: list.recipient, channel: list.channel, text: list.text,
                at: $0)
        }
        let isFiltered = list.recipient != nil || list.text != nil || list.channel != nil
        let count = isFiltered ? try await mailbox.count(workspace: workspace) : found.total
        let unread = try await mailbox.unreadCount(workspace: workspace)
        let now = services.now(in: workspace)
        let selected = requested ?? (isDeleted ? nil : found.items.first)
        var detail: TemplateModel?
        if let selected {
            detail = try await self.detail(
                selected, view, list.items, now, isOpened: requested != nil)
        }
        let isEmpty = count == 0 && selected == nil
        let model: TemplateModel = [
            "totalText": Format.count(count, "message"),
            "unreadText": unread == 0 ? nil : Format.count(unread) + " unread",
            "readAllAction": unread == 0 ? nil : Links.readMailbox,
            "clearURL": count == 0 ? nil : Links.clearMailbox,
            "hasSelection": requested != nil || isDeleted, "query": list.text ?? "",
            "recipient": list.recipient,
            "recipientURL": Links.url(
                Links.mailbox, [("q", list.text), ("channel", list.channel?.rawValue)]),
            "channel": list.channel?.rawValue,
            "segments": try await segments(list, workspace),
            "noMatchesText": found.items.isEmpty && count > 0
                ? try await noMatchesText(list, workspace) : "",
            "mails": found.items.map { row($0, shown: selected?.id, list.items, now) },
            "pager": pager(found, list), "mail": detail,
            "deletedNote": isDeleted ? "This message was deleted." : nil,
            "empty": isEmpty && !isDeleted ? try await emptyState(workspace) : nil,
        ]
        let path =
            requested.map { Links.mail($0.id) }
            ?? (isDeleted ? Links.mail(context.parameters["mail"] ?? "") : Links.mailbox)
        let page = Page(
            title: requested?.subject ?? "Mailbox", navItem: "mailbox",
            url: Links.url(path, list.items + [("view", view == .message ? nil : view.rawValue)]),
            model: model)
        return try await services.respond(
            to: context, page, "mailbox/mailbox",
            parts: [
                "total": "parts/total", "actions": "mailbox/actions", "unread": "mailbox/unread",
                "rows": "mailbox/rows", "mail": "mailbox/detail",
            ])
    }

    private func noMatchesText(_ list: List, _ workspace: String) async throws -> String {
        guard list.text != nil else {
            return try await services.backend.mailbox.explainMissingMail(
                workspace: workspace, to: list.recipient, purpose: nil, since: nil)
        }
        return "No message matches. A search finds recipient, sender, subject and text, but not "
            + "links and codes, which are encrypted."
    }

    /// A received mail names its app by the app's id, if it has no contract.
    private func app(of mail: Mail) -> App? {
        services.appCatalog.app(withContract: mail.app) ?? services.appCatalog.app(mail.app)
    }

    private func glyph(_ app: App?, _ mail: Mail) -> GlyphModel {
        GlyphModel(app, id: mail.app.nonEmpty ?? "@")
    }

    // MARK: The list

    /// All, mail, text messages. None while the workspace has no text message.
    private func segments(_ list: List, _ workspace: String) async throws -> [LinkModel] {
        let counts = try await services.backend.mailbox.counts(workspace: workspace)
        guard counts[.textMessage] != nil || list.channel != nil else { return [] }
        let choices: [(Mail.Channel?, String)] = [
            (nil, "All"), (.mail, "Mail"), (.textMessage, "Text messages"),
        ]
        return choices.map { channel, name in
            LinkModel(
                id: "mailbox.channel.\(channel?.rawValue ?? "all")", name: name,
                count: Format.count(
                    channel.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)),
                href: Links.url(
                    Links.mailbox,
                    [("q", list.text), ("to", list.recipient), ("channel", channel?.rawValue)]),
                current: channel == list.channel)
        }
    }

    /// Nil while everything fits on one page.
    private func pager(_ page: KeysetPage<Mail>, _ list: List) -> PagerModel? {
        guard page.hasNewer || page.hasOlder else { return nil }
        return PagerModel(page, at: list.position) {
            Links.url(Links.mailbox, list.filterItems + $0)
        }
    }

    private func row(
        _ mail: Mail, shown: String?, _ listItems: [(String, String?)], _ now: Date
    ) -> TemplateModel {
        let usageChip = mail.usedAt == nil ? ChipModel(usageOf: mail, now: now) : nil
        let usedText = mail.code == nil ? "Link used" : "Code used"
        return [
            "id": mail.id, "href": Links.url(Links.mail(mail.id), listItems),
            "glyph": glyph(app(of: mail), mail),
            "subject": mail.subject, "to": mail.to,
            "isTextMessage": mail.channel == .textMessage, "sentAt": mail.sentAt.iso8601,
            "sentAge": Format.age(mail.sentAt, now),
            "usageText": mail.usedAt == nil ? usageChip?.text ?? "" : usedText,
            "usageTone": usageChip?.tone.rawValue ?? "", "current": mail.id == shown,
            "isUnread": mail.readAt == nil,
        ]
    }

    private func emptyState(_ workspace: String) async throws -> TemplateModel {
        let reason = try await services.backend.mailbox.newestFailedRequestReason(
            workspace: workspace)
        return .noItems(
            "No messages yet",
            reason
                ?? "Mail and text messages from the embedded backend appear here: verification links, "
                + "codes, password resets. \(smtpText(workspace)) Nothing leaves this machine.",
            drawing: .mail, call: "GET \(Links.waitForMail)?to=nora%40example.com&timeout=10",
            studioOf: services.firstApp)
    }

    private func smtpText(_ workspace: String) -> String {
        guard let port = services.smtpPort else {
            return "Start Foyer with --smtp-port 1025 to receive mail of your own backend."
        }
        return "Your own backend sends it to 127.0.0.1:\(port) by SMTP, without TLS, with user "
            + "\(workspace) and any password."
    }

    // MARK: One mail

    private func detail(
        _ mail: Mail, _ view: View, _ listItems: [(String, String?)], _ now: Date, isOpened: Bool
    ) async throws -> TemplateModel {
        let app = app(of: mail)
        let digits = Array(mail.code ?? "")
        let hasHTML = !mail.html.isEmpty
        let isMail = mail.channel == .mail
        // The message view falls back to the text if the mail has no HTML.
        let showsText = !isMail || view == .text || (view == .message && !hasHTML)
        let remaining = remaining(mail, now)
        let received = services.hub.newestEvent(.mailReceived, of: mail.id, in: mail.workspace)
        let graph = received.map { EventGraph(around: $0, in: services.hub) }
        let headers = view == .headers ? mail.headers : []
        let source =
            view == .source && isMail ? try await services.backend.mailbox.source(of: mail) : nil
        let testURL = Links.url(
            Links.waitForMail, [("to", mail.to), ("purpose", mail.purpose), ("timeout", "10")])
        return [
            "glyph": glyph(app, mail), "appName": app?.name ?? mail.app.nonEmpty ?? "SMTP",
            "purpose": mail.purpose.capitalizedFirst, "subject": mail.subject, "to": mail.to,
            "sender": mail.sender.nonEmpty, "readAction": Links.readMail(mail.id),
            "isUnread": mail.readAt == nil, "isMarkedWhenSeen": isOpened && mail.readAt == nil,
            "fileURL": isMail ? Links.mailFile(mail.id) : nil,
            "deleteAction": Links.deleteMail(mail.id),
            "sentAt": mail.sentAt.iso8601, "sentTime": Format.timeOfDay(mail.sentAt),
            "sentAgo": Format.ago(mail.sentAt, now), "code": mail.code,
            "digits": digits.enumerated().map { index, digit -> TemplateModel in
                // A wider gap in the middle.
                let isMiddle = index * 2 == digits.count + digits.count % 2
                return ["digit": String(digit), "startsGroup": digits.count >= 6 && isMiddle]
            }, "linkURL": mail.link.flatMap { URLParts($0).isHTTPURL ? $0 : nil },
            "remaining": remaining,
            "usageNote": remaining == nil ? Self.usageNote(mail, now) : nil,
            "views": View.allCases.filter { isMail && ($0 != .message || hasHTML) }.map { other in
                LinkModel(
                    id: other.rawValue, name: other.name,
                    href: Links.url(Links.mail(mail.id), listItems + [("view", other.rawValue)]),
                    current: other == view || other == .text && showsText)
            },
            // A separate page with its own content security policy.
            "htmlURL": view == .message && hasHTML ? Links.mailBody(mail.id) : nil,
            "plainText": showsText ? mail.text : nil, "isTextMessage": !isMail,
            "source": source.map { String(decoding: $0, as: UTF8.self) },
            "attachments": mail.attachments.enumerated().map { index, file -> TemplateModel in
                [
                    "name": file.name, "size": Format.size(file.size),
                    "href": Links.mailAttachment(mail.id, String(index)),
                ]
            },
            "mailHeaders": headers.map { DetailModel($0.name, $0.value) },
            "testCall": "GET " + testURL, "testResponse": Self.testResponse(mail),
            "sendingExchange": try await sendingExchange(
                received.flatMap { graph?.cause(of: $0) }, mail),
            "eventChain": services.eventChain(
                around: received, in: mail.workspace, graph: graph),
        ]
    }

    private func remaining(_ mail: Mail, _ now: Date) -> CountdownModel? {
        guard mail.usedAt == nil, let end = mail.expiresAt, end > now else { return nil }
        var model = CountdownModel.until(
            end, from: mail.sentAt, named: mail.code == nil ? "Link" : "Code",
            testID: "mail.remaining", now: now)
        model.countdownSize = "mid"
        return model
    }

    private static func usageNote(_ mail: Mail, _ now: Date) -> String? {
        if let used = mail.usedAt { return "Used \(Format.dateTime(used))" }
        if let end = mail.expiresAt { return "Expired \(Format.ago(end, now))" }
        let isKnown = !mail.isReceived && (mail.link != nil || mail.code != nil)
        return isKnown ? "Single use, no expiry" : nil
    }

    /// The response of the API equivalent.
    private static func testResponse(_ mail: Mail) -> String {
        let members = [
            ("id", mail.id), ("code", mail.code), ("link", mail.link), ("purpose", mail.purpose),
            ("expiresAt", mail.expiresAt?.iso8601),
        ]
        let text = JSON.object(
            members.compactMap { name, value in value.map { .init(name, .string($0)) } }
        ).description
        return IndentedJSON.text(text) ?? text
    }

    /// The exchange that caused the mail; nil if it is no longer stored.
    private func sendingExchange(_ cause: Event?, _ mail: Mail) async throws -> ExchangeRowModel? {
        guard let cause, cause.kind == .exchangeEnded, let id = cause.subject,
            let exchange = try await services.exchanges.detail(id, in: mail.workspace)?.exchange
        else { return nil }
        return ExchangeRowModel(exchange, base: services.baseURL(of: exchange))
    }
}
