import Support
import TableSchemas
import Testing
import Web

@testable import Backend
@testable import BackendContracts

/// PostgREST's query language, compared with SQL's semantics.
@Suite(.timeLimit(.minutes(10))) struct SocotoQueryTests {
    private static let fragments = [
        "a", "A", "b", "%", "_", "*", "é", ",", "\"", "\\", "(", ")", ".",
        " ",
        "null", "😀",
    ]
    private static let columns = ["full_name", "avatar_url", "bio", "location", "phone_number"]

    private static let schema = SocotoContract.profiles

    private func query(_ items: [(String, String)], range: String? = nil) throws -> PreparedQuery {
        let target = try RequestTarget(parsing: "/rest/v1/profiles?" + Form.encode(items))
        var query = try TableQuery(
            Self.schema, try TableParameters(target.query, now: 0),
            TableCatalog(tables: [Self.schema]))
        try query.apply(range: range)
        return PreparedQuery(query: query, embeds: [])
    }

    private func rows(_ fuzz: inout Fuzz) -> [TableRow] {
        (0..<fuzz.number(below: 6)).map { number in
            var values = ["id": JSON.string("\(number)")]
            for column in Self.columns where !fuzz.chance(oneIn: 5) {
                values[column] = .string(fuzz.text(of: Self.fragments, upTo: 3))
            }
            return TableRow(
                id: Int64(number), values: Self.schema.columns.map { values[$0.name] ?? .null })
        }
    }

    private func text(_ column: String, of row: TableRow) -> String? {
        Self.schema.index(of: column).flatMap { row.values[$0].string }
    }

    private func page(_ query: PreparedQuery, of rows: [TableRow]) throws -> (
        rows: [TableRow], total: Int
    ) {
        let matching = query.sorted(try rows.filter(query.matches))
        let page = matching.dropFirst(query.query.offset).prefix(query.query.limit ?? .max)
        return (Array(page), matching.count)
    }

    // MARK: Semantics

    /// A filter as it is sent, and whether SQL's filter matches a value.
    private func filter(_ fuzz: inout Fuzz) -> (text: String, isMatch: (String?) -> Bool) {
        var value = fuzz.text(of: Self.fragments, upTo: 3)
        // A pattern that ends with its escape character is invalid.
        if value.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 { value += "a" }
        let scalars = Array(value.unicodeScalars)
        switch fuzz.number(below: 5) {
        case 0: return ("eq.\(value)", { $0.map { Array($0.unicodeScalars) == scalars } ?? false })
        case 1: return ("neq.\(value)", { $0.map { Array($0.unicodeScalars) != scalars } ?? false })
        case 2: return ("is.null", { $0 == nil })
        case 3:
            let pattern = scalars.map { $0 == "*" ? "%" : $0 }
            return (
                "like.\(value)",
                { $0.map { like($0.unicodeScalars.map(\.self), pattern) } ?? false }
            )
        default:
            let others = [value, fuzz.text(of: Self.fragments, upTo: 2)]
            let quoted = others.map { text in
                let escaped = text.unicodeScalars.map {
                    "\"\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)"
                }
                return "\"\(escaped.joined())\""
            }
            let lists = others.map { Array($0.unicodeScalars) }
            return (
                "in.(\(quoted.joined(separator: ",")))",
                { $0.map { lists.contains(Array($0.unicodeScalars)) } ?? false }
            )
        }
    }

    /// SQL's LIKE, implemented from its definition.
    private func like(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "%" {
            return (0...text.count).contains {
                like(Array(text[$0...]), Array(pattern.dropFirst()))
            }
        }
        if first == "\\" {
            return text.first == pattern[1] && like(Array(text[1...]), Array(pattern[2...]))
        }
        guard let scalar = text.first, first == "_" || first == scalar else { return false }
        return like(Array(text.dropFirst()), Array(pattern.dropFirst()))
    }

    @Test func `a filter matches the rows it matches in SQL`() async {
        await Cases("filters of a table").check(oneIn: 3) { fuzz in
            let column = fuzz.one(of: Self.columns)
            let (text, isMatch) = filter(&fuzz)
            let isNegated = fuzz.chance(oneIn: 3)
            let rows = rows(&fuzz)
            let query = try query([(column, (isNegated ? "not." : "") + text)])
            for row in rows {
                let value = self.text(column, of: row)
                // A comparison with NULL is unknown, and so is its negation.
                let isKnown = value != nil || text == "is.null"
                try #require(
                    try query.matches(row) == (isKnown && isMatch(value) != isNegated),
                    "\(text) \(row)")
            }
            return !rows.isEmpty
        }
    }

    @Test func `a page is a range of the ordered rows with the selected columns`() async {
        await Cases("pages of a table").check(oneIn: 10) { fuzz in
            let rows = rows(&fuzz)
            let column = fuzz.one(of: Self.columns)
            let order = fuzz.one(of: ["", ".asc", ".desc", ".nullsfirst", ".desc.nullslast"])
            let limit = fuzz.number(below: 7)
            let offset = fuzz.number(below: 7)
            let first = fuzz.number(below: 4)
            let hasRange = fuzz.chance(oneIn: 2)
            let items = [
                ("select", "key:id,\(column)"), ("order", column + order), ("limit", "\(limit)"),
                ("offset", "\(offset)"),
            ]
            let range = hasRange ? "\(first)-\(first + 2)" : nil
            let lower = hasRange ? max(offset, first) : offset
            let upper = hasRange ? min(offset + limit, first + 3) : offset + limit
            guard upper > lower || limit == 0 && offset == 0 else {
                let failure = try #require(throws: RestFailure.self) {
                    try self.query(items, range: range)
                }
                try #require(failure.code == "PGRST103")
                return false
            }
            let query = try query(items, range: range)
            let (page, total) = try page(query, of: rows)
            let allRows = try self.page(try self.query(Array(items[..<2])), of: rows).rows
            try #require(total == rows.count && allRows.count == rows.count)
            try #require(
                page == Array(allRows.dropFirst(lower).prefix(limit == 0 ? 0 : upper - lower)))
            let values = allRows.map { text(column, of: $0) }
            let nullsFirst = order.hasSuffix("nullsfirst") || order == ".desc"
            let known = values.compactMap(\.self)
            let nulls = [String?](repeating: nil, count: values.count - known.count)
            try #require(values == (nullsFirst ? nulls + known : known + nulls))
            for (previous, next) in zip(known, known.dropFirst()) {
                try #require(order.hasPrefix(".desc") ? previous >= next : previous <= next)
            }
            for row in page {
                let expected: JSON = .object([
                    .init("key", JSON(text("id", of: row))),
                    .init(column, JSON(text(column, of: row))),
                ])
                try #require(try query.object(row) == expected)
            }
            return page.count > 1
        }
    }

    @Test func `any query returns a subset of the rows or fails with a 4xx status`() async {
        let tokens = [
            "id", "full_name", "created_at", "preferences", "none", "select", "order", "limit",
            "offset", "eq", "not", "in", "(", ")", ".", ",", ":", "*", "\"", "desc", "nullsfirst",
            "1",
            "-1", "99999999999999999999", "like", "is", "null", "2026-01-01", "{}", "%",
        ]
        await Cases("queries of a table", few: 1_000).check(oneIn: 100) { fuzz in
            let rows = rows(&fuzz)
            let items = (0..<1 + fuzz.number(below: 3)).map { _ in
                (
                    fuzz.one(of: ["select", "order", "limit", "offset", "id", "full_name", "none"]),
                    fuzz.text(of: tokens, upTo: 3)
                )
            }
            do {
                let range =
                    fuzz.chance(oneIn: 4) ? fuzz.text(of: ["-", "1", "9", " "], upTo: 4) : nil
                let query = try query(items, range: range)
                let (page, total) = try page(query, of: rows)
                try #require(
                    page.count <= min(total, query.query.limit ?? .max) && total <= rows.count)
                for row in page { try #require(rows.contains(row)) }
                return true
            } catch let failure as RestFailure {
                try #require((400..<500).contains(failure.status), "\(failure)")
            }
            return false
        }
    }
}
