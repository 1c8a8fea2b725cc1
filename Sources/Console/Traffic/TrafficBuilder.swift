import Apps
import Core
import FoundationEssentials
import Simulator
import Templates
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

    func build() async throws -> TemplateModel {
        guard query.searchErrors.isEmpty else { return try await invalidSearch() }
        let page = try await listing.position.fetch(hasNewer: \.hasNewer) { keyset in
            var query = query
            query.keyset = keyset
            return try await services.exchanges.list(query)
        }
        let stored = try await services.exchanges.totals(workspace: query.workspace)
        return listing.model(
            page, rows: rows(page.items),
            totalText: "\(Format.count(stored.all, "request")) "
                + "(max \(Format.count(services.exchanges.maxCount)))"
                + (session.map { ", filtered by the session of \($0.userLabel)" } ?? ""),
            links: [
                "har": page.items.isEmpty
                    ? nil : Links.url(Links.trafficArchive, listing.filterItems),
                "clear": stored.all > 0 && !isFiltered ? Links.clearTraffic : nil,
                "deleteMatches": page.items.isEmpty || !isFiltered
                    ? nil : Links.url(Links.clearTraffic, listing.filterItems),
            ],
            liveEventKinds: Self.liveEventKinds,
            filters: filters, segments: try await segments(stored, page),
            empty: emptyState(stored.all)
        ).merging(recording).merging(["columns": columns, "listURL": listing.pageURL])
    }

    private static let liveEventKinds =
        "exchange.ended exchanges.imported exchanges.cleared workspace.reset"

    private var isFiltered: Bool {
        TrafficFilters.names.contains { $0 != "sort" && parameters[$0] != nil }
    }

    /// The page without a list, which keeps the search as typed.
    private func invalidSearch() async throws -> TemplateModel {
        let none = KeysetPage<Exchange>(Keyset(), [], total: 0, totalIsExact: true)
        let stored = try await services.exchanges.totals(workspace: query.workspace)
        return listing.model(
            none, rows: [ExchangeRowModel](), totalText: Format.count(stored.all, "request"),
            liveEventKinds: "", filters: filters,
            segments: Segment.all.map { link(to: $0, count: "") },
            empty: .noMatches(
                "Invalid search", "The search contains a term that cannot be understood.",
                drawing: .traffic, all: listing.url(["q": nil]))
        ).merging(recording)
    }

    /// Whether requests are recorded (`traffic/recording`).
    private var recording: TemplateModel {
        services.recordingModel(in: query.workspace, backURL: listing.pageURL)
    }

    // MARK: Columns

    private var columns: [TemplateModel] {
        typealias Column = (style: String, name: String, sort: ExchangeQuery.Sort.Column?)
        let columns: [Column] = [
            ("time", "Time", .time), ("bracket", "Related requests", nil), ("glyph", "App", .app),
            ("method", "Method", .method), ("host", "Host", .host), ("path", "Path", .path),
            ("status", "Status", .status), ("chips", "Initiator", nil), ("size end", "Size", .size),
            ("duration end", "Duration", .duration), ("track", "Timeline bar", nil),
            ("actions", "Actions", nil),
        ]
        return columns.map { style, name, column in
            let isSorted = column == query.sort.column
            return [
                "columnStyle": style, "columnName": name,
                "isNamed": !["bracket", "track", "actions"].contains(style),
                "sortURL": column.map { column in
                    listing.url(["sort": query.sort.pressed(column).name])
                },
                "direction": isSorted ? (query.sort.isAscending ? "ascending" : "descending") : nil,
                "isAscending": query.sort.isAscending,
            ]
        }
    }

    // MARK: Filters

    private var filters: TemplateModel {
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
        return listing.filters(
            search: "Search requests",
            placeholder: "Text, or status:401 method:POST path:/auth",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: query.app) {
                    listing.url(["app": $0, "call": nil, "session": nil])
                },
                .init("method", "Method", of: methods, chosen: parameters["method"]) {
                    listing.url(["method": $0])
                },
                .init("status", "Status", of: statuses, chosen: parameters["status"]) {
                    listing.url(["status": $0])
                },
                .init("host", "Host", of: hosts, chosen: parameters["host"]) {
                    listing.url(["host": $0])
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
            ], summary: Segment.all.first { $0.isSelected(parameters) }?.name ?? "Filtered",
            syntax: ExchangeQuery.searchSyntax,
            searchError: query.searchErrors.joined(separator: " ").nonEmpty)
    }

    private var methods: [(id: String, name: String)] {
        ["GET", "POST", "PUT", "PATCH", "DELETE"].map { ($0, $0) }
    }

    private var statuses: [(id: String, name: String)] {
        ["2xx", "3xx", "4xx", "5xx"].map { ($0, $0) }
            + [("error", "Errors (4xx–5xx)"), ("failed", "Failed")]
    }

    /// The hosts of the backends of all apps.
    private var hosts: [(id: String, name: String)] {
        let authorities = services.appCatalog.apps.flatMap(\.backends).compactMap { backend in
            let base = backend.baseURL(
                embeddedAt: services.backendBase, workspace: query.workspace)
            return URLParts(base).authority.map { String($0) }
        }
        return Set(authorities).sorted().map { ($0, $0) }
    }

    /// A filter next to the search field: by the kind of failure, or by the cause.
    private struct Segment: Sendable {
        let id: String
        let name: String
        /// The values of its query parameters; nil removes the parameter.
        var status: String?
        var cause: String?
        /// The stored exchanges that match.
        let total: @Sendable (ExchangeTotals) -> Int

        static let all = [
            Segment(id: "all", name: "All", total: \.all),
            Segment(id: "error", name: "Errors (4xx–5xx)", status: "error", total: \.httpErrors),
            Segment(id: "failed", name: "Failed", status: "failed", total: \.noResponse),
            Segment(id: "refresh", name: "Refresh", cause: "refresh", total: \.refreshes),
        ]

        var parameters: [String: String?] { ["status": status, "cause": cause] }

        func isSelected(_ parameters: [String: String]) -> Bool {
            parameters["status"] == status && (status != nil || parameters["cause"] == cause)
        }
    }

    private func segments(_ stored: ExchangeTotals, _ page: KeysetPage<Exchange>) async throws
        -> [LinkModel]
    {
        var segments: [LinkModel] = []
        for segment in Segment.all {
            segments.append(link(to: segment, count: try await count(of: segment, stored, page)))
        }
        return segments
    }

    private func link(to segment: Segment, count: String) -> LinkModel {
        LinkModel(
            id: "traffic.sort.\(segment.id)", name: segment.name, count: count,
            href: listing.url(segment.parameters), current: segment.isSelected(parameters))
    }

    /// The number of exchanges under the other filters: the stored count without other filters,
    /// counted otherwise.
    ///
    /// If the workspace has very many, only the selected segment is counted.
    private func count(of segment: Segment, _ stored: ExchangeTotals, _ page: KeysetPage<Exchange>)
        async throws -> String
    {
        let otherFilters = Set(TrafficFilters.names).subtracting(["status", "cause", "sort"])
        guard otherFilters.contains(where: { parameters[$0] != nil }) else {
            return Format.count(segment.total(stored))
        }
        var counted = page
        if stored.all <= ExchangeTotals.exactCountLimit {
            let filter = try ExchangeQuery(
                segment.parameters.compactMapValues(\.self), workspace: query.workspace)
            var query = query
            query.status = filter.status
            query.cause = filter.cause
            query.keyset.limit = 1
            counted = try await services.exchanges.list(query)
        } else if !segment.isSelected(parameters) {
            return ""
        }
        return Format.count(counted.total, isExact: counted.totalIsExact)
    }

    private func emptyState(_ count: Int) -> TemplateModel {
        guard count == 0 else {
            return .noMatches(
                "No matches",
                "None of \(Format.count(count, "request")) matches these filters."
                    + (parameters["q"] == nil
                        ? "" : " Each word and filter of a search must match."),
                drawing: .traffic,
                all: listing.path)
        }
        return .noItems(
            "No traffic yet",
            "Every request an app sends appears here with its response, "
                + "duration and initiator. Tokens are masked.", drawing: .traffic,
            call: "GET /api/exchanges?status=error", studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(_ exchanges: [Exchange]) -> [ExchangeRowModel] {
        // Related requests are adjacent only in the order of time.
        let brackets =
            query.sort.column == .time
            ? CauseBrackets.brackets(exchanges) : exchanges.map { _ in "" }
        return zip(exchanges, brackets).map { exchange, bracket in
            let app = services.appCatalog.app(exchange.app)
            var row = ExchangeRowModel(exchange, base: services.baseURL(of: exchange), barWidth: 80)
            row.glyph = GlyphModel(app, id: exchange.app)
            row.appName = app?.name ?? exchange.app
            row.curlURL = Links.code(.curl)(exchange.id)
            row.deleteURL = Links.deleteExchange(exchange.id)
            row.host = URLParts(exchange.url).authority.map { String($0) }
            row.size = exchange.status == nil ? "–" : Format.size(exchange.responseBytes)
            row.groupPosition = bracket
            return row
        }
    }
}

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

/// The less common filters, of which one applies at a time: by fault, by rule, by token, by time.
enum MoreFilters {
    /// With the query parameters that each sets.
    private static let filters: [(id: String, name: String, parameters: [String: String])] = [
        ("applied", "Affected by a fault", ["fault": "applied"]),
        ("ruled", "Matched by a rule", ["rule": "applied"]),
        ("token", "With token", ["token": "yes"]), ("bare", "Without token", ["token": "no"]),
        ("5", "Last 5 minutes", ["span": "5"]), ("60", "Last hour", ["span": "60"]),
        ("1440", "Last day", ["span": "1440"]),
    ]

    static var choices: [(id: String, name: String)] { filters.map { ($0.id, $0.name) } }

    /// Minutes back, the accepted values of the `span` parameter next to `since`.
    static var timeSpans: [String] { filters.compactMap { $0.parameters["span"] } }

    /// The choice that the query parameters select; nil for none.
    static func selected(_ parameters: [String: String]) -> String? {
        filters.first { filter in
            // `since` alone does not identify the time span.
            (filter.parameters["span"] == nil || parameters["since"] != nil)
                && filter.parameters.allSatisfy { parameters[$0.key] == $0.value }
        }?.id
    }

    /// The query parameter changes for the choice `id`; nil removes the filter.
    static func changes(_ id: String?, at now: Date) -> [String: String?] {
        var changes: [String: String?] = [
            "fault": nil, "rule": nil, "token": nil, "since": nil, "until": nil, "span": nil,
        ]
        for (name, value) in filters.first(where: { $0.id == id })?.parameters ?? [:] {
            changes[name] = .some(value)
            if name == "span", let minutes = Double(value) {
                changes["since"] = .some(now.addingTimeInterval(-minutes * 60).iso8601)
            }
        }
        return changes
    }
}
