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
    /// The address's query; its names were checked.
    let asked: [String: String]
    let keyset: Keyset

    static let filters = ["app", "state", "q"]

    /// Accounts change by hand, and with whatever their apps send.
    private static let kinds = "account.added account.changed "
        + "account.removed exchange.ended mail.used snapshot.restored "
        + "workspace.reset"

    private typealias Account = EmbeddedBackend.KnownAccount

    func build() async throws -> AccountsModel {
        let query = try query()
        let page = try await page(query)
        let kept = try await services.backend.accountCount(
            workspace: workspace)
        let partURL = Links.part(Links.accounts, filterItems + keyset.items)
        let now = services.now(in: workspace)
        let rows = page.items.map { row($0, now) }
        return AccountsModel(
            frame: try await frames.frame(
                "Accounts", place: "accounts", workspace: workspace,
                csrf: csrf, partURL: partURL),
            partURL: partURL, listKinds: Self.kinds,
            totalText: kept == 0
                ? "none yet"
                : Words.count(kept) + " in all",
            addURL: Links.query(Links.addAccount, [("app", asked["app"])]),
            manyURL: Links.query(Links.addAccounts, [("app", asked["app"])]),
            filters: filters(partURL), segments: segments(page.totals),
            accounts: rows.isEmpty ? nil : .init(rows: rows),
            empty: rows.isEmpty ? empty(kept) : nil,
            pager: PagerModel(
                keyset, rows: page.items.count, total: page.total,
                first: page.items.first?.sequence,
                last: page.items.last?.sequence, hasNewer: page.hasNewer,
                hasOlder: page.hasOlder
            ) { link(adding: $0) })
    }

    private func query() throws(Problem) -> AccountQuery {
        var query = AccountQuery(workspace: workspace)
        if let app = asked["app"] {
            // An app without one has nobody here.
            query.contract = services.contract(named: app) ?? app
        }
        query.text = asked["q"]?.given
        query.state = try Account.State(asked: asked["state"])
        query.limit = Keyset.limit
        query.before = keyset.before
        query.after = keyset.after
        return query
    }

    /// A newer page that reaches the list's beginning is its first page.
    private func page(
        _ query: AccountQuery
    ) async throws -> AccountQuery.Page {
        let page = try await services.backend.accounts(query)
        guard query.after != nil, !page.hasNewer else { return page }
        var first = query
        first.after = nil
        return try await services.backend.accounts(first)
    }

    private var filterItems: [(String, String?)] {
        Self.filters.map { ($0, asked[$0]) }
    }

    /// This list with `changes`, from its beginning.
    private func link(_ changes: [String: String?]) -> String {
        Links.query(
            Links.accounts,
            Self.filters.map { ($0, changes[$0] ?? asked[$0]) })
    }

    private func link(adding items: [(String, String?)]) -> String {
        Links.query(Links.accounts, filterItems + items)
    }

    private func filters(_ partURL: String) -> FiltersModel {
        FiltersModel(
            filterID: "accounts", action: Links.accounts,
            query: asked["q"] ?? "", searchLabel: "Search accounts",
            placeholder: "address or id",
            kept: Self.filters.filter { $0 != "q" }.compactMap { name in
                asked[name].map { .init(keptName: name, keptValue: $0) }
            },
            segmentKinds: Self.kinds, filterURL: partURL,
            menus: [
                .init(
                    "app", "App", of: services.speaking, chosen: asked["app"]
                ) { link(["app": $0]) }
            ],
            summary: (try? Account.State(asked: asked["state"]))
                .map { $0.rawValue.capitalizedFirst } ?? "All")
    }

    private func segments(
        _ totals: [Account.State: Int]
    ) -> [FiltersModel.Segment] {
        let states: [Account.State?] = [
            nil, .verified, .unverified, .locked, .disabled,
        ]
        return states.map { state in
            .init(
                segmentID: "accounts.state.\(state?.rawValue ?? "all")",
                name: state?.rawValue.capitalizedFirst ?? "All",
                segmentCount: Words.count(
                    state.map { totals[$0] ?? 0 }
                        ?? totals.values.reduce(0, +)),
                href: link(["state": state?.rawValue]),
                current: asked["state"] == state?.rawValue)
        }
    }

    private func empty(_ kept: Int) -> EmptyModel {
        guard kept == 0 else {
            return .nothingFits(
                "No account fits",
                "There are \(Words.count(kept, "account")) without these "
                    + "filters.",
                drawing: .key, all: Links.accounts)
        }
        var model = EmptyModel.nothingYet(
            "No accounts yet",
            "Whoever registers with the embedded backend stands here, and "
                + "whoever you add: verified, locked, or a thousand at once.",
            drawing: .key, call: #"POST /api/accounts {"app": "…"}"#,
            studioOf: services.firstApp)
        model.emptyActions.insert(
            .init(name: "Add account", href: Links.addAccount, primary: true),
            at: 0)
        model.emptyActions[model.emptyActions.count - 1].primary = false
        return model
    }

    private func row(_ account: Account, _ now: Date) -> AccountsModel.Row {
        let app = services.app(speaking: account.contract)
        return AccountsModel.Row(
            id: account.id, href: Links.account(account.id),
            ended: account.state == .disabled, tone: account.tone,
            stateName: account.state.rawValue, user: account.who,
            displayName: account.displayName ?? "–",
            glyph: app.map(GlyphModel.init) ?? .unknown(account.contract),
            appName: app?.name ?? account.contract,
            lasting: account.sessions == 0
                ? "–" : Words.count(account.sessions),
            madeAt: account.createdAt.iso8601,
            made: Words.span(now.timeIntervalSince(account.createdAt)),
            loginAt: account.lastLoginAt?.iso8601,
            login: account.lastLoginAt.map {
                Words.span(now.timeIntervalSince($0))
            } ?? "–")
    }
}

extension Services {
    /// The apps that speak an embedded contract, one for each contract.
    var speaking: [(id: String, name: String)] {
        var seen: Set<String> = []
        return apps.compactMap { app in
            guard let contract = contract(ofApp: app.id),
                seen.insert(contract).inserted
            else { return nil }
            return (app.id, app.name)
        }
    }
}
