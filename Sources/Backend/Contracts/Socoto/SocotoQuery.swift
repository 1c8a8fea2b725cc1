import Web

/// What a request asks of the table: which rows, which columns, in which
/// order, how many.
struct SocotoQuery: Sendable {
    /// The columns and the names they are told under; nil for all.
    private(set) var select: [(name: String, column: SocotoProfileRow.Column)]?
    private(set) var filters: [SocotoFilter] = []
    private(set) var order: [SocotoSortOrder] = []
    private(set) var limit: Int?
    private(set) var offset = 0

    init(_ context: RequestContext) throws(SocotoRestFailure) {
        for item in context.target.query {
            switch item.name {
            case "select": select = try Self.parseSelect(item.value)
            case "order": order = try SocotoSortOrder.parse(item.value)
            case "limit": limit = try Self.parseCount(item.value, "limit")
            case "offset": offset = try Self.parseCount(item.value, "offset") ?? 0
            case "columns", "on_conflict", "apikey": break
            default: filters.append(try SocotoFilter(item.name, item.value))
            }
        }
        if context.request.method == .get || context.request.method == .head {
            try applyRange(context.request.headers["Range"])
        }
    }

    static func parseColumn(_ name: some StringProtocol) throws(SocotoRestFailure)
        -> SocotoProfileRow.Column
    {
        guard let column = SocotoProfileRow.Column(rawValue: String(name)) else {
            throw .columnNotFound(String(name))
        }
        return column
    }

    /// The rows asked for, in order, and how many there are in all.
    func selectPage(from rows: [SocotoProfileRow]) throws(SocotoRestFailure) -> (
        page: [SocotoProfileRow], total: Int
    ) {
        let found = rows.filter(matches)
        let sorted =
            order.isEmpty ? found : found.sorted { SocotoSortOrder.precedes($0, $1, order) }
        let page = sorted.dropFirst(offset).prefix(limit ?? .max)
        return (Array(page), found.count)
    }

    func matches(_ row: SocotoProfileRow) -> Bool { filters.allSatisfy { $0.matches(row) } }

    /// A row as its columns were asked for.
    func projectedJSON(_ row: SocotoProfileRow) -> JSON {
        guard let select else { return row.json }
        return .object(select.map { .init($0.name, row[$0.column]) })
    }

    /// `a,b,alias:c`; nil for `*` and for nothing.
    private static func parseSelect(_ text: String) throws(SocotoRestFailure) -> [(
        String, SocotoProfileRow.Column
    )]? {
        guard !text.isEmpty else { return nil }
        var select: [(String, SocotoProfileRow.Column)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part == "*" {
                select += SocotoProfileRow.Column.allCases.map { ($0.rawValue, $0) }
                continue
            }
            let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves.last, !name.isEmpty, name.utf8.allSatisfy(Self.isNameCharacter)
            else {
                throw .parseError(text, "select parameter")
            }
            select.append((String(halves[0]), try parseColumn(name)))
        }
        return select
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: ".")
    }

    private static func parseCount(_ text: String, _ name: String) throws(SocotoRestFailure) -> Int?
    {
        guard let count = Int(text), count >= 0 else {
            throw .parseError(text, "\(name) parameter")
        }
        return count
    }

    /// `0-9`, or `5-` to the end; what is none is passed over.
    private mutating func applyRange(_ range: String?) throws(SocotoRestFailure) {
        guard let range else { return }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return }
        // A number may be as great as numbers get; no table is.
        let (sum, isTooFar) = offset.addingReportingOverflow(first)
        offset = isTooFar ? .max : sum
        guard let last = Int(ends[1]) else { return }
        guard last >= first else {
            throw SocotoRestFailure(
                416, "PGRST103", "Requested range not satisfiable",
                details: "The lower boundary must be lower than or equal to "
                    + "the upper boundary in the Range header.")
        }
        let (count, isTooMany) = (last - first).addingReportingOverflow(1)
        limit = min(limit ?? .max, isTooMany ? .max : count)
    }
}
