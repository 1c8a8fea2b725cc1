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
    private enum View: String, CaseIterable { case message, text, headers }

    /// `requested` is the mail that the URL names; nil shows the newest.
    func page(_ context: RequestContext, requested: Mail?) async throws -> Response {
        var reader = QueryReader(context, allowing: ["to", "part"] + ListPosition.parameterNames)
        let view = reader.choice("view", "", of: View.self) ?? .message
        try reader.finish()
        let position = try ListPosition(reader.values)
        let recipient = reader.values["to"]?.nonEmpty
        // Links preserve the list's position.
        let listItems = [("to", recipient)] + position.queryItems
        let workspace = try services.workspace(of: context)
        let mailbox = services.backend.mailbox
        let list = try await position.fetch(hasNewer: \.hasNewer) {
            try await mailbox.list(workspace: workspace, to: recipient, at: $0)
        }
        let count = recipient == nil ? list.total : try await mailbox.count(workspace: workspace)
        let now = services.now(in: workspace)
        let selected = requested ?? list.items.first
        var detail: TemplateModel?
        if let selected { detail = try await self.detail(selected, view, listItems, now) }
        var noMatchesText = ""
        if list.items.isEmpty, count > 0 {
            noMatchesText = try await mailbox.explainMissingMail(
                workspace: workspace, to: recipient, purpose: nil, since: nil)
        }
        let isEmpty = count == 0 && selected == nil
        let model: TemplateModel = [
            "totalText": Format.count(count, "message"),
            "clearURL": count == 0 ? nil : Links.clearMailbox, "hasSelection": requested != nil,
            "query": recipient ?? "", "noMatchesText": noMatchesText,
            "mails": list.items.map { row($0, shown: selected?.id, listItems, now) },
            "pager": pager(list, position, recipient), "mail": detail,
            "empty": isEmpty ? try await emptyState(workspace) : nil,
        ]
        let path = requested.map { Links.mail($0.id) } ?? Links.mailbox
        let page = Page(
            title: requested?.subject ?? "Mailbox", navItem: "mailbox",
            url: Links.url(path, listItems + [("view", view == .message ? nil : view.rawValue)]),
            model: model)
        return try await services.respond(
            to: context, page, "mailbox/mailbox",
            parts: ["total": "parts/total", "rows": "mailbox/rows", "mail": "mailbox/mail"])
    }

    // MARK: The list

    /// Nil while everything fits on one page.
    private func pager(
        _ page: KeysetPage<Mail>, _ position: ListPosition, _ recipient: String?
    ) -> PagerModel? {
        guard page.hasNewer || page.hasOlder else { return nil }
        return PagerModel(page, at: position) {
            Links.url(Links.mailbox, [("to", recipient)] + $0)
        }
    }

    private func row(
        _ mail: Mail, shown: String?, _ listItems: [(String, String?)], _ now: Date
    ) -> TemplateModel {
        let usageChip = mail.usedAt == nil ? ChipModel(usageOf: mail, now: now) : nil
        let usedText = mail.code == nil ? "Link used" : "Code used"
        return [
            "id": mail.id, "href": Links.url(Links.mail(mail.id), listItems),
            "glyph": GlyphModel(services.appCatalog.app(withContract: mail.app), id: mail.app),
            "subject": mail.subject, "to": mail.to, "sentAt": mail.sentAt.iso8601,
            "sentAge": Format.age(mail.sentAt, now),
            "usageText": mail.usedAt == nil ? usageChip?.text ?? "" : usedText,
            "usageTone": usageChip?.tone.rawValue ?? "", "current": mail.id == shown,
            // Not opened in the console and not used.
            "isUnread": mail.usedAt == nil && openedMail[mail.id] == nil,
        ]
    }

    private func emptyState(_ workspace: String) async throws -> TemplateModel {
        let reason = try await services.backend.mailbox.newestFailedRequestReason(
            workspace: workspace)
        return .noItems(
            "No messages yet",
            reason ?? "Mail from the embedded backend appears here: verification links, codes, "
                + "password resets. Nothing leaves this machine.",
            drawing: .mail, call: "GET \(Links.waitForMail)?to=nora%40example.com&timeout=10",
            studioOf: services.firstApp)
    }

    // MARK: One mail

    private func detail(
        _ mail: Mail, _ view: View, _ listItems: [(String, String?)], _ now: Date
    ) async throws -> TemplateModel {
        let app = services.appCatalog.app(withContract: mail.app)
        let digits = Array(mail.code ?? "")
        let hasHTML = !mail.html.isEmpty
        // The message view falls back to the text if the mail has no HTML.
        let showsText = view == .text || (view == .message && !hasHTML)
        let remaining = remaining(mail, now)
        let received = services.hub.newestEvent(.mailReceived, of: mail.id, in: mail.workspace)
        let graph = received.map { EventGraph(around: $0, in: services.hub) }
        let headers = view == .headers ? mail.headers : []
        let testURL = Links.url(
            Links.waitForMail, [("to", mail.to), ("purpose", mail.purpose), ("timeout", "10")])
        return [
            "glyph": GlyphModel(app, id: mail.app), "appName": app?.name ?? mail.app,
            "purpose": mail.purpose.capitalizedFirst, "subject": mail.subject, "to": mail.to,
            "sentAt": mail.sentAt.iso8601, "sentTime": Format.timeOfDay(mail.sentAt),
            "sentAgo": Format.ago(mail.sentAt, now), "code": mail.code,
            "digits": digits.enumerated().map { index, digit -> TemplateModel in
                // A wider gap in the middle.
                let isMiddle = index * 2 == digits.count + digits.count % 2
                return ["digit": String(digit), "startsGroup": digits.count >= 6 && isMiddle]
            }, "linkURL": mail.link.flatMap { URLParts($0).isHTTPURL ? $0 : nil },
            "remaining": remaining,
            "usageNote": remaining == nil ? Self.usageNote(mail, now) : nil,
            "views": View.allCases.map { other in
                LinkModel(
                    id: other.rawValue, name: other.rawValue.capitalizedFirst,
                    href: Links.url(Links.mail(mail.id), listItems + [("view", other.rawValue)]),
                    current: other == view)
            },
            // A separate page with its own content security policy.
            "htmlURL": view == .message && hasHTML ? Links.mailBody(mail.id) : nil,
            "plainText": showsText ? mail.text : nil,
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
        return mail.link == nil && mail.code == nil ? nil : "Single use, no expiry"
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
