import Web

/// The address of a list: where it lies, what it is narrowed to, and where in
/// it one stands.
struct Listing {
    /// `/sessions`.
    let path: String
    /// The names of its filters, in the order addresses have them.
    let filters: [String]
    /// The address's query; its names were checked.
    let asked: [String: String]
    let keyset: Keyset

    init(_ path: String, filters: [String], asked: [String: String]) throws(Problem) {
        self.path = path
        self.filters = filters
        self.asked = asked
        keyset = try Keyset(asked)
    }

    /// What it is narrowed to, as items of a query.
    var items: [(String, String?)] { filters.map { ($0, asked[$0]) } }

    var partURL: String { Links.part(path, items + keyset.items) }

    /// This list with `changes`, from its beginning.
    func link(_ changes: [String: String?]) -> String {
        Links.query(path, filters.map { ($0, changes[$0] ?? asked[$0]) })
    }

    // MARK: Pages

    /// The page the address asks for; a newer page that reaches the list's
    /// beginning is its first page.
    func page<Page: KeyedPage>(_ get: (_ before: Int64?, _ after: Int64?) async throws -> Page)
        async throws -> Page
    {
        let page = try await get(keyset.before, keyset.after)
        guard keyset.after != nil, !page.hasNewer else { return page }
        return try await get(keyset.before, nil)
    }

    func pager<Page: KeyedPage>(_ page: Page) -> PagerModel? {
        PagerModel(
            keyset, rows: page.items.count, total: page.total, isWhole: page.totalIsWhole,
            first: page.items.first.map(Page.key), last: page.items.last.map(Page.key),
            hasNewer: page.hasNewer, hasOlder: page.hasOlder
        ) { Links.query(path, items + $0) }
    }

    // MARK: Filters

    /// All, and each state with how many it leaves.
    func segments<State: RawRepresentable<String> & Hashable>(
        _ states: [State], named name: (State) -> String, totals: [State: Int], isWhole: Bool = true
    ) -> [FiltersModel.Segment] {
        ([nil] + states).map { state in
            let count = state.map { totals[$0] ?? 0 } ?? totals.values.reduce(0, +)
            return .init(
                segmentID: "\(path.dropFirst()).state." + (state?.rawValue ?? "all"),
                name: state.map(name)?.capitalizedFirst ?? "All",
                segmentCount: Words.count(count, isWhole: isWhole),
                href: link(["state": state?.rawValue]), current: asked["state"] == state?.rawValue)
        }
    }
}
