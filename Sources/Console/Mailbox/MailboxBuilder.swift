import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Synchronization
import Web

/// Builds the mailbox page: the list, and one mail beside it.
struct MailboxBuilder {
    let services: Services
    let openedMail: OpenedMailIDs
    let workspace: String
    /// The URL's query; its parameter names were already checked.
    let queryParameters: [String: String]
    let keyset: Keyset
    let view: View
    /// The mail that the URL names; nil shows the newest.
    let requestedMail: Mail?

    /// The tabs of a mail's details.
    enum View: String, CaseIterable { case message, text, headers }

    private typealias MailPage = (items: [Mail], total: Int, hasOlder: Bool)

    private var recipient: String? { queryParameters["to"]?.nonEmpty }
    private var path: String { requestedMail.map { Links.mail($0.id) } ?? Links.mailbox }

    func build() async throws -> Page<MailboxModel> {
        let page: MailPage = try await services.backend.mailbox.list(
            workspace: workspace, to: recipient, before: keyset.before, limit: Keyset.pageSize)
        let totalCount =
            recipient == nil
            ? page.total : try await services.backend.mailbox.count(workspace: workspace)
        let now = services.now(in: workspace)
        let selected = requestedMail ?? page.items.first
        var detail: MailboxModel.MailDetail?
        if let selected {
            detail = try await MailDetailBuilder(
                services: services, mail: selected, view: view, listParameters: listParameters,
                now: now, graph: EventGraph(services.hub.events(in: workspace))
            ).build()
        }
        return Page(
            requestedMail?.subject ?? "Mailbox", navItem: "mailbox",
            url: Links.url(
                path, listParameters + [("view", view == .message ? nil : view.rawValue)]),
            MailboxModel(
                totalText: Format.count(totalCount, "message"),
                clearURL: totalCount == 0 ? nil : Links.clearMailbox,
                hasSelection: requestedMail != nil, query: recipient ?? "",
                noMatchesText: page.items.isEmpty && totalCount > 0
                    ? try await noMatchesText() : "",
                mails: page.items.map { row($0, shown: selected?.id, now: now) },
                pager: pager(page), mail: detail,
                empty: totalCount == 0 && detail == nil ? try await emptyState() : nil))
    }

    private var listParameters: [(String, String?)] { [("to", recipient)] + keyset.queryItems }

    /// Nil while everything fits on one page.
    ///
    /// The mailbox only pages towards older mail; the newer link leads to the first page.
    private func pager(_ page: MailPage) -> PagerModel? {
        guard keyset.before != nil || page.hasOlder else { return nil }
        return PagerModel(
            keyset, rows: page.items.count, total: page.total, first: page.items.first?.sequence,
            last: page.items.last?.sequence, hasNewer: keyset.before != nil, hasOlder: page.hasOlder
        ) { items in
            let isNewer = items.contains { $0.0 == "after" }
            return Links.url(Links.mailbox, [("to", recipient)] + (isNewer ? [] : items))
        }
    }

    private func noMatchesText() async throws -> String {
        try await services.backend.mailbox.explainMissingMail(
            workspace: workspace, to: recipient, purpose: nil, since: nil)
    }

    private func row(_ mail: Mail, shown: String?, now: Date) -> MailboxModel.Row {
        let usageChip = ChipModel(usageOf: mail, now: now)
        let isExpired = mail.expiresAt.map { $0 <= now } ?? false
        return .init(
            id: mail.id, href: Links.url(Links.mail(mail.id), listParameters),
            glyph: GlyphModel(services.appCatalog.app(withContract: mail.app), id: mail.app),
            subject: mail.subject, to: mail.to, sentAt: mail.sentAt.iso8601,
            sentAge: Format.age(mail.sentAt, now),
            usageText: mail.usedAt == nil
                ? usageChip?.text ?? "" : (mail.code == nil ? "Link used" : "Code used"),
            usageTone: usageChip == nil || mail.usedAt != nil ? "" : isExpired ? "warn" : "accent",
            current: mail.id == shown, isUnread: mail.usedAt == nil && !openedMail.contains(mail.id)
        )
    }

    private func emptyState() async throws -> EmptyStateModel {
        let reason = try await services.backend.mailbox.newestFailedRequestReason(
            workspace: workspace)
        return .noItems(
            "No messages yet",
            reason ?? "Mail from the embedded backend appears here: verification links, codes, "
                + "password resets. Nothing leaves this machine.",
            drawing: .mail, call: "GET \(Links.waitForMail)?to=nora%40example.com&timeout=10",
            studioOf: services.firstApp)
    }
}

/// Remembers which mails were opened, so that the list can mark the others.
///
/// Not worth persisting: a restart clears it.
final class OpenedMailIDs: Sendable {
    private let ids = Mutex<Set<String>>([])

    /// The maximum number of ids; reaching it clears all.
    private static let capacity = 10_000

    func insert(_ id: String) {
        ids.withLock { ids in
            if ids.count >= Self.capacity { ids = [] }
            ids.insert(id)
        }
    }

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }
}
