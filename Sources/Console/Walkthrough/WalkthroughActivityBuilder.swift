import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Traffic
import Web

/// Builds the network activity of a step: its calls, mail and stored items.
struct WalkthroughActivityBuilder {
    let services: Services
    let walkthrough: WalkthroughSession
    let step: WalkthroughStep
    let sizeMode: WalkthroughSizeMode

    /// The maximum number of calls shown.
    private static let callLimit = 8

    func build() async throws -> WalkthroughActivityModel {
        let (calls, moreCount) = try await calls()
        let storedItems = try await services.simulator.storageItems(walkthrough.instance)
        return WalkthroughActivityModel(
            switchWorkspaceAction: Links.switchWorkspace(walkthrough.workspace),
            anyCalls: !calls.isEmpty, calls: calls,
            moreCallsText: moreCount > 0 ? Format.count(moreCount, "earlier request") : nil,
            trafficURL: Links.traffic, mail: try await mail(), anyStoredItems: !storedItems.isEmpty,
            storedItems: storedItems.map { .init(key: $0.key, area: $0.area.rawValue) })
    }

    /// The newest calls, oldest first, and the number of those omitted.
    private func calls() async throws -> ([ExchangeRowModel], Int) {
        var query = ExchangeQuery(workspace: walkthrough.workspace)
        query.device = walkthrough.instance.device
        query.app = walkthrough.app
        query.limit = 100
        let since = walkthrough.current.lastExchangeSequence
        let exchanges = try await services.exchanges.list(query).items.filter {
            $0.sequence > since
        }
        let rows = exchanges.prefix(Self.callLimit).reversed().map { exchange in
            ExchangeRowModel(exchange, base: services.baseURL(of: exchange))
        }
        return (rows, max(0, exchanges.count - Self.callLimit))
    }

    /// The newest mail to the walkthrough's person.
    private func mail() async throws -> WalkthroughActivityModel.MailRow? {
        let now = services.now(in: walkthrough.workspace)
        let newest = try await services.backend.mailbox.list(
            workspace: walkthrough.workspace, to: walkthrough.current.person.email,
            app: services.appCatalog.contract(ofApp: walkthrough.app), limit: 1
        ).items.first
        guard let mail = newest else { return nil }
        let isUsed = mail.usedAt != nil
        return WalkthroughActivityModel.MailRow(
            subject: mail.subject,
            receivedText: isUsed ? "Used" : "Received " + Format.ago(mail.sentAt, now),
            receivedAt: mail.sentAt.iso8601,
            openLinkAction: mail.link == nil || isUsed
                ? nil : Links.walkthroughAction(walkthrough.app, step.id, "mail"),
            code: isUsed ? nil : mail.code, sizesParameter: sizeMode.queryValue ?? "")
    }
}

/// The network activity of a walkthrough's last navigation (`walkthrough/activity`).
struct WalkthroughActivityModel: Encodable, Sendable {
    /// POST: switches to the walkthrough's workspace.
    var switchWorkspaceAction: String
    var anyCalls: Bool
    var calls: [ExchangeRowModel]
    /// The number of calls not shown; nil for none.
    var moreCallsText: String?
    var trafficURL: String
    /// Nil if no mail was received.
    var mail: MailRow?
    var anyStoredItems: Bool
    var storedItems: [StoredItem]

    struct MailRow: Encodable, Sendable {
        var subject: String
        /// `Received 6 s ago`, `Used`.
        var receivedText: String
        var receivedAt: String
        /// POST: opens its link; nil if it has none or was used.
        var openLinkAction: String?
        /// Nil if it has none or was used.
        var code: String?
        var sizesParameter: String
    }

    struct StoredItem: Encodable, Sendable {
        var key: String
        /// `keychain`, `defaults`.
        var area: String
    }
}
