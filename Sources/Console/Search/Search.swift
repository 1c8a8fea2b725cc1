import Apps
import Backend
import Core
import Simulator
import Storyboards
import Traffic
import Web

/// Finds pages, screens, users, accounts, sessions, devices, requests and mail by words.
struct Search {
    let services: Services
    let workspace: String

    /// The kinds of results, in the order of their groups.
    enum Kind: String, Sendable, CaseIterable {
        case page, screen, user, account, session, device, request, mail
    }

    struct Group: Sendable {
        let kind: Kind
        let results: [Result]
        /// The list with all matches; nil if all are in `results` or there is no list.
        let moreURL: String?
    }

    struct Result: Sendable {
        let title: String
        /// What distinguishes it from results with the same title.
        let details: String
        let url: String
    }

    /// Results of a group.
    private static let limit = 6

    /// The groups that have results; none without a text. Every word of `text` must match.
    func groups(matching text: String) async throws -> [Group] {
        guard !text.isEmpty else { return [] }
        let sessions = try await sessions(text)
        let users = sessions.items.reduce(into: [Result]()) { users, session in
            let url = Links.url(Links.sessions, [("q", session.userLabel)])
            guard !users.contains(where: { $0.url == url }) else { return }
            users.append(Result(title: session.userLabel, details: name(session.app), url: url))
        }
        let groups = [
            Group(kind: .page, results: pages(text), moreURL: nil),
            Group(kind: .screen, results: screens(text), moreURL: nil),
            Group(kind: .user, results: users, moreURL: nil),
            try await accounts(text),
            group(.session, sessions, in: Links.sessions, text) { session in
                Result(
                    title: session.userLabel,
                    details: "\(name(session.app)), \(session.state.label)",
                    url: Links.session(session.id))
            }, try await devices(text), try await requests(text), try await mail(text),
        ]
        return groups.filter { !$0.results.isEmpty }
    }

    // MARK: Pages and screens

    private func pages(_ text: String) -> [Result] {
        let plain = [
            ("Home", Links.home), ("Sessions", Links.sessions), ("Traffic", Links.traffic),
            ("Mailbox", Links.mailbox), ("Accounts", Links.accounts),
            ("Embedded backend", Links.backends),
            ("Token inspector", Links.tokens), ("Snapshots", Links.snapshots),
            ("Faults", Links.faults), ("Rules", Links.rules), ("Clock", Links.clock),
            ("Workspaces", Links.workspaces),
            ("New workspace", Links.workspaces), ("Add account", Links.addAccount),
            ("Import HAR", Links.importTraffic), ("Storyboard", Links.storyboards),
            ("Walkthrough", Links.walkthroughs), ("Keyboard shortcuts", Links.shortcuts),
            ("API documentation", Links.apiDocs),
        ].map { Result(title: $0, details: "", url: $1) }
        let ofContracts = services.backend.contractIDs.map { id in
            Result(
                title: "Embedded backend",
                details: services.appCatalog.app(withContract: id)?.name ?? id,
                url: Links.backend(id))
        }
        let ofApps = services.appCatalog.apps.flatMap { app in
            [
                ("Studio", Links.studio), ("Timeline", Links.timeline),
                ("Storyboard", Links.storyboard), ("Map", Links.transitionMap),
                ("Design tokens", Links.designTokens), ("Text", Links.copy),
                ("Accessibility", Links.accessibility), ("Walkthrough", Links.walkthrough),
            ].map { Result(title: $0, details: app.name, url: $1(app.id)) }
        }
        return matches(plain + ofContracts + ofApps, text)
    }

    private func screens(_ text: String) -> [Result] {
        let all = services.appCatalog.apps.flatMap { app in
            services.storyboardStates(of: app).reduce(into: [Result]()) { screens, state in
                guard screens.last?.title != state.id.screen else { return }
                screens.append(
                    Result(
                        title: state.id.screen, details: app.name,
                        url: Links.statePage(state.id)))
            }
        }
        return matches(all, text)
    }

    /// Those whose title and details contain every word, at most `limit`.
    private func matches(_ results: [Result], _ text: String) -> [Result] {
        let words = text.lowercased().split(separator: " ")
        return Array(
            results.filter { result in
                let text = "\(result.title) \(result.details)".lowercased()
                return words.allSatisfy { text.contains($0) }
            }.prefix(Self.limit))
    }

    // MARK: Stored objects

    private func sessions(_ text: String) async throws -> KeysetPage<Session> {
        var query = SessionQuery(workspace: workspace)
        query.text = text
        query.keyset.limit = Self.limit
        return try await services.simulator.sessions(query).page
    }

    private func accounts(_ text: String) async throws -> Group {
        var query = AccountQuery(workspace: workspace)
        query.text = text
        query.keyset.limit = Self.limit
        let page = try await services.backend.accounts(query).page
        return group(.account, page, in: Links.accounts, text) { account in
            Result(
                title: account.label,
                details: services.appCatalog.app(withContract: account.contract)?.name
                    ?? account.contract, url: Links.account(account.id))
        }
    }

    private func devices(_ text: String) async throws -> Group {
        let page = try await services.simulator.devices(
            in: workspace, text: text, at: Keyset(limit: Self.limit))
        let app = services.firstApp ?? ""
        return Group(
            kind: .device,
            results: page.items.map {
                Result(
                    title: $0.label, details: $0.id,
                    url: StudioLinks(app: app, device: $0.id).page)
            }, moreURL: nil)
    }

    private func requests(_ text: String) async throws -> Group {
        var query = ExchangeQuery(workspace: workspace)
        query.text = text
        query.keyset.limit = Self.limit
        let page = try await services.exchanges.list(query)
        return group(.request, page, in: Links.traffic, text) { exchange in
            let status = exchange.status.map(String.init) ?? "Failed"
            return Result(
                title: exchange.method + " "
                    + Format.path(
                        exchange.pathAndQuery, below: services.baseURL(of: exchange)),
                details: "\(status), \(name(exchange.app)), "
                    + Format.ago(exchange.startedAt, services.world.now()),
                url: Links.exchange(exchange.id))
        }
    }

    private func mail(_ text: String) async throws -> Group {
        let page = try await services.backend.mailbox.list(
            workspace: workspace, text: text, at: Keyset(limit: Self.limit))
        return group(.mail, page, in: Links.mailbox, text) { mail in
            Result(title: mail.subject, details: "to \(mail.to)", url: Links.mail(mail.id))
        }
    }

    /// The first matches of a list that has a search of its own.
    private func group<Item>(
        _ kind: Kind, _ page: KeysetPage<Item>, in list: String, _ text: String,
        _ result: (Item) -> Result
    ) -> Group {
        Group(
            kind: kind, results: page.items.map(result),
            moreURL: page.total > page.items.count ? Links.url(list, [("q", text)]) : nil)
    }

    private func name(_ app: String) -> String { services.appCatalog.app(app)?.name ?? app }
}
