import Apps
import Backend
import Core
import FoundationEssentials
import Templates
import Web

/// The filtered list of accounts.
extension AccountsPages {
    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        var query = AccountQuery(workspace: workspace)
        let listing = try ListQuery(context, Links.accounts, filters: ["app", "state", "q"]) {
            query.state = $0.choice("state", "", of: Account.State.self)
        }
        let parameters = listing.queryParameters
        // An app without a contract matches no account.
        query.contract = parameters["app"].map { services.contract(named: $0) ?? $0 }
        query.text = parameters["q"]?.nonEmpty
        let accounts = try await listing.position.fetch(hasNewer: \.page.hasNewer) { keyset in
            query.keyset = keyset
            return try await services.backend.accounts(query)
        }
        let count = try await services.backend.accountCount(workspace: workspace)
        let now = services.now(in: workspace)
        let app = [("app", parameters["app"])]
        let model = listing.model(
            accounts.page, rows: accounts.page.items.map { row($0, now) },
            totalText: Format.count(count, "account"),
            links: [
                "add": Links.url(Links.addAccount, app),
                "bulkAdd": Links.url(Links.bulkAddAccounts, app), "backend": Links.backends,
            ],
            // Accounts change by administrator actions and by the apps' requests.
            liveEventKinds: "account.added account.changed account.removed exchange.ended "
                + "mail.used snapshot.restored workspace.reset",
            filters: listing.filters(
                search: "Search accounts", placeholder: "Email or ID",
                menus: [
                    .init("app", "App", of: services.appsWithContract, chosen: parameters["app"]) {
                        listing.url(["app": $0])
                    }
                ], summary: parameters["state"]),
            segments: listing.segments(
                [.verified, .unverified, .locked, .disabled], named: \.rawValue,
                totals: accounts.totals, isExact: accounts.page.totalIsExact),
            empty: emptyState(count))
        return try await services.respond(to: context, listing, model)
    }

    private func emptyState(_ count: Int) -> TemplateModel {
        guard count == 0 else {
            return .noMatches(
                "No matches", "There are \(Format.count(count, "account")) without these filters.",
                drawing: .key, all: Links.accounts)
        }
        return .noItems(
            "No accounts yet",
            "Accounts of the embedded backend appear here: registered by an app, or added "
                + "by you, one at a time or in bulk.", drawing: .key,
            call: #"POST /api/accounts {"app": "…"}"#, action: ("Add account", Links.addAccount),
            studioOf: services.firstApp)
    }

    /// One account in the list (`accounts/rows`).
    private func row(_ account: Account, _ now: Date) -> TemplateModel {
        let app = services.appCatalog.app(withContract: account.contract)
        return [
            "id": account.id, "href": Links.account(account.id),
            "ended": account.state == .disabled,
            "tone": account.state.tone.dot, "stateName": account.state.label, "user": account.label,
            "displayName": account.displayName ?? "–",
            "glyph": GlyphModel(app, id: account.contract),
            "appName": app?.name ?? account.contract,
            "activeSessions": account.activeSessionCount == 0
                ? "–" : Format.count(account.activeSessionCount),
            "createdAt": account.createdAt.iso8601,
            "createdAge": Format.age(account.createdAt, now),
            "lastLoginAt": account.lastLoginAt?.iso8601,
            "lastLoginAge": account.lastLoginAt.map { Format.age($0, now) },
        ]
    }
}

extension EmbeddedBackend.AccountDetails.State {
    /// `Verified`, `Locked`.
    var label: String { rawValue.capitalizedFirst }

    var tone: ChipModel.Tone {
        switch self {
        case .verified: .ok
        case .unverified: .warn
        case .locked: .bad
        case .disabled: .neutral
        }
    }
}

extension EmbeddedBackend.AccountDetails {
    var stateChip: ChipModel { ChipModel(text: state.label, tone: state.tone) }
}
