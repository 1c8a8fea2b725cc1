import TableSchemas
import Testing
import Web

@testable import BackendContracts

/// The query language, on the rows of declared tables.
@Suite(.timeLimit(.minutes(10))) struct TableQueryTests {
    /// 2026-01-02 03:04:05
    private static let now: Int64 = 1_767_323_045_000_000

    private static func rows(_ values: [[String: JSON]]) -> [TableRow] {
        values.enumerated().map { index, members in
            TableRow(
                id: Int64(index), values: TestTables.books.columns.map { members[$0.name] ?? .null }
            )
        }
    }

    private static let books = rows([
        [
            "id": 1, "title": "The Lathe", "pages": 184, "price": 9.5, "tags": ["sf", "a b"],
            "data": ["seen": ["by": ["Ada", "Eve"]], "note": "x"], "sold": true,
            "added_at": "2026-01-02T03:04:05+00:00",
        ],
        [
            "id": 2, "title": "Ficciones", "pages": 170, "price": 12, "tags": [],
            "data": ["note": nil], "sold": false, "added_at": "2026-01-02T03:04:05.5+00:00",
        ],
        ["id": 3, "title": "Running Dogs"],
    ])

    /// The ids of the rows that a query selects, in order.
    private func ids(_ query: String) throws -> [Int64] {
        let target = try RequestTarget(parsing: "/books?" + query)
        let schema = TestTables.books
        var query = try TableQuery(
            schema, try TableParameters(target.query, now: Self.now),
            TableCatalog(tables: TestTables.all))
        try query.apply(range: nil)
        let prepared = PreparedQuery(query: query, embeds: [])
        let rows = prepared.sorted(try Self.books.filter(prepared.matches))
        return rows.dropFirst(prepared.query.offset).prefix(prepared.query.limit ?? .max)
            .compactMap { $0.values[0].int }
    }

    @Test(arguments: [
        ("pages=eq.184", [1]), ("pages=neq.184", [2]), ("pages=gt.170", [1]),
        ("pages=gte.170", [1, 2]), ("pages=lt.184", [2]), ("pages=lte.184", [1, 2]),
        ("pages=not.eq.184", [2]), ("price=eq.9.50", [1]), ("price=eq.12.0", [2]),
        ("title=like.*e*", [1, 2]), ("title=like.The%25", [1]), ("title=ilike.*LATHE", [1]),
        ("title=not.ilike.*lathe", [2, 3]), ("title=like(any).{The*,Fic*}", [1, 2]),
        ("title=ilike(all).{*the*,*LATHE}", [1]), ("title=match.^The", [1]),
        ("title=match.[[:upper:]]i", [2]), ("title=imatch.DOGS$", [3]),
        ("title=imatch.%5CS%2Blathe", []),
        ("pages=in.(170,184)", [1, 2]), ("pages=not.in.(170)", [1]),
        ("title=in.(\"The Lathe\",Ficciones)", [1, 2]), ("title=in.()", []),
        ("pages=is.null", [3]), ("pages=not.is.null", [1, 2]), ("pages=is.not_null", [1, 2]),
        ("sold=is.true", [1]), ("sold=is.false", [2]), ("sold=is.unknown", [3]),
        ("sold=not.is.true", [2, 3]), ("sold=eq.true", [1]),
        ("pages=isdistinct.184", [2, 3]), ("pages=isdistinct.null", [1, 2]),
        ("pages=eq(any).{170,184}", [1, 2]), ("pages=gt(all).{170,180}", [1]),
        ("tags=cs.{sf}", [1]), ("tags=cs.{\"a b\"}", [1]), ("tags=cd.{sf,\"a b\",x}", [1, 2]),
        ("tags=ov.{x,sf}", [1]), ("tags=eq.{}", [2]), ("tags=not.cs.{sf}", [2]),
        ("data=cs.{\"note\":\"x\"}", [1]), ("data=cs.{\"seen\":{\"by\":[\"Eve\"]}}", [1]),
        ("data=cd.{\"note\":null,\"a\":1}", [2]),
        ("data->>note=eq.x", [1]), ("data->>note=is.null", [2, 3]),
        ("data->seen->by->>0=eq.Ada", [1]), ("data->seen->by->>-1=eq.Eve", [1]),
        ("data->seen->by=cs.[\"Ada\"]", [1]),
        ("added_at=gt.2026-01-02T04:04:05%2B01:00", [2]),
        ("added_at=eq.2026-01-02 03:04:05.500Z", [2]), ("added_at=lt.2026-01-03", [1, 2]),
        ("title=fts.lathe", [1]), ("title=fts.run", [3]), ("title=fts.run %26 dog", [3]),
        ("title=fts.lathe|dog", [1, 3]), ("title=fts.!lathe", [2, 3]), ("title=fts.fic:*", [2]),
        ("title=plfts(english).dogs running", [3]), ("title=phfts.running dogs", [3]),
        ("title=phfts.dogs running", []), ("title=wfts.lathe or -dog", [1, 2]),
        ("title=wfts.\"running dogs\"", [3]), ("title=not.fts.lathe", [2, 3]),
        ("or=(pages.lt.175,title.eq.Running Dogs)", [2, 3]),
        ("and=(pages.gt.1,not.or(sold.is.true,price.gt.100))", [2]),
        ("not.and=(pages.gt.1,sold.is.true)", [2, 3]), ("not.or=(pages.eq.1,pages.eq.2)", [1, 2]),
        ("or=(title.in.(\"The Lathe\",x),title.like(any).{Fic*,y})", [1, 2]),
        ("or=(title.eq.\"The Lathe\",tags.cs.{nope,sf},data->>note.eq.y)", [1]),
        ("pages=gt.1&sold=is.false", [2]), ("pages=gt.1&pages=lt.180", [2]),
        ("order=pages", [2, 1, 3]), ("order=pages.desc", [3, 1, 2]),
        ("order=pages.nullsfirst", [3, 2, 1]), ("order=pages.desc.nullslast", [1, 2, 3]),
        ("order=data->>note.asc,title.desc", [1, 3, 2]), ("order=sold,id", [2, 1, 3]),
        ("order=price&limit=1&offset=1", [2]), ("limit=0", []), ("offset=7", []),
        ("limit=x", [1, 2, 3]), ("offset=x", [1, 2, 3]), ("offset=-1", [1, 2, 3]),
        ("limit=", [1, 2, 3]), ("title=eq.A title that is longer than its column", []),
        ("title=like.The\\_*", []), ("title=like.T\\he*", [1]), ("title=in.(\"\")", []),
        ("added_at=eq.now", [1]), ("added_at=eq.now()", [1]), ("added_at=gte.today", [1, 2]),
        ("added_at=lt.yesterday", []), ("added_at=lt.today 03:04:05.2", [1]),
        ("added_at=lt.infinity", [1, 2]), ("added_at=gt.-infinity", [1, 2]),
        ("sold=eq.t", [1]), ("sold=eq.off", [2]), ("pages=eq. 184 ", [1]),
        ("price=lt.NaN", [1, 2]), ("price=lt.Infinity", [1, 2]),
        ("\"pages\"=eq.184", [1]), ("id=eq.2&apikey=x", [2]),
    ]) func `a query selects the rows that PostgREST selects`(_ query: String, _ expected: [Int64])
        throws
    { #expect(try ids(query.replacing(" ", with: "%20")) == expected) }

    @Test(arguments: [
        ("select=title,n:pages,pages::text", #"{"title":"The Lathe","n":184,"pages":"184"}"#),
        ("select=data->seen->by->0,data->>note", #"{"by":"Ada","note":"x"}"#),
        ("select=d:data->seen->>by", #"{"d":"[\"Ada\",\"Eve\"]"}"#),
        ("select=sold::int,price::int,tags::text", #"{"sold":1,"price":10,"tags":"{sf,\"a b\"}"}"#),
        ("select=added_at::date,tags->>1", #"{"added_at":"2026-01-02","tags":"a b"}"#),
        ("select=", "{}"),
        ("select=%22title%22, pages", #"{"title":"The Lathe","pages":184}"#),
    ]) func `a row has the selected values`(_ query: String, _ expected: String) throws {
        let target = try RequestTarget(parsing: "/books?" + query.replacing(" ", with: "%20"))
        let prepared = PreparedQuery(
            query: try TableQuery(
                TestTables.books, try TableParameters(target.query, now: Self.now),
                TableCatalog(tables: TestTables.all)), embeds: [])
        #expect(try prepared.object(Self.books[0]).description == expected)
    }

    @Test(arguments: [
        ("select=title,", "PGRST100"), ("select=title(", "PGRST100"), ("select=nope", "42703"),
        ("select=title::nope", "42704"), ("select=count()", "PGRST123"),
        ("select=pages.max()", "PGRST123"), ("select=nope(*)", "PGRST200"),
        ("select=authors(*)", "PGRST201"), ("select=shelves(nope)", "42703"),
        ("select=...title", "PGRST100"), ("order=title.up", "PGRST100"), ("order=nope", "42703"),
        ("order=authors(name)", "PGRST108"),
        ("select=shelves(label)&order=shelves(label)", "PGRST118"),
        ("limit=-1", "PGRST103"), ("limit=x&offset=1", "PGRST103"),
        ("limit=0&offset=1", "PGRST103"), ("limit=99999999999999999999", "22003"),
        ("title=like.x\\", "22025"), ("columns=", "PGRST100"),
        ("select=*,shelves(*)&shelves.limit=-1", "2201W"),
        ("select=*,shelves(*)&shelves.offset=-1", "2201X"),
        ("pages=1", "PGRST100"), ("pages=x.1", "PGRST100"), ("pages=eq", "PGRST100"),
        ("pages=is.5", "PGRST100"), ("pages=in.1", "PGRST100"), ("pages=eq.x", "22P02"),
        ("tags=cs.x", "22P02"), ("data=eq.x", "22P02"), ("added_at=gt.x", "22007"),
        ("added_at=gt.2026-13-01", "22008"), ("pages=like.1", "42883"), ("pages=match.1", "42883"),
        ("title=cs.{a}", "42883"), ("data=ov.{a}", "42883"), ("pages=fts.a", "42883"),
        ("pages=sl.(1,2)", "42883"), ("pages=sr.(1,2)", "42883"), ("pages=nxr.(1,2)", "42883"),
        ("pages=nxl.(1,2)", "42883"), ("pages=adj.(1,2)", "42883"), ("title=is.true", "42804"),
        ("title=match.(", "2201B"), ("title=match.(a)%5C1", "2201B"), ("title=fts.%26", "42601"),
        ("or=", "PGRST100"), ("or=(pages.eq.1", "PGRST100"), ("or=(pages.eq.1)x", "PGRST100"),
        ("and=(nope.eq.1)", "42703"), ("posts.title=eq.x", "PGRST108"),
        ("pages=like(any).1", "42883"), ("title=like(any).x", "PGRST100"),
    ]) func `a query that cannot be run has PostgREST's error`(_ query: String, _ code: String)
        throws
    {
        let failure = try #require(throws: RestFailure.self) { try ids(query) }
        #expect(failure.code == code, "\(failure.message)")
        #expect((400..<500).contains(failure.status) || failure.status == 300)
    }

    @Test func `a pattern costs no more than its budget`() throws {
        let schema = TestTables.books
        let long = String(repeating: "a", count: 16_000)
        let rows = Self.rows(
            (0..<200).map { _ in ["title": .string(long)] })
        let pattern = String(repeating: "(a|b)*", count: 12) + "c"
        let query = try TableQuery(
            schema,
            try TableParameters([.init(name: "title", value: "match." + pattern)], now: Self.now),
            TableCatalog(tables: [schema]))
        let prepared = PreparedQuery(query: query, embeds: [])
        let failure = try #require(throws: RestFailure.self) {
            for row in rows { _ = try prepared.matches(row) }
        }
        #expect(failure == .tooMuchWork)
    }
}
