import Backend
import FoundationEssentials
import Web

/// The parsed query of a table request: columns, filters, order and page.
struct TableQuery: Sendable {
    let request: Request
    let preference: PreferHeader
    /// The columns and their names in the response. Nil for all.
    private(set) var select: [(name: String, column: ProfileRow.Column)]?
    private(set) var filters: [RowFilter] = []
    private(set) var order: [SortOrder] = []
    private(set) var limit: Int?
    private(set) var offset = 0

    /// Whether the response is an object instead of an array.
    var wantsSingleObject: Bool {
        request.headers["Accept"]?.contains("application/vnd.pgrst.object+json") ?? false
    }

    init(_ context: RequestContext) throws(RestFailure) {
        request = context.request
        preference = PreferHeader(request)
        for item in context.target.query {
            switch item.name {
            case "select": select = try Self.parseSelect(item.value)
            case "order": order = try SortOrder.parse(item.value)
            case "limit": limit = try Self.parseCount(item.value, "limit")
            case "offset": offset = try Self.parseCount(item.value, "offset") ?? 0
            case "columns", "on_conflict", "apikey": break
            default: filters.append(try RowFilter(item.name, item.value))
            }
        }
        if request.method.isSafe { try applyRange(request.headers["Range"]) }
    }

    static func parseColumn(_ name: some StringProtocol) throws(RestFailure) -> ProfileRow.Column {
        guard let column = ProfileRow.Column(rawValue: String(name)) else {
            throw .columnNotFound(String(name))
        }
        return column
    }

    /// The requested page of rows, in order, and the total number of matches.
    func selectPage(from rows: [ProfileRow]) throws(RestFailure) -> (page: [ProfileRow], total: Int)
    {
        let matching = rows.filter(matches)
        let sorted =
            order.isEmpty ? matching : matching.sorted { SortOrder.precedes($0, $1, order) }
        let page = sorted.dropFirst(offset).prefix(limit ?? .max)
        return (Array(page), matching.count)
    }

    func matches(_ row: ProfileRow) -> Bool { filters.allSatisfy { $0.matches(row) } }

    /// A row with the requested columns only.
    func projectedJSON(_ row: ProfileRow) -> JSON {
        guard let select else { return row.json }
        return .object(select.map { .init($0.name, row[$0.column]) })
    }

    /// Parses `a,b,alias:c`, where `*` means all columns. Nil for an empty text.
    private static func parseSelect(_ text: String) throws(RestFailure) -> [(
        String, ProfileRow.Column
    )]? {
        guard !text.isEmpty else { return nil }
        var select: [(String, ProfileRow.Column)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part == "*" {
                select += ProfileRow.Column.allCases.map { ($0.rawValue, $0) }
                continue
            }
            let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves.last, !name.isEmpty, !name.contains("."),
                name.utf8.allSatisfy(PercentEncoding.isUnreserved)
            else { throw .parseError(text, "select parameter") }
            select.append((String(halves[0]), try parseColumn(name)))
        }
        return select
    }

    private static func parseCount(_ text: String, _ name: String) throws(RestFailure) -> Int? {
        guard let count = Int(text), count >= 0 else {
            throw .parseError(text, "\(name) parameter")
        }
        return count
    }

    /// Parses `0-9`, or `5-` up to the end. Any other text is ignored.
    private mutating func applyRange(_ range: String?) throws(RestFailure) {
        guard let range else { return }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return }
        // The numbers may overflow. No table is that long.
        let (sum, offsetOverflows) = offset.addingReportingOverflow(first)
        offset = offsetOverflows ? .max : sum
        guard let last = Int(ends[1]) else { return }
        guard last >= first else {
            throw .invalidRange(
                "The lower boundary must be lower than or equal to "
                    + "the upper boundary in the Range header.")
        }
        let (count, countOverflows) = (last - first).addingReportingOverflow(1)
        limit = min(limit ?? .max, countOverflows ? .max : count)
    }
}

/// One column of `order=full_name.desc.nullslast,created_at`.
struct SortOrder: Sendable {
    let column: ProfileRow.Column
    let isDescending: Bool
    let hasNullsFirst: Bool

    static func parse(_ text: String) throws(RestFailure) -> [SortOrder] {
        var list: [SortOrder] = []
        for part in text.split(separator: ",") {
            let components = part.split(separator: ".")
            var isDescending = false
            var nulls: Bool?
            for modifier in components.dropFirst() {
                switch modifier {
                case "asc": isDescending = false
                case "desc": isDescending = true
                case "nullsfirst": nulls = true
                case "nullslast": nulls = false
                default: throw .parseError(text, "order")
                }
            }
            guard let name = components.first else { throw .parseError(text, "order") }
            list.append(
                SortOrder(
                    column: try TableQuery.parseColumn(name), isDescending: isDescending,
                    // PostgreSQL sorts null after every value.
                    hasNullsFirst: nulls ?? isDescending))
        }
        return list
    }

    static func precedes(_ left: ProfileRow, _ right: ProfileRow, _ order: [SortOrder]) -> Bool {
        for rule in order {
            let a = left[rule.column]
            let b = right[rule.column]
            switch (a == .null, b == .null) {
            case (true, true): continue
            case (true, false): return rule.hasNullsFirst
            case (false, true): return !rule.hasNullsFirst
            case (false, false): break
            }
            let first = comparisonKey(a, rule.column.type)
            let second = comparisonKey(b, rule.column.type)
            if first != second { return (first < second) != rule.isDescending }
        }
        return false
    }

    /// The text by which values of a type are compared.
    static func comparisonKey(_ value: JSON, _ kind: ProfileRow.ColumnType) -> String {
        let text = value.string ?? value.description
        switch kind {
        case .text: return text
        case .uuid: return text.lowercased()
        case .jsonb: return ((try? JSON(parsing: text)) ?? value).description
        case .timestamp: return parseTime(text).map(\.iso8601) ?? text
        }
    }

    static func parseTime(_ text: String) -> Date? {
        Date(iso8601: text) ?? Date(iso8601: text.replacing(" ", with: "T")) ?? Date(
            iso8601: text.replacing(" ", with: "T") + "Z") ?? Date(iso8601: text + "T00:00:00Z")
    }
}

/// The supported preferences in a request's `Prefer` header (RFC 7240).
struct PreferHeader: Sendable {
    private(set) var returnPreference: ReturnPreference?
    private(set) var resolution: Resolution?
    private(set) var wantsCount = false
    /// The supported preferences, as returned in `Preference-Applied`.
    private var applied: [String] = []

    enum ReturnPreference: String, Sendable {
        case minimal, representation
        case headers = "headers-only"
    }

    enum Resolution: String, Sendable {
        case merge = "merge-duplicates"
        case ignore = "ignore-duplicates"
    }

    init(_ request: Request) {
        let preferences = request.headers.all("Prefer").joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        let isWrite = !request.method.isSafe
        for preference in preferences {
            let halves = preference.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { continue }
            let value = String(halves[1])
            switch halves[0] {
            case "return" where isWrite && returnPreference == nil:
                returnPreference = ReturnPreference(rawValue: value)
                guard returnPreference != nil else { continue }
            case "resolution" where request.method == .post && resolution == nil:
                resolution = Resolution(rawValue: value)
                guard resolution != nil else { continue }
            case "count" where !wantsCount:
                wantsCount = ["exact", "planned", "estimated"].contains(value)
                guard wantsCount else { continue }
            case "missing" where isWrite && value == "default": break
            default: continue
            }
            applied.append(preference)
        }
    }

    var wantsRows: Bool { returnPreference == .representation }

    func addAppliedHeader(to response: inout Response) {
        guard !applied.isEmpty else { return }
        response.headers["Preference-Applied"] = applied.joined(separator: ", ")
    }
}
