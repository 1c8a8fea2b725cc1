import Backend
import Support
import Web

/// Tables that an app declares.
extension SocotoCases {
    private static let representation = ("Prefer", "return=representation")

    /// A request by a signed-in user with two books, beside two authors.
    static func table(
        _ name: String, _ method: Web.Method, _ path: String, _ body: String? = nil,
        asService: Bool = false, _ extraHeaders: [(String, String)] = []
    ) -> ContractCase {
        .socoto("tables/" + name) { client in
            let token = try await client.fillTables()
            return client.request(
                method, "/rest/v1/" + path, body, bearer: asService ? client.serviceKey : token,
                extraHeaders)
        }
    }

    static let tables: [ContractCase] = tableReads + tableWrites + tableFailures

    private static let tableReads: [ContractCase] = [
        table("embed", .get, "books?select=title,author(name)&order=title"),
        table("embed-many", .get, "authors?select=name,books!author(title)&books.pages=lt.180"),
        table("csv", .get, "books?select=title,tags,data&order=id", [("Accept", "text/csv")]),
        table(
            "stripped", .get, "books?select=title,editor,data&order=id",
            [("Accept", "application/vnd.pgrst.array+json;nulls=stripped")]),
        table("logic", .get, "books?select=title&or=(pages.lt.175,and(price.lt.10,sold.is.false))"),
        table("options", .options, "books"), table("options-unknown", .options, "nope"),
        table("openapi", .get, ""),
        .socoto("tables/anon") { client in
            _ = try await client.fillTables()
            return client.request(.get, "/rest/v1/books?select=title")
        },
    ]

    private static let tableWrites: [ContractCase] = [
        table(
            "insert-many", .post, "books?select=id,title,owner",
            #"[{"title":"A","pages":1},{"title":"B","pages":2}]"#, [representation]),
        table(
            "insert-columns", .post, "books?columns=title,state&select=title,state",
            #"[{"title":"A","pages":1},{"title":"B","state":"used"}]"#,
            [("Prefer", "return=representation,missing=default")]),
        table(
            "upsert", .post, "authors?on_conflict=name",
            #"{"name":"Ursula","born":"1929-10-21"}"#, asService: true,
            [("Prefer", "resolution=merge-duplicates,return=representation")]),
        table(
            "upsert-ignored", .post, "authors?on_conflict=name",
            #"{"name":"Ursula","born":"1929-10-21"}"#, asService: true,
            [("Prefer", "resolution=ignore-duplicates,return=representation")]),
        table(
            "rollback", .post, "authors", #"{"name":"Italo"}"#, asService: true,
            [("Prefer", "tx=rollback,return=representation")]),
        table(
            "insert-location", .post, "authors", #"{"name":"Italo"}"#, asService: true,
            [("Prefer", "return=headers-only")]),
        table("put", .put, "authors?id=eq.1", #"{"id":1,"name":"Le Guin"}"#, asService: true),
        table("put-new", .put, "authors?id=eq.9", #"{"id":9,"name":"Ovid"}"#, asService: true),
        table(
            "update-counted", .patch, "authors?id=gte.1", #"{"born":null}"#, asService: true,
            [("Prefer", "count=exact")]),
        table("rpc-delete-user", .post, "rpc/delete_user", "{}"),
        table(
            "delete", .delete, "authors?id=eq.2&select=name,books!author(title)", "{}",
            asService: true, [("Prefer", "return=representation,count=exact")]),
    ]

    private static let tableFailures: [ContractCase] = [
        table("check", .post, "books", #"{"title":"A","pages":9000}"#),
        table("check-service", .post, "authors", #"{"name":"U"}"#, asService: true),
        table("unique", .post, "authors", #"{"name":"Ursula"}"#, asService: true),
        table("reference", .post, "books", #"{"title":"A","author":99}"#),
        table("reference-service", .post, "books", #"{"title":"A","author":99}"#, asService: true),
        table("other-owner", .patch, "books", #"{"owner":null}"#),
        table("no-rule", .post, "authors", #"{"name":"Italo"}"#),
        table("too-long", .post, "books", #"{"title":"A title that is too long"}"#),
        table("no-number", .get, "books?pages=eq.many"),
        table("out-of-range", .get, "books?pages=eq.3000000000"),
        table("no-date", .post, "authors", #"{"name":"Ovid","born":"43 BC"}"#, asService: true),
        table("unknown-column", .post, "books?columns=title,nope", #"[{"title":"A"}]"#),
        table("differing-keys", .post, "books", #"[{"title":"A"},{"pages":1}]"#),
        table("no-operator", .get, "books?pages=like.1*"),
        table("range-operator", .get, "books?pages=adj.(1,2)"),
        table("aggregate", .get, "books?select=pages.sum()"),
        table("no-relationship", .get, "books?select=title,nope(x)"),
        table("ambiguous", .get, "books?select=title,authors(name)"),
        table("not-embedded", .get, "books?authors.name=eq.Ursula"),
        table("bad-select", .get, "books?select=title,("),
        table("bad-tree", .get, "books?or=(title.eq.x"),
        table("bad-order", .get, "books?order=title.up"),
        table("negative-limit", .get, "books?limit=-1"),
        table("plan", .get, "books", nil, [("Accept", "application/vnd.pgrst.plan+json")]),
        table(
            "conflict-target", .post, "authors?on_conflict=born", #"{"name":"Ovid"}"#,
            asService: true, [("Prefer", "resolution=merge-duplicates")]),
        table(
            "conflict-twice", .post, "authors?on_conflict=name",
            #"[{"name":"Ovid"},{"name":"Ovid"}]"#, asService: true,
            [("Prefer", "resolution=merge-duplicates")]),
        table(
            "max-affected", .patch, "authors?id=gt.0", #"{"born":null}"#, asService: true,
            [("Prefer", "handling=strict,max-affected=1")]),
        table("strict", .get, "books", nil, [("Prefer", "handling=strict,sorted=yes")]),
        table("put-mismatch", .put, "authors?id=eq.1", #"{"id":2,"name":"X Y"}"#, asService: true),
        table("referenced", .delete, "shelves?id=eq.1", nil, asService: true),
        table("rpc", .post, "rpc/hello", #"{"name":"Ada"}"#),
        table("rpc-get", .get, "rpc/hello"),
        table("rpc-delete-user-get", .get, "rpc/delete_user"),
    ]

    /// Without a body.
    private static func table(
        _ name: String, _ method: Web.Method, _ path: String, _ extraHeaders: [(String, String)]
    ) -> ContractCase { table(name, method, path, nil, extraHeaders) }

    private static func table(
        _ name: String, _ method: Web.Method, _ path: String, _ body: String?,
        _ extraHeaders: [(String, String)]
    ) -> ContractCase { table(name, method, path, body, asService: false, extraHeaders) }
}

extension SocotoClient {
    /// Declares the test tables and adds two authors, two books of a new user, and a shelf; returns
    /// the user's access token.
    func fillTables() async throws -> String {
        fixture.declaredTables.use { _ in TestTables.all }
        let token = try await createUser().accessToken
        await send(
            .post, "/rest/v1/authors", [["name": "Ursula"], ["name": "Jorge"]], bearer: serviceKey)
        await send(
            .post, "/rest/v1/books",
            [
                [
                    "title": "The Lathe", "author": 1, "pages": 184, "price": 9.5,
                    "tags": ["sf", "dreams"],
                    "data": ["seen": ["by": ["Ada", "Eve"]], "note": "x"],
                ],
                [
                    "title": "Ficciones", "author": 2, "pages": 170, "price": 12, "tags": [],
                    "data": ["note": nil],
                ],
            ], bearer: token)
        await send(.post, "/rest/v1/shelves", ["id": 1, "label": "top"], bearer: serviceKey)
        await send(.post, "/rest/v1/shelf_books", ["shelf": 1, "book": 1], bearer: serviceKey)
        return token
    }
}
