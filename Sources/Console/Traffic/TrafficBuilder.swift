import Apps
import Core
import Simulator
import Traffic
import Web

/// Gathers what the list of exchanges shows under its filters.
struct TrafficBuilder {
    let services: Services
    let frames: FrameBuilder
    let csrf: String
    let listing: ListQuery
    /// What it asks for, without a place in the list.
    let query: ExchangeQuery
    /// The session it is narrowed to.
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
        let kept = try await services.exchanges.totals(workspace: query.workspace)
        let totals = try await segmentCounts(kept, page)
        let isEmpty = page.items.isEmpty
        return TrafficModel(
            frame: try await frames.frame(
                "Traffic", navItem: "traffic", workspace: query.workspace, csrfToken: csrf,
                partURL: listing.partURL), csrf: csrf, partURL: listing.partURL,
            totalText: "\(Format.count(kept.all)) of "
                + "\(Format.count(services.exchanges.maxCount)) kept"
                + (session.map { ", those of \($0.userLabel) below" } ?? ""),
            harURL: isEmpty ? nil : Links.url(Links.trafficArchive, listing.filterItems),
            clearTrafficURL: kept.all == 0 ? nil : Links.clearTraffic, filters: makeFilters(),
            segments: segments(totals), traffic: isEmpty ? nil : .init(exchanges: rows(page.items)),
            empty: isEmpty ? emptyState(kept.all) : nil, pager: listing.pager(page))
    }

    // MARK: What is asked

    /// How many of each sort there are under the other filters; of the whole
    /// workspace they are kept, otherwise they are counted.
    ///
    /// Of very many only those of the chosen sort are: nil for the others.
    private func segmentCounts(_ kept: ExchangeTotals, _ page: ExchangePage) async throws
        -> [Segment: String]
    {
        let sorts: Set<String> = ["status", "cause"]
        guard Self.filterNames.contains(where: { !sorts.contains($0) && parameters[$0] != nil })
        else {
            return [
                .all: kept.all, .httpError: kept.httpErrors, .noResponse: kept.noResponse,
                .refresh: kept.refreshes,
            ].mapValues { Format.count($0) }
        }
        func words(_ page: ExchangePage) -> String {
            Format.count(page.total, isExact: page.totalIsExact)
        }
        guard kept.all <= ExchangeTotals.exactCountLimit else {
            let chosen = Segment.allCases.first { $0.isSelected(parameters) }
            return chosen.map { [$0: words(page)] } ?? [:]
        }
        func count(_ change: (inout ExchangeQuery) -> Void) async throws -> String {
            var query = query
            query.status = nil
            query.cause = nil
            query.limit = 1
            change(&query)
            return words(try await services.exchanges.list(query))
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
        let chosen = apps.first { $0.id == query.app }
        let calls = Set(
            (chosen.map { [$0] } ?? apps).flatMap { app in
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

    /// The sorts that stand beside the search.
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

        func isSelected(_ asked: [String: String]) -> Bool {
            switch self {
            case .all: asked["status"] == nil && asked["cause"] == nil
            case .httpError, .noResponse: asked["status"] == rawValue
            case .refresh: asked["status"] == nil && asked["cause"] == rawValue
            }
        }
    }

    private func segments(_ totals: [Segment: String]) -> [FiltersModel.Segment] {
        Segment.allCases.map { sort in
            .init(
                segmentID: "traffic.sort.\(sort.rawValue)", name: sort.name,
                segmentCount: totals[sort] ?? "",
                href: listing.url([
                    "status": sort.status, "cause": sort == .refresh ? sort.rawValue : nil,
                ]), current: sort.isSelected(parameters))
        }
    }

    private func emptyState(_ kept: Int) -> EmptyStateModel {
        guard kept == 0 else {
            if let none = EmptyStateModel.noSearchableText(
                in: parameters["q"], drawing: .traffic, all: Links.traffic)
            {
                return none
            }
            return .noMatches(
                "No exchange fits",
                "\(Format.count(kept, "exchange")) are kept. None of them fits these filters."
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
