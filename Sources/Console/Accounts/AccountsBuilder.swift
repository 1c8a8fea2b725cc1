import Apps
import Backend
import FoundationEssentials
import Surroundings
import Web

/// Gathers what the list of accounts shows under its filters.
struct AccountsBuilder {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let listing: Listing

    private var asked: [String: String] { listing.asked }

    static let filters = ["app", "state", "q"]

    /// Accounts change by hand, and with whatever their apps send.
    private static let kinds =
        "account.added account.changed "
        + "account.removed exchange.ended mail.used snapshot.restored workspace.reset"

    private typealias Account = EmbeddedBackend.KnownAccount

    func build() async throws -> AccountsModel {
        let query = try query()
        let page = try await listing.page { before, after in
            var query = query
            query.before = before
            query.after = after
            return try await services.backend.accounts(query)
        }
        let kept = try await services.backend.accountCount(workspace: workspace)
        let now = services.now(in: workspace)
        let rows = page.items.map { row($0, now) }
        return AccountsModel(
            frame: try await frames.frame(
                "Accounts", place: "accounts", workspace: workspace, csrf: csrf,
                partURL: listing.partURL), partURL: listing.partURL, listKinds: Self.kinds,
            totalText: kept == 0 ? "none yet" : Words.count(kept) + " in all",
            addURL: Links.query(Links.addAccount, [("app", asked["app"])]),
            manyURL: Links.query(Links.addAccounts, [("app", asked["app"])]), filters: filters(),
            segments: listing.segments(
                [.verified, .unverified, .locked, .disabled], named: \.rawValue, totals: page.totals
            ), accounts: rows.isEmpty ? nil : .init(rows: rows),
            empty: rows.isEmpty ? empty(kept) : nil, pager: listing.pager(page))
    }

    private func query() throws(Problem) -> AccountQuery {
        var query = AccountQuery(workspace: workspace)
        if let app = asked["app"] {
            // An app without one has nobody here.
            query.contract = services.contract(named: app) ?? app
        }
        query.text = asked["q"]?.given
        query.state = try Account.State.asked("state", in: asked)
        query.limit = Keyset.limit
        return query
    }

    private func filters() -> FiltersModel {
        FiltersModel(
            listing, search: "Search accounts", placeholder: "address or id", kinds: Self.kinds,
            menus: [
                .init("app", "App", of: services.speaking, chosen: asked["app"]) {
                    listing.link(["app": $0])
                }
            ], summary: asked["state"])
    }

    private func empty(_ kept: Int) -> EmptyModel {
        guard kept == 0 else {
            return .nothingFits(
                "No account fits",
                "There are \(Words.count(kept, "account")) without these filters.",
                drawing: .key, all: Links.accounts)
        }
        var model = EmptyModel.nothingYet(
            "No accounts yet",
            "Whoever registers with the embedded backend stands here, and "
                + "whoever you add: verified, locked, or a thousand at once.", drawing: .key,
            call: #"POST /api/accounts {"app": "…"}"#, studioOf: services.firstApp)
        model.emptyActions.insert(
            .init(name: "Add account", href: Links.addAccount, primary: true), at: 0)
        model.emptyActions[model.emptyActions.count - 1].primary = false
        return model
    }

    private func row(_ account: Account, _ now: Date) -> AccountsModel.Row {
        let app = services.app(speaking: account.contract)
        return AccountsModel.Row(
            id: account.id, href: Links.account(account.id), ended: account.state == .disabled,
            tone: account.tone, stateName: account.state.rawValue, user: account.who,
            displayName: account.displayName ?? "–",
            glyph: app.map(GlyphModel.init) ?? .unknown(account.contract),
            appName: app?.name ?? account.contract,
            lasting: account.sessions == 0 ? "–" : Words.count(account.sessions),
            madeAt: account.createdAt.iso8601, made: Words.age(account.createdAt, now),
            loginAt: account.lastLoginAt?.iso8601,
            login: account.lastLoginAt.map { Words.age($0, now) } ?? "–")
    }
}

extension AccountQuery.Page: KeyedPage {
    var totalIsWhole: Bool { true }

    static func key(_ item: EmbeddedBackend.KnownAccount) -> Int64 { item.sequence }
}

extension Services {
    /// The apps that speak an embedded contract, one for each contract.
    var speaking: [(id: String, name: String)] {
        var seen: Set<String> = []
        return apps.compactMap { app in
            guard let contract = contract(ofApp: app.id), seen.insert(contract).inserted else {
                return nil
            }
            return (app.id, app.name)
        }
    }
}
