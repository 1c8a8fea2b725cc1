import Apps
import Core
import Simulator
import Traffic
import Web

/// Builds the model of the filtered list of exchanges.
struct TrafficBuilder {
    let services: Services
    let frames: FrameBuilder
    let csrf: String
    let listing: ListQuery
    /// The filters, without paging.
    let query: ExchangeQuery
    /// The session the list is filtered by.
    let session: Session?

    private var parameters: [String: String] { listing.queryParameters }

    static let filterNames = [
        "app", "device", "call", "cause", "status", "condition", "token", "since", "span", "until",
        "session", "q",
    ]

    func build() async throws -> TrafficModel {
        let page = try await listing.fetchPage { before, after in
            var query = query
            query.limit = Keyset.pageSize
            query.before = before
            query.after = after
            return try await services.exchanges.list(query)
        }
        let stored = try await services.exchanges.totals(workspace: query.workspace)
        let counts = try await segmentCounts(stored, page)
        let isEmpty = page.items.isEmpty
        return TrafficModel(
            frame: try await frames.frame(
                "Traffic", navItem: "traffic", workspace: query.workspace, csrfToken: csrf,
                partURL: listing.partURL), csrf: csrf, partURL: listing.partURL,
            totalText: "\(Format.count(stored.all)) of "
                + "\(Format.count(services.exchanges.maxCount)) kept"
                + (session.map { ", those of \($0.userLabel) below" } ?? ""),
            harURL: isEmpty ? nil : Links.url(Links.trafficArchive, listing.filterItems),
            clearTrafficURL: stored.all == 0 ? nil : Links.clearTraffic, filters: makeFilters(),
            segments: segments(counts), traffic: isEmpty ? nil : .init(exchanges: rows(page.items)),
            empty: isEmpty ? emptyState(stored.all) : nil, pager: listing.pager(page))
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
        let apps = services.apps
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
            listing, search: "Search URL and bodies by how words begin",
            placeholder: "start of a word in URL or body",
            eventKinds: "exchange.ended exchanges.imported exchanges.forgotten workspace.reset",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: query.app) {
                    listing.url(["app": $0, "call": nil, "session": nil])
                },
                .init("call", "Call", of: calls.map { ($0, $0) }, chosen: parameters["call"]) {
                    listing.url(["call": $0])
                },
                .init("cause", "Cause", of: causes, chosen: parameters["cause"]) {
                    listing.url(["cause": $0])
                },
                .init(
                    "more", "More", of: MoreFilters.choices,
                    chosen: MoreFilters.selected(parameters)
                ) { listing.url(MoreFilters.changes($0, at: services.world.now())) },
            ], summary: Segment.allCases.first { $0.isSelected(parameters) }?.name ?? "Filtered")
    }

    /// The filter segments next to the search field.
    private enum Segment: String, CaseIterable {
        case all
        case httpError = "refused"
        case noResponse = "none"
        case refresh

        var name: String {
            switch self {
            case .all: "All"
            case .httpError: "Refused"
            case .noResponse: "No answer"
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
            if let state = EmptyStateModel.noSearchableText(
                in: parameters["q"], drawing: .traffic, all: Links.traffic)
            {
                return state
            }
            return .noMatches(
                "No exchange fits",
                "\(Format.count(count, "exchange")) are kept. None of them fits these filters."
                    + (parameters["q"] == nil
                        ? ""
                        : " A search finds words of URL and bodies by their "
                            + "beginning: auth finds /auth/me and not /oauth."),
                drawing: .traffic, all: Links.traffic)
        }
        return .noItems(
            "No traffic yet",
            "Every request an app sends appears here with its answer, how "
                + "long it took, and what made it leave. Tokens are masked.", drawing: .traffic,
            call: "GET /api/exchanges?status=refused", studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(_ exchanges: [Exchange]) -> [ExchangeRowModel] {
        let brackets = CauseBrackets.brackets(exchanges)
        return zip(exchanges, brackets).map { exchange, bracket in
            var row = ExchangeRowModel(
                exchange,
                base: services.baseURL(
                    ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace),
                listApp: .some(services.appCatalog.app(exchange.app)))
            row.groupPosition = bracket
            return row
        }
    }
}

extension ExchangePage: KeyedPage { static func key(_ item: Exchange) -> Int64 { item.sequence } }
