import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Gathers the calls, the mail and what is stored behind a step.
struct WalkBehindBuilder {
    let services: Services
    let walk: Walk
    let step: WalkStep
    let sizes: WalkSizes
    let csrf: String

    /// Calls shown at once.
    private static let bound = 8

    func build() async throws -> WalkBehindModel {
        let (calls, more) = try await calls()
        let stored = try await services.simulator.items(walk.place)
        return WalkBehindModel(
            csrf: csrf, enterAction: Links.workspace(walk.workspace, "enter"),
            anyCalls: !calls.isEmpty, calls: calls,
            more: more > 0 ? "and \(Words.count(more, "call")) before" : nil,
            trafficURL: Links.traffic, mail: try await mail(), anyStored: !stored.isEmpty,
            stored: stored.map { .init(key: $0.key, area: $0.area.rawValue) })
    }

    /// In the order they were made, the last ones if there are many.
    private func calls() async throws -> ([WalkBehindModel.CallRow], Int) {
        var query = ExchangeQuery(workspace: walk.workspace)
        query.device = walk.place.device
        query.app = walk.app
        query.limit = 100
        let since = walk.now.exchangesBefore
        let made = try await services.exchanges.list(query).items.filter { $0.sequence > since }
        let rows = made.prefix(Self.bound).reversed().map { exchange in
            let row = ExchangeRowModel(
                exchange,
                base: services.base(
                    ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace))
            return WalkBehindModel.CallRow(
                method: row.method, path: row.path, status: row.status, statusTone: row.statusTone,
                total: row.total, href: row.href)
        }
        return (rows, max(0, made.count - Self.bound))
    }

    /// The newest to the walk's person.
    private func mail() async throws -> WalkBehindModel.MailRow? {
        let now = services.now(in: walk.workspace)
        let newest = try await services.backend.mailbox.list(
            workspace: walk.workspace, to: walk.now.person.email,
            app: services.contract(ofApp: walk.app), limit: 1
        ).items.first
        guard let mail = newest else { return nil }
        let isUsed = mail.usedAt != nil
        return WalkBehindModel.MailRow(
            subject: mail.subject,
            caught: isUsed ? "used" : "caught " + Words.ago(mail.sentAt, now),
            caughtAt: mail.sentAt.iso8601,
            openAction: mail.link == nil || isUsed ? nil : Links.walkAct(walk.app, step.id, "mail"),
            code: isUsed ? nil : mail.code, sizesAsked: sizes.asked ?? "")
    }
}
