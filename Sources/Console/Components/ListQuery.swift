import Web

/// A list page's URL: its path, filters and position.
struct ListQuery {
    /// `/sessions`.
    let path: String
    /// The filters' names, in their order in URLs.
    let filters: [String]
    /// The URL's query; its parameter names were already checked.
    let queryParameters: [String: String]
    let keyset: Keyset

    init(_ path: String, filters: [String], queryParameters: [String: String]) throws(Problem) {
        self.path = path
        self.filters = filters
        self.queryParameters = queryParameters
        keyset = try Keyset(queryParameters)
    }

    /// The filters as query items.
    var filterItems: [(String, String?)] { filters.map { ($0, queryParameters[$0]) } }

    var partURL: String { Links.partURL(path, filterItems + keyset.queryItems) }

    /// The URL of this list's first page with changed filters.
    func url(_ changes: [String: String?]) -> String {
        Links.url(path, filters.map { ($0, changes[$0] ?? queryParameters[$0]) })
    }

    // MARK: Pages

    /// Fetches the requested page. A newer page that reaches the list's beginning becomes the first
    /// page.
    func fetchPage<Page: KeyedPage>(_ get: (_ before: Int64?, _ after: Int64?) async throws -> Page)
        async throws -> Page
    {
        let page = try await get(keyset.before, keyset.after)
        guard keyset.after != nil, !page.hasNewer else { return page }
        return try await get(keyset.before, nil)
    }

    func pager<Page: KeyedPage>(_ page: Page) -> PagerModel? {
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
