import Support
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

    private func query(_ items: [(String, String)], range: String? = nil) throws -> TableQuery {
        let target = "/rest/v1/profiles?" + Form.encode(items)
        let headers: Headers = range.map { ["Range": $0] } ?? [:]
        return try TableQuery(
            RequestContext(
                request: Request(method: .get, target: target, headers: headers),
                target: try RequestTarget(parsing: target), cookies: Cookies([:]),
                authentication: .bearer))
    }

    private func rows(_ fuzz: inout Fuzz) throws -> [ProfileRow] {
        try (0..<fuzz.number(below: 6)).map { number in
            var members: [JSON.Member] = [.init("id", .string("\(number)"))]
            for column in Self.columns where !fuzz.chance(oneIn: 5) {
                members.append(.init(column, .string(fuzz.text(of: Self.fragments, upTo: 3))))
            }
            return try #require(ProfileRow(.object(members)))
        }
    }

    // MARK: Semantics

    /// A filter as it is sent, and whether SQL's filter matches a value.
    private func filter(_ fuzz: inout Fuzz) -> (text: String, isMatch: (String?) -> Bool) {
        let value = fuzz.text(of: Self.fragments, upTo: 3)
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
        guard let scalar = text.first, first == "_" || first == scalar else { return false }
        return like(Array(text.dropFirst()), Array(pattern.dropFirst()))
    }

    @Test func `a filter matches the rows it matches in SQL`() async {
        await Cases("filters of a table").check(oneIn: 3) { fuzz in
            let column = fuzz.one(of: Self.columns)
            let (text, isMatch) = filter(&fuzz)
            let isNegated = fuzz.chance(oneIn: 3)
            let rows = try rows(&fuzz)
            let query = try query([(column, (isNegated ? "not." : "") + text)])
            for row in rows {
                let value = row.json[column]?.string
                // A comparison with NULL is unknown, and so is its negation.
                let isKnown = value != nil || text == "is.null"
                try #require(
                    query.matches(row) == (isKnown && isMatch(value) != isNegated),
                    "\(text) \(row.json)")
            }
            return !rows.isEmpty
        }
    }

    @Test func `a page is a range of the ordered rows with the selected columns`() async {
        await Cases("pages of a table").check(oneIn: 10) { fuzz in
            let rows = try rows(&fuzz)
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
            let query = try query(items, range: hasRange ? "\(first)-\(first + 2)" : nil)
            let (page, total) = try query.selectPage(from: rows)
            let allRows = try self.query(Array(items[..<2])).selectPage(from: rows).page
            let start = offset + (hasRange ? first : 0)
            try #require(total == rows.count && allRows.count == rows.count)
            try #require(
                page == Array(allRows.dropFirst(start).prefix(hasRange ? min(limit, 3) : limit)))
            let values = allRows.map { $0.json[column]?.string }
            let nullsFirst = order.hasSuffix("nullsfirst") || order == ".desc"
            let known = values.compactMap(\.self)
            let nulls = [String?](repeating: nil, count: values.count - known.count)
            try #require(values == (nullsFirst ? nulls + known : known + nulls))
            for (previous, next) in zip(known, known.dropFirst()) {
                try #require(order.hasPrefix(".desc") ? previous >= next : previous <= next)
            }
            for row in page {
                let expected: JSON = .object([
                    .init("key", row.json["id"] ?? .null), .init(column, row.json[column] ?? .null),
                ])
                try #require(query.projectedJSON(row) == expected)
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
            let rows = try rows(&fuzz)
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
                let (page, total) = try query.selectPage(from: rows)
                try #require(page.count <= min(total, query.limit ?? .max) && total <= rows.count)
                for row in page { try #require(rows.contains(row)) }
                return true
            } catch let failure as RestFailure {
                try #require((400..<500).contains(failure.status), "\(failure)")
            }
            return false
        }
    }
}
