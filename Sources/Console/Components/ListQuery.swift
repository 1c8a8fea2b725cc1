import Web

/// The address of a list: where it lies, what it is narrowed to, and where in
/// it one stands.
struct ListQuery {
    /// `/sessions`.
    let path: String
    /// The names of its filters, in the order addresses have them.
    let filters: [String]
    /// The address's query; its names were checked.
    let queryParameters: [String: String]
    let keyset: Keyset

    init(_ path: String, filters: [String], queryParameters: [String: String]) throws(Problem) {
        self.path = path
        self.filters = filters
        self.queryParameters = queryParameters
        keyset = try Keyset(queryParameters)
    }

    /// What it is narrowed to, as items of a query.
    var filterItems: [(String, String?)] { filters.map { ($0, queryParameters[$0]) } }

    var partURL: String { Links.partURL(path, filterItems + keyset.queryItems) }

    /// This list with `changes`, from its beginning.
    func url(_ changes: [String: String?]) -> String {
        Links.url(path, filters.map { ($0, changes[$0] ?? queryParameters[$0]) })
    }

    // MARK: Pages

    /// The page the address asks for; a newer page that reaches the list's
    /// beginning is its first page.
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

    /// All, and each state with how many it leaves.
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
