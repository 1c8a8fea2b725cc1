import Apps
import Backend
import FoundationEssentials
import Surroundings
import Web

/// Gathers what the mailbox shows: the list, and one mail beside it.
struct MailboxBuilder {
    let services: Services
    let frames: FrameBuilder
    let opened: OpenedMail
    let workspace: String
    let csrf: String
    /// The address's query; its names were checked.
    let asked: [String: String]
    let keyset: Keyset
    let view: View
    /// The mail the address names; nil shows the newest.
    let chosen: Mail?

    /// How a mail is looked at.
    enum View: String, CaseIterable { case message, text, headers }

    private typealias Page = (items: [Mail], total: Int, hasOlder: Bool)

    private var to: String? { asked["to"]?.given }
    private var path: String { chosen.map { Links.mail($0.id) } ?? Links.mailbox }

    func build() async throws -> MailboxModel {
        let page: Page = try await services.backend.mailbox.list(
            workspace: workspace, to: to, before: keyset.before, limit: Keyset.limit)
        let all =
            to == nil ? page.total : try await services.backend.mailbox.count(workspace: workspace)
        let now = services.now(in: workspace)
        let shown = chosen ?? page.items.first
        let partURL = Links.part(
            path, listItems + [("view", view == .message ? nil : view.rawValue)])
        var letter: MailboxModel.Letter?
        if let shown {
            letter = try await LetterBuilder(
                services: services, mail: shown, view: view, listItems: listItems, now: now,
                graph: EventGraph(services.hub.events(in: workspace))
            ).build()
        }
        return MailboxModel(
            frame: try await frames.frame(
                chosen?.subject ?? "Mailbox", place: "mailbox", workspace: workspace, csrf: csrf,
                partURL: partURL), csrf: csrf, partURL: partURL,
            totalText: "\(Words.count(all)) caught",
            emptyBoxURL: all == 0 ? nil : Links.emptyMailbox, chosen: chosen != nil,
            query: to ?? "", noneText: page.items.isEmpty && all > 0 ? try await noneText() : "",
            mails: page.items.map { row($0, shown: shown?.id, now: now) }, pager: pager(page),
            letter: letter, empty: all == 0 && letter == nil ? try await empty() : nil)
    }

    private var listItems: [(String, String?)] { [("to", to)] + keyset.items }

    /// Nil while everything stands on one page. The mailbox pages one way;
    /// from further down the way back is the beginning.
    private func pager(_ page: Page) -> PagerModel? {
        guard keyset.before != nil || page.hasOlder else { return nil }
        return PagerModel(
            keyset, rows: page.items.count, total: page.total, first: page.items.first?.sequence,
            last: page.items.last?.sequence, hasNewer: keyset.before != nil, hasOlder: page.hasOlder
        ) { items in
            let back = items.contains { $0.0 == "after" }
            return Links.query(Links.mailbox, [("to", to)] + (back ? [] : items))
        }
    }

    private func noneText() async throws -> String {
        try await services.backend.mailbox.explainAbsence(
            workspace: workspace, to: to, purpose: nil, since: nil)
    }

    private func row(_ mail: Mail, shown: String?, now: Date) -> MailboxModel.Row {
        let use = ChipModel(useOf: mail, now: now)
        let over = mail.expiresAt.map { $0 <= now } ?? false
        return .init(
            id: mail.id, href: Links.query(Links.mail(mail.id), listItems),
            glyph: services.app(speaking: mail.app).map(GlyphModel.init) ?? .unknown(mail.app),
            subject: mail.subject, to: mail.to, sentAt: mail.sentAt.iso8601,
            sent: Words.age(mail.sentAt, now),
            useText: mail.usedAt == nil
                ? use?.text ?? "" : (mail.code == nil ? "link used" : "code used"),
            useTone: use == nil || mail.usedAt != nil ? "" : over ? "warn" : "accent",
            current: mail.id == shown, fresh: mail.usedAt == nil && !opened.contains(mail.id))
    }

    private func empty() async throws -> EmptyModel {
        let why = try await services.backend.mailbox.newestAbsence(workspace: workspace)
        return .nothingYet(
            "No mail yet",
            why ?? "What the embedded backend sends is caught here: links to "
                + "verify an address, codes, resets. Nothing leaves this machine.",
            drawing: .mail, call: "GET \(Links.waitForMail)?to=nora%40example.com&timeout=10",
            studioOf: services.firstApp)
    }
}
