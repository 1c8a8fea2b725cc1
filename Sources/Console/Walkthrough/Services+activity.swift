import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Templates
import Traffic
import Web

extension Services {
    /// The network activity of a walkthrough's last navigation (`walkthrough/activity`): the newest
    /// calls, oldest first, the newest mail to the walkthrough's person, and the stored items.
    /// `mailAction` opens the mail's link.
    func activity(of session: WalkthroughSession, mailAction: String) async throws -> TemplateModel
    {
        let callLimit = 8
        var query = ExchangeQuery(workspace: session.workspace)
        query.device = session.instance.device
        query.app = session.app
        query.keyset.limit = 100
        let since = session.current.lastExchangeSequence
        let exchanges = try await exchanges.list(query).items.filter { $0.sequence > since }
        let moreCount = exchanges.count - callLimit
        let now = now(in: session.workspace)
        let mail = try await backend.mailbox.list(
            workspace: session.workspace, to: session.current.person.email,
            app: appCatalog.contract(ofApp: session.app), at: Keyset(limit: 1)
        ).items.first.map { mail -> TemplateModel in
            let isUsed = mail.usedAt != nil
            return [
                "subject": mail.subject,
                "receivedText": isUsed ? "Used" : "Received " + Format.ago(mail.sentAt, now),
                "receivedAt": mail.sentAt.iso8601,
                "openLinkAction": mail.link == nil || isUsed ? nil : mailAction,
                "code": isUsed ? nil : mail.code,
            ]
        }
        return [
            "switchWorkspaceAction": Links.switchWorkspace(session.workspace),
            "calls": exchanges.prefix(callLimit).reversed().map {
                ExchangeRowModel($0, base: baseURL(of: $0))
            }, "moreCallsText": moreCount > 0 ? Format.count(moreCount, "earlier request") : nil,
            "mail": mail,
            "storedItems": try await simulator.storageItems(session.instance).map {
                item -> TemplateModel in ["key": item.key, "area": item.area.rawValue]
            },
        ]
    }
}
