import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Traffic
import Web

/// The network activity of a walkthrough's last navigation (`walkthrough/activity`).
struct WalkthroughActivityModel: Encodable, Sendable {
    /// POST: switches to the walkthrough's workspace.
    let switchWorkspaceAction: String
    let calls: [ExchangeRowModel]
    /// The number of calls not shown; nil for none.
    let moreCallsText: String?
    /// Nil if no mail was received.
    let mail: MailRow?
    let storedItems: [StoredItem]

    struct MailRow: Encodable, Sendable {
        var subject: String
        /// `Received 6 s ago`, `Used`.
        var receivedText: String
        var receivedAt: String
        /// POST: opens its link; nil if it has none or was used.
        var openLinkAction: String?
        /// Nil if it has none or was used.
        var code: String?
    }

    struct StoredItem: Encodable, Sendable {
        var key: String
        /// `keychain`, `defaults`.
        var area: String
    }
}

extension WalkthroughActivityModel {
    /// The maximum number of calls shown.
    private static let callLimit = 8

    /// The newest calls, oldest first, the newest mail to the walkthrough's person, and the stored
    /// items. `mailAction` opens the mail's link.
    init(_ services: Services, _ session: WalkthroughSession, mailAction: String) async throws {
        var query = ExchangeQuery(workspace: session.workspace)
        query.device = session.instance.device
        query.app = session.app
        query.keyset.limit = 100
        let since = session.current.lastExchangeSequence
        let exchanges = try await services.exchanges.list(query).items.filter {
            $0.sequence > since
        }
        calls = exchanges.prefix(Self.callLimit).reversed().map {
            ExchangeRowModel($0, base: services.baseURL(of: $0))
        }
        let moreCount = exchanges.count - calls.count
        moreCallsText = moreCount > 0 ? Format.count(moreCount, "earlier request") : nil
        storedItems = try await services.simulator.storageItems(session.instance).map {
            StoredItem(key: $0.key, area: $0.area.rawValue)
        }
        let now = services.now(in: session.workspace)
        mail = try await services.backend.mailbox.list(
            workspace: session.workspace, to: session.current.person.email,
            app: services.appCatalog.contract(ofApp: session.app), at: Keyset(limit: 1)
        ).items.first.map { mail in
            let isUsed = mail.usedAt != nil
            return MailRow(
                subject: mail.subject,
                receivedText: isUsed ? "Used" : "Received " + Format.ago(mail.sentAt, now),
                receivedAt: mail.sentAt.iso8601,
                openLinkAction: mail.link == nil || isUsed ? nil : mailAction,
                code: isUsed ? nil : mail.code)
        }
        switchWorkspaceAction = Links.switchWorkspace(session.workspace)
    }
}
