import Support
import Web

/// Pages, singular results, bodies and headers where PostgREST's rules are unusual.
extension SocotoCases {
    private static let singleObject = ("Accept", "application/vnd.pgrst.object+json")
    private static let representation = ("Prefer", "return=representation")
    private static let exact = ("Prefer", "count=exact")
    private static let profile = [("Accept-Profile", "public"), ("Content-Profile", "public")]

    private static func service(
        _ name: String, _ method: Web.Method, _ path: String, _ body: String? = nil,
        _ extraHeaders: [(String, String)] = []
    ) -> ContractCase { table(name, method, path, body, asService: true, extraHeaders) }

    static let tableEdges: [ContractCase] =
        pages + singularWrites + bodies + tokens + [
            service(
                "negotiated", .get, "authors?select=name&name=eq.Jorge&id=gt.0&id=lt.9", nil,
                profile),
            service("negotiated-insert", .post, "authors", #"{"name":"Italo"}"#, profile),
            service(
                "negotiated-put", .put, "authors?id=eq.1", #"{"id":1,"name":"Italo"}"#,
                profile + [representation]),
            service(
                "insert-planned", .post, "authors", #"{"name":"Italo"}"#,
                [("Prefer", "count=planned")]),
            service(
                "insert-counted", .post, "authors", #"{"name":"Italo"}"#,
                [("Prefer", "missing=null, count=estimated, tx=commit, handling=lenient")]),
            service(
                "put-range", .put, "authors?id=eq.1", #"{"id":1,"name":"Italo"}"#,
                [("Range", "0-1")]),
            service("put-limit", .put, "authors?id=eq.1&limit=1", #"{"id":1,"name":"Italo"}"#),
            service(
                "unacceptable", .get, "authors", nil,
                [("Accept", "text/html;q=0.5, application/xml")]),
            service("similar-table", .get, "book"),
            service("similar-column", .get, "authors?nane=eq.x"),
            service("similar-relationship", .get, "books?select=author_s(name)"),
            service("rpc-put", .put, "rpc/hello", "{}"),
            service("array-literal", .get, "books?tags=eq.sf"),
        ]

    private static let pages: [ContractCase] = [
        service("page", .get, "authors?order=id&limit=1&offset=1", nil, [exact]),
        service("page-beyond", .get, "authors?order=id&offset=9", nil, [exact] + profile),
        service("page-beyond-head", .head, "authors?offset=9", nil, [exact]),
        service("page-beyond-uncounted", .get, "authors?offset=9"),
        service("page-reversed", .get, "authors", nil, [("Range", "5-2")]),
        service("page-apart", .get, "authors?limit=5", nil, [("Range", "10-20")]),
        service(
            "page-range", .get, "authors?order=id&select=id", nil,
            [("Range-Unit", "items"), ("Range", "1-"), exact]),
        service("page-range-head", .head, "authors", nil, [("Range", "1-"), exact]),
        service("page-no-number", .get, "authors?order=id&limit=x&select=id"),
    ]

    private static let singularWrites: [ContractCase] = [
        service("singular-insert", .post, "authors", #"{"name":"Italo"}"#, [singleObject]),
        service(
            "singular-insert-many", .post, "authors", #"[{"name":"Italo"},{"name":"Ovid"}]"#,
            [singleObject, ("Prefer", "return=minimal")]),
        service("singular-update", .patch, "authors?id=gt.0", #"{"born":null}"#, [singleObject]),
        service("singular-delete", .delete, "authors?id=gt.9", nil, [singleObject]),
    ]

    private static let bodies: [ContractCase] = [
        service("body-scalar", .post, "authors", "1", [representation]),
        service("body-null-update", .patch, "authors?id=eq.1", "null"),
        service("body-no-objects", .post, "authors", "[1]"),
        service("body-empty-array", .post, "authors", "[]"),
        service(
            "body-empty-upsert", .post, "authors", "[]", [("Prefer", "resolution=merge-duplicates")]
        ),
        service("body-put-array", .put, "authors?id=eq.1", "[]"),
        service("body-none", .post, "authors"),
        service("body-columns-scalar", .post, "authors?columns=name", "1"),
        service("body-columns-no-objects", .post, "authors?columns=name", "[1]"),
        service("body-columns-malformed", .post, "authors?columns=name", #"{"name":}"#),
        service("body-no-columns", .post, "authors?columns=", #"{"name":"Italo"}"#),
        table("body-array", .post, "books", #"{"title":"A","tags":1}"#),
        table(
            "body-time", .post, "books?select=added_at", #"{"title":"A","added_at":"today"}"#,
            [representation]),
    ]

    private static let tokens: [ContractCase] =
        [
            .socoto("tables/token-empty") { client in
                _ = try await client.fillTables()
                return client.request(
                    .get, "/rest/v1/books", bearer: nil, [("Authorization", "Bearer ")])
            },
            .socoto("tables/token-random") {
                $0.request(.get, "/rest/v1/profiles", bearer: "random.random.random")
            },
        ]
}
