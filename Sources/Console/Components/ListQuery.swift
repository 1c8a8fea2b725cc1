import Web

/// A list page's URL: its path, filters and position.
struct ListQuery {
    /// `/sessions`.
    let path: String
    /// The filters' names, in their order in URLs.
    let filters: [String]
    /// The URL's query.
    let queryParameters: [String: String]
    let keyset: Keyset

    /// `hasPages` allows the parameters of a position in the list.
    init(
        _ context: RequestContext, _ path: String, filters: [String], hasPages: Bool = true
    ) throws(Problem) {
        self.path = path
        self.filters = filters
        queryParameters = try context.query(
            allowing: filters + (hasPages ? Keyset.parameterNames : []) + ["part"])
        keyset = try Keyset(queryParameters)
    }

    /// The filters as query items.
    var filterItems: [(String, String?)] { filters.map { ($0, queryParameters[$0]) } }

    var pageURL: String { Links.url(path, filterItems + keyset.queryItems) }

    /// The URL of this list's first page with changed filters.
    func url(_ changes: [String: String?]) -> String {
        Links.url(path, filters.map { ($0, changes[$0] ?? queryParameters[$0]) })
    }

    // MARK: Pages

    /// Fetches the requested page of `query`. A newer page that reaches the list's beginning becomes
    /// the first page.
    func fetchPage<Query: KeyedQuery, Page: KeyedPage>(
        _ query: Query, _ get: (Query) async throws -> Page
    ) async throws -> Page {
        var query = query
        query.limit = Keyset.pageSize
        query.before = keyset.before
        query.after = keyset.after
        let page = try await get(query)
        guard keyset.after != nil, !page.hasNewer else { return page }
        query.after = nil
        return try await get(query)
    }

    fileprivate func pager<Page: KeyedPage>(_ page: Page) -> PagerModel? {
        PagerModel(
            keyset, rows: page.items.count, total: page.total, isExact: page.totalIsExact,
            first: page.items.first.map(Page.key), last: page.items.last.map(Page.key),
            hasNewer: page.hasNewer, hasOlder: page.hasOlder
        ) { Links.url(path, filterItems + $0) }
    }

    // MARK: Filters

    /// "All" and each state, with their counts.
    func segments<State: RawRepresentable<String> & Hashable>(
        _ states: [State], named name: (State) -> String, totals: [State: Int], isExact: Bool = true
    ) -> [FiltersModel.Segment] {
        ([nil] + states).map { state in
            let count = state.map { totals[$0] ?? 0 } ?? totals.values.reduce(0, +)
            return .init(
                segmentID: "\(path.dropFirst()).state." + (state?.rawValue ?? "all"),
                name: state.map(name)?.capitalizedFirst ?? "All",
                segmentCount: Format.count(count, isExact: isExact),
                href: url(["state": state?.rawValue]),
                current: queryParameters["state"] == state?.rawValue)
        }
    }
}

/// A list page's range, and the links to its neighboring pages.
struct PagerModel: Encodable, Sendable {
    /// `1–20 of 1,284`.
    var range: String
    /// Nil on the first page.
    var newerURL: String?
    /// Nil on the last page.
    var olderURL: String?
}

/// A query for one page of a list: its size, and the sequence number before or after which it is.
protocol KeyedQuery {
    var limit: Int { get set }
    var before: Int64? { get set }
    var after: Int64? { get set }
}

/// One page of a list with keyset pagination by sequence number.
protocol KeyedPage {
    associatedtype Item
    var items: [Item] { get }
    /// The number of matching items; a lower bound unless `totalIsExact`.
    var total: Int { get }
    var totalIsExact: Bool { get }
    var hasNewer: Bool { get }
    var hasOlder: Bool { get }

    static func key(_ item: Item) -> Int64
}

/// A filtered list of sessions, exchanges or accounts (`<name>/<name>`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows` (`<name>/rows`).
struct ListModel<Row: Encodable & Sendable>: Encodable, Sendable {
    /// `1,284 sessions, 31 devices`.
    var totalText: String
    /// The toolbar's links, by name; one that does not apply is absent.
    var links: [String: String] = [:]
    /// Event kinds that may change the list, separated by spaces.
    var liveEventKinds: String
    var filters: FiltersModel
    /// The choices of the state, with their counts.
    var segments: [FiltersModel.Segment]
    /// Nil if the list is empty; `empty` then has the text.
    var list: Rows?
    var empty: EmptyStateModel?
    /// Nil with `list`.
    var pager: PagerModel?

    struct Rows: Encodable, Sendable { var rows: [Row] }
}

extension ListModel {
    /// The model of one page; `empty` is built only without rows.
    init<Page: KeyedPage>(
        _ listing: ListQuery, _ page: Page, rows: [Row], totalText: String,
        links: [String: String] = [:], liveEventKinds: String, filters: FiltersModel,
        segments: [FiltersModel.Segment], empty: @autoclosure () -> EmptyStateModel
    ) {
        self.init(
            totalText: totalText, links: links, liveEventKinds: liveEventKinds, filters: filters,
            segments: segments, list: rows.isEmpty ? nil : Rows(rows: rows),
            empty: rows.isEmpty ? empty() : nil, pager: listing.pager(page))
    }
}
