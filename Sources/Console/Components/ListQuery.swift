import Core
import Templates
import Web

/// A list page's URL: its path, filters and position.
struct ListQuery {
    /// `/sessions`.
    let path: String
    /// The filters' names, in their order in URLs.
    let filters: [String]
    /// The URL's query.
    let queryParameters: [String: String]
    let position: ListPosition

    /// `hasPages` allows the parameters of a position in the list; `read` reads the filters whose
    /// values must be valid.
    init(
        _ context: RequestContext, _ path: String, filters: [String], hasPages: Bool = true,
        read: (inout QueryReader) -> Void = { _ in }
    ) throws(Problem) {
        self.path = path
        self.filters = filters
        var reader = QueryReader(
            context,
            allowing: filters + (hasPages ? ListPosition.parameterNames : []) + ["part"])
        read(&reader)
        try reader.finish()
        queryParameters = reader.values
        position = try ListPosition(queryParameters)
    }

    /// The filters as query items.
    var filterItems: [(String, String?)] { filters.map { ($0, queryParameters[$0]) } }

    var pageURL: String { Links.url(path, filterItems + position.queryItems) }

    /// The URL of this list's first page with changed filters.
    func url(_ changes: [String: String?]) -> String {
        Links.url(path, filters.map { ($0, changes[$0] ?? queryParameters[$0]) })
    }

    /// The pager of a page of this list; nil for an empty page.
    func pager(_ page: KeysetPage<some Sendable>) -> PagerModel? {
        PagerModel(page, at: position) { Links.url(path, filterItems + $0) }
    }

    // MARK: Models

    /// A page of the list (`<name>/<name>`, with rows in `<name>/rows`).
    ///
    /// `links` are the toolbar's, without those that do not apply; `liveEventKinds` may change the
    /// list, separated by spaces; `segments` are the choices of the state; `empty` is built only
    /// without rows.
    func model<Row: Encodable & Sendable>(
        _ page: KeysetPage<some Sendable>, rows: [Row], totalText: String,
        links: TemplateModel = [:], liveEventKinds: String, filters: TemplateModel,
        segments: [LinkModel], empty: @autoclosure () -> TemplateModel
    ) -> TemplateModel {
        [
            "totalText": totalText, "links": links, "liveEventKinds": liveEventKinds,
            "filters": filters, "segments": segments, "rows": rows,
            "empty": rows.isEmpty ? empty() : nil, "pager": pager(page),
        ]
    }

    /// The list's search form and filter menus (`parts/filters`): links and a GET form, without a
    /// script. The segments are in the page's own `segments`, because they are a live part.
    ///
    /// `id` begins test ids; `summary` names the active filters on narrow screens; `syntax` explains
    /// what the search understands besides words.
    func filters(
        id: String? = nil, search: String, placeholder: String, menus: [ChoiceMenuModel],
        summary: String?, toggle: TemplateModel? = nil, syntax: [DetailModel] = [],
        searchError: String? = nil
    ) -> TemplateModel {
        // A search preserves the other filters.
        let hiddenFields = filterItems.compactMap { name, value -> TemplateModel? in
            guard name != "q", let value else { return nil }
            return ["hiddenName": name, "hiddenValue": value]
        }
        return [
            "filterID": id ?? String(path.dropFirst()), "action": path,
            "query": queryParameters["q"] ?? "", "searchLabel": search,
            "placeholder": placeholder, "hiddenFields": hiddenFields, "menus": menus,
            "summary": summary?.capitalizedFirst ?? "All", "toggle": toggle, "syntax": syntax,
            "searchError": searchError,
        ]
    }

    /// "All" and each state, with their counts.
    func segments<State: RawRepresentable<String> & Hashable>(
        _ states: [State], named name: (State) -> String, totals: [State: Int], isExact: Bool = true
    ) -> [LinkModel] {
        ([nil] + states).map { state in
            let count = state.map { totals[$0] ?? 0 } ?? totals.values.reduce(0, +)
            return LinkModel(
                id: "\(path.dropFirst()).state." + (state?.rawValue ?? "all"),
                name: state.map(name)?.capitalizedFirst ?? "All",
                count: Format.count(count, isExact: isExact),
                href: url(["state": state?.rawValue]),
                current: queryParameters["state"] == state?.rawValue)
        }
    }
}

/// A list position from a page's URL: `?before=`, `?after=` and, as a hint for "21–40 of 128", its
/// first row's number in `from`.
///
/// The cursors are exact. The number is corrected wherever an end of the list is reached, and may
/// be off by rows added in between.
struct ListPosition: Sendable {
    private let keyset: Keyset
    let firstRowNumber: Int

    /// The largest row number; no list has more rows.
    private static let maxRowNumber = 1_000_000_000
    static let parameterNames = ["before", "after", "from"]

    /// Parses the position from a query whose parameter names were already checked.
    init(_ queryParameters: [String: String]) throws(Problem) {
        func cursor(_ name: String) throws(Problem) -> ListCursor? {
            guard let text = queryParameters[name] else { return nil }
            guard let cursor = ListCursor(text) else {
                throw .badParameter(name, "is not a valid list position; use the list's links")
            }
            return cursor
        }
        let (before, after) = (try cursor("before"), try cursor("after"))
        keyset = Keyset(
            before: before?.sequence, after: after?.sequence,
            sortValue: (before ?? after)?.sortValue)
        firstRowNumber =
            queryParameters["from"].flatMap(Int.init).map { min(max(1, $0), Self.maxRowNumber) }
            ?? 1
        if keyset.before != nil && keyset.after != nil {
            throw .badParameter("after", "cannot be combined with before")
        }
    }

    /// The position as query items.
    var queryItems: [(String, String?)] {
        [
            ("before", keyset.before.map { ListCursor($0, keyset.sortValue).description }),
            ("after", keyset.after.map { ListCursor($0, keyset.sortValue).description }),
            ("from", firstRowNumber > 1 ? String(firstRowNumber) : nil),
        ]
    }

    /// Fetches this page. A newer page that reaches the list's beginning becomes the first page.
    func fetch<Page>(hasNewer: (Page) -> Bool, _ get: (Keyset) async throws -> Page) async throws
        -> Page
    {
        let page = try await get(keyset)
        return keyset.after == nil || hasNewer(page) ? page : try await get(Keyset())
    }
}

/// A list page's range, and the links to its neighboring pages.
struct PagerModel: Encodable, Sendable {
    /// `1–20 of 1,284`.
    var range: String
    var newerName = "Newer"
    var olderName = "Older"
    /// Nil on the first page.
    var newerURL: String?
    /// Nil on the last page.
    var olderURL: String?
}

extension PagerModel {
    /// `link` makes a URL of this list from paging items. Nil without rows.
    init?(
        _ page: KeysetPage<some Sendable>, at position: ListPosition,
        link: ([(String, String?)]) -> String
    ) {
        guard let first = page.firstCursor, let last = page.lastCursor else { return nil }
        let rows = page.items.count
        let lastPage = max(1, page.total - rows + 1)
        let start =
            !page.hasNewer
            ? 1
            : !page.totalIsExact
                ? position.firstRowNumber
                : page.hasOlder ? min(position.firstRowNumber, lastPage) : lastPage
        let newer = max(1, start - Keyset().limit)
        self.init(
            range: "\(Format.count(start))–\(Format.count(start + rows - 1)) of "
                + Format.count(max(page.total, start + rows - 1), isExact: page.totalIsExact),
            newerURL: page.hasNewer
                ? link([("after", first.description), ("from", newer > 1 ? String(newer) : nil)])
                : nil,
            olderURL: page.hasOlder
                ? link([("before", last.description), ("from", String(start + rows))]) : nil)
        guard first.sortValue != nil else { return }
        (newerName, olderName) = ("Previous", "Next")
    }
}
