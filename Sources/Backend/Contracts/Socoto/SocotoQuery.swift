import Web

/// What a request asks of the table: which rows, which columns, in which
/// order, how many.
struct SocotoQuery: Sendable {
    /// The columns and the names they are told under; nil for all.
    private(set) var select: [(name: String, column: SocotoRow.Column)]?
    private(set) var filters: [SocotoFilter] = []
    private(set) var order: [SocotoOrder] = []
    private(set) var limit: Int?
    private(set) var offset = 0

    init(_ visit: Visit) throws(SocotoRestFailure) {
        for item in visit.target.query {
            switch item.name {
            case "select": select = try Self.select(item.value)
            case "order": order = try SocotoOrder.list(item.value)
            case "limit": limit = try Self.count(item.value, "limit")
            case "offset": offset = try Self.count(item.value, "offset") ?? 0
            case "columns", "on_conflict", "apikey": break
            default: filters.append(try SocotoFilter(item.name, item.value))
            }
        }
        if visit.request.method == .get || visit.request.method == .head {
            try take(range: visit.request.headers["Range"])
        }
    }

    static func column(_ name: some StringProtocol) throws(SocotoRestFailure) -> SocotoRow.Column {
        guard let column = SocotoRow.Column(rawValue: String(name)) else {
            throw .noColumn(String(name))
        }
        return column
    }

    /// The rows asked for, in order, and how many there are in all.
    func choose(from rows: [SocotoRow]) throws(SocotoRestFailure) -> (page: [SocotoRow], total: Int)
    {
        let found = rows.filter(matches)
        let sorted = order.isEmpty ? found : found.sorted { SocotoOrder.precedes($0, $1, order) }
        let page = sorted.dropFirst(offset).prefix(limit ?? .max)
        return (Array(page), found.count)
    }

    func matches(_ row: SocotoRow) -> Bool { filters.allSatisfy { $0.holds(row) } }

    /// A row as its columns were asked for.
    func told(_ row: SocotoRow) -> JSON {
        guard let select else { return row.json }
        return .object(select.map { .init($0.name, row[$0.column]) })
    }

    /// `a,b,alias:c`; nil for `*` and for nothing.
    private static func select(_ text: String) throws(SocotoRestFailure) -> [(
        String, SocotoRow.Column
    )]? {
        guard !text.isEmpty else { return nil }
        var select: [(String, SocotoRow.Column)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part == "*" {
                select += SocotoRow.Column.allCases.map { ($0.rawValue, $0) }
                continue
            }
            let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves.last, !name.isEmpty, name.utf8.allSatisfy(Self.mayStand) else {
                throw .unparsed(text, "select parameter")
            }
            select.append((String(halves[0]), try column(name)))
        }
        return select
    }

    private static func mayStand(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: ".")
    }

    private static func count(_ text: String, _ name: String) throws(SocotoRestFailure) -> Int? {
        guard let count = Int(text), count >= 0 else { throw .unparsed(text, "\(name) parameter") }
        return count
    }

    /// `0-9`, or `5-` to the end; what is none is passed over.
    private mutating func take(range: String?) throws(SocotoRestFailure) {
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
