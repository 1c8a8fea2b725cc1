import Apps
import Core
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

    func build() async throws -> Page<TrafficModel> {
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
        return Page(
            "Traffic", navItem: "traffic", partURL: listing.partURL,
            TrafficModel(
                totalText: "\(Format.count(stored.all, "request")) "
                    + "(max \(Format.count(services.exchanges.maxCount)))"
                    + (session.map { ", filtered by the session of \($0.userLabel)" } ?? ""),
                harURL: isEmpty ? nil : Links.url(Links.trafficArchive, listing.filterItems),
                clearTrafficURL: stored.all == 0 ? nil : Links.clearTraffic, filters: makeFilters(),
                segments: segments(counts),
                traffic: isEmpty ? nil : .init(exchanges: rows(page.items)),
                empty: isEmpty ? emptyState(stored.all) : nil, pager: listing.pager(page)))
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
            eventKinds: "exchange.ended exchanges.imported exchanges.cleared workspace.reset",
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
            if let state = EmptyStateModel.noSearchableText(
                in: parameters["q"], drawing: .traffic, all: Links.traffic)
            {
                return state
            }
            return .noMatches(
                "No matches",
                "None of \(Format.count(count, "request")) matches these filters."
                    + (parameters["q"] == nil
                        ? ""
                        : " A search matches word prefixes in URL and bodies: "
                            + "auth finds /auth/me and not /oauth."),
                drawing: .traffic, all: Links.traffic)
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

/// The list of exchanges (`traffic/traffic`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows` (`traffic/rows`).
struct TrafficModel: Encodable, Sendable {
    /// `128 requests (max 5,000)`.
    var totalText: String
    /// Exports the filtered exchanges; nil without exchanges.
    var harURL: String?
    /// GET: asks for confirmation first; nil without exchanges.
    var clearTrafficURL: String?
    var filters: FiltersModel
    /// All, errors, no response, refresh.
    var segments: [FiltersModel.Segment]
    /// Nil when there is nothing to list; `empty` then gives the reason.
    var traffic: List?
    var empty: EmptyStateModel?
    /// Nil if `traffic` is nil.
    var pager: PagerModel?

    struct List: Encodable, Sendable {
        /// With the properties marked "the list only".
        var exchanges: [ExchangeRowModel]
    }
}
