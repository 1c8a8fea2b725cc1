import Apps
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Builds the model of the filtered list of exchanges.
struct TrafficBuilder {
    let services: Services
    let listing: ListQuery
    /// The filters, without paging.
    let query: ExchangeQuery
    /// The session the list is filtered by.
    let session: Session?

    private var parameters: [String: String] { listing.queryParameters }

    static let filterNames = [
        "app", "device", "call", "cause", "status", "fault", "token", "since", "span", "until",
        "session", "q",
    ]

    private static let liveEventKinds =
        "exchange.ended exchanges.imported exchanges.cleared workspace.reset"

    func build() async throws -> Page<ListModel<ExchangeRowModel>> {
        let page = try await listing.fetchPage(query) { try await services.exchanges.list($0) }
        let stored = try await services.exchanges.totals(workspace: query.workspace)
        var links: [String: String] = [:]
        if !page.items.isEmpty {
            links["har"] = Links.url(Links.trafficArchive, listing.filterItems)
        }
        if stored.all > 0 { links["clear"] = Links.clearTraffic }
        return Page(
            "Traffic", navItem: "traffic", url: listing.pageURL,
            ListModel(
                listing, page, rows: rows(page.items),
                totalText: "\(Format.count(stored.all, "request")) "
                    + "(max \(Format.count(services.exchanges.maxCount)))"
                    + (session.map { ", filtered by the session of \($0.userLabel)" } ?? ""),
                links: links, liveEventKinds: Self.liveEventKinds, filters: makeFilters(),
                segments: segments(try await segmentCounts(stored, page)),
                empty: emptyState(stored.all)))
    }

    // MARK: Counts

    /// The number of exchanges per segment under the other filters: stored counts without other
    /// filters, counted otherwise.
    ///
    /// If the workspace has very many, only the selected segment is counted.
    private func segmentCounts(_ stored: ExchangeTotals, _ page: ExchangePage) async throws
        -> [Segment: String]
    {
        let segmentParameters: Set<String> = ["status", "cause"]
        guard
            Self.filterNames.contains(where: {
                !segmentParameters.contains($0) && parameters[$0] != nil
            })
        else {
            return [
                .all: stored.all, .httpError: stored.httpErrors, .noResponse: stored.noResponse,
                .refresh: stored.refreshes,
            ].mapValues { Format.count($0) }
        }
        func countText(_ page: ExchangePage) -> String {
            Format.count(page.total, isExact: page.totalIsExact)
        }
        guard stored.all <= ExchangeTotals.exactCountLimit else {
            let selected = Segment.allCases.first { $0.isSelected(parameters) }
            return selected.map { [$0: countText(page)] } ?? [:]
        }
        func count(_ change: (inout ExchangeQuery) -> Void) async throws -> String {
            var query = query
            query.status = nil
            query.cause = nil
            query.limit = 1
            change(&query)
            return countText(try await services.exchanges.list(query))
        }
        return [
            .all: try await count { _ in }, .httpError: try await count { $0.status = .httpError },
            .noResponse: try await count { $0.status = .noResponse },
            .refresh: try await count { $0.cause = .refresh },
        ]
    }

    // MARK: Filters

    private func makeFilters() -> FiltersModel {
        let apps = services.appCatalog.apps
        let selectedApp = apps.first { $0.id == query.app }
        let calls = Set(
            (selectedApp.map { [$0] } ?? apps).flatMap { app in
                app.calls.keys + app.backends.flatMap(\.calls.keys)
            }
        ).sorted()
        let causes = ExchangeContext.Cause.allCases.map {
            (id: $0.rawValue, name: ExchangeRowModel.causeChip($0).text)
        }
        return FiltersModel(
            listing, search: "Search URL and bodies by word prefix",
            placeholder: "Word prefix in URL or body",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: query.app) {
                    listing.url(["app": $0, "call": nil, "session": nil])
                },
                .init("call", "Call", of: calls.map { ($0, $0) }, chosen: parameters["call"]) {
                    listing.url(["call": $0])
                },
                .init("cause", "Initiator", of: causes, chosen: parameters["cause"]) {
                    listing.url(["cause": $0])
                },
                .init(
                    "more", "More filters", of: MoreFilters.choices,
                    chosen: MoreFilters.selected(parameters)
                ) { listing.url(MoreFilters.changes($0, at: services.world.now())) },
            ], summary: Segment.allCases.first { $0.isSelected(parameters) }?.name ?? "Filtered")
    }

    /// The filter segments next to the search field.
    private enum Segment: String, CaseIterable {
        case all
        case httpError = "error"
        case noResponse = "failed"
        case refresh

        var name: String {
            switch self {
            case .all: "All"
            case .httpError: "Errors (4xx–5xx)"
            case .noResponse: "Failed"
            case .refresh: "Refresh"
            }
        }

        var status: String? { self == .httpError || self == .noResponse ? rawValue : nil }

        func isSelected(_ parameters: [String: String]) -> Bool {
            switch self {
            case .all: parameters["status"] == nil && parameters["cause"] == nil
            case .httpError, .noResponse: parameters["status"] == rawValue
            case .refresh: parameters["status"] == nil && parameters["cause"] == rawValue
            }
        }
    }

    private func segments(_ counts: [Segment: String]) -> [FiltersModel.Segment] {
        Segment.allCases.map { segment in
            .init(
                segmentID: "traffic.sort.\(segment.rawValue)", name: segment.name,
                segmentCount: counts[segment] ?? "",
                href: listing.url([
                    "status": segment.status, "cause": segment == .refresh ? segment.rawValue : nil,
                ]), current: segment.isSelected(parameters))
        }
    }

    private func emptyState(_ count: Int) -> EmptyStateModel {
        guard count == 0 else {
            return .noMatches(
                listing,
                "None of \(Format.count(count, "request")) matches these filters."
                    + (parameters["q"] == nil
                        ? ""
                        : " A search matches word prefixes in URL and bodies: "
                            + "auth finds /auth/me and not /oauth."),
                drawing: .traffic)
        }
        return .noItems(
            "No traffic yet",
            "Every request an app sends appears here with its response, "
                + "duration and initiator. Tokens are masked.", drawing: .traffic,
            call: "GET /api/exchanges?status=error", studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(_ exchanges: [Exchange]) -> [ExchangeRowModel] {
        let brackets = CauseBrackets.brackets(exchanges)
        return zip(exchanges, brackets).map { exchange, bracket in
            var row = ExchangeRowModel(
                exchange, base: services.baseURL(of: exchange),
                listApp: .some(services.appCatalog.app(exchange.app)))
            row.groupPosition = bracket
            return row
        }
    }
}

extension ExchangeQuery: KeyedQuery {}

extension ExchangePage: KeyedPage { static func key(_ item: Exchange) -> Int64 { item.sequence } }

/// Groups adjacent rows of a list whose exchanges share a root cause.
enum CauseBrackets {
    /// For each row `first`, `middle`, `last`, or empty. Rows are grouped if they are adjacent and
    /// share a root exchange, whether or not it is on this page.
    static func brackets(_ exchanges: [Exchange]) -> [String] {
        let causes = Dictionary(
            exchanges.map { ($0.id, $0.causeExchange) }, uniquingKeysWith: { first, _ in first })
        let roots = exchanges.map { root(of: $0.id, causes) }
        return roots.indices.map { index in
            let above = index > 0 && roots[index - 1] == roots[index]
            let below = index + 1 < roots.count && roots[index + 1] == roots[index]
            return switch (above, below) {
            case (false, true): "first"
            case (true, true): "middle"
            case (true, false): "last"
            case (false, false): ""
            }
        }
    }

    /// The loop is bounded, so that a cycle (which should not exist) terminates too.
    private static func root(of id: String, _ causes: [String: String?]) -> String {
        var root = id
        for _ in 0..<causes.count {
            guard case .some(.some(let cause)) = causes[root] else { break }
            root = cause
        }
        return root
    }
}

/// The less common filters, of which one applies at a time: by token, by fault, by time.
enum MoreFilters {
    static let choices: [(id: String, name: String)] = [
        ("applied", "Affected by a fault"), ("token", "With token"),
        ("bare", "Without token"), ("5", "Last 5 minutes"),
        ("60", "Last hour"), ("1440", "Last day"),
    ]

    /// Minutes back, the accepted values of the `span` parameter next to `since`.
    static let timeSpans = ["5", "60", "1440"]

    /// The choice that the query parameters select; nil for none.
    static func selected(_ parameters: [String: String]) -> String? {
        if parameters["fault"] != nil { return "applied" }
        if let token = parameters["token"] { return token == "no" ? "bare" : "token" }
        // `since` alone does not identify the time span.
        return parameters["since"] == nil ? nil : parameters["span"]
    }

    /// The query parameter changes for the choice `id`; nil removes the filter.
    static func changes(_ id: String?, at now: Date) -> [String: String?] {
        var changes: [String: String?] = [
            "fault": nil, "token": nil, "since": nil, "until": nil, "span": nil,
        ]
        switch id {
        case nil: break
        case "applied": changes["fault"] = .some("applied")
        case "token": changes["token"] = .some("yes")
        case "bare": changes["token"] = .some("no")
        case .some(let minutes):
            let offset = Double(minutes).map { -$0 * 60 } ?? 0
            changes["span"] = .some(minutes)
            changes["since"] = .some(now.addingTimeInterval(offset).iso8601)
        }
        return changes
    }
}
