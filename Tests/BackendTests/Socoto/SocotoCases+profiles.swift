import Support
import Web

/// The table `profiles`.
extension SocotoCases {
    private static let path = "/rest/v1/profiles"
    private static let singleObject = ("Accept", "application/vnd.pgrst.object+json")
    private static let rows = ("Prefer", "return=representation")

    /// A request by a signed-in user beside another user's row.
    private static func own(
        _ name: String, _ method: Web.Method = .get, _ query: String = "", _ body: String? = nil,
        _ extraHeaders: [(String, String)] = []
    ) -> ContractCase {
        .socoto("profiles/" + name) { client in
            await client.signUp("eve@example.com")
            let token = try await client.createUser().accessToken
            return client.request(method, path + query, body, bearer: token, extraHeaders)
        }
    }

    /// A request with the service key, with two users' rows in the table.
    private static func service(
        _ name: String, _ method: Web.Method = .get, _ query: String = "", _ body: String? = nil,
        _ extraHeaders: [(String, String)] = []
    ) -> ContractCase {
        .socoto("profiles/service-" + name) { client in
            await client.signUp("eve@example.com", data: ["full_name": "Eve", "user_type": "user"])
            client.fixture.frozen.advance(by: 1.5)
            try await client.createUser()
            return client.request(
                method, path + query, body, bearer: client.serviceKey, extraHeaders)
        }
    }

    static let profileReads: [ContractCase] = [
        own("own", .get, "?select=*"),
        own("own-object", .get, "?select=id,name:full_name,role", nil, [singleObject]),
        own("others-object", .get, "?email=eq.eve@example.com", nil, [singleObject]),
        own("none", .get, "?email=eq.eve@example.com"),
        own("counted", .get, "?select=id", nil, [("Prefer", "count=exact")]),
        own("head", .head, "?select=id", nil, [("Prefer", "count=exact")]),
        own("unknown-column", .get, "?nope=eq.1"),
        own("unknown-selected", .get, "?select=nope"),
        own("no-uuid", .get, "?id=eq.abc"),
        own("bad-filter", .get, "?id=is"),
        own("bad-operator", .get, "?full_name=resembles.Ada"),
        own("other-schema", .get, "", nil, [("Accept-Profile", "auth")]),
        .socoto("profiles/anon") { client in
            try await client.createUser()
            return client.request(.get, path)
        },
        .socoto("profiles/anon-key-as-bearer") { client in
            try await client.createUser()
            return client.request(.get, path, bearer: client.anonKey)
        },
        .socoto("profiles/expired") { client in
            let token = try await client.createUser().accessToken
            client.fixture.frozen.advance(by: 3_600)
            return client.request(.get, path, bearer: token)
        }, .socoto("profiles/no-token") { $0.request(.get, path, bearer: "a.b") },
        .socoto("profiles/not-ours") { $0.request(.get, path, bearer: $0.anonKey + "x") },
        .socoto("profiles/unknown-table") { $0.request(.get, "/rest/v1/nope") },
        .socoto("profiles/put-without-key") { $0.request(.put, path, "{}") },
        .socoto("profiles/other-method") { $0.request(.post, "/rest/v1", "{}") },
        .socoto("profiles/no-key") { _ in Request(method: .get, target: "/main/socoto" + path) },
        service("all", .get, "?select=email,role&order=full_name.desc"),
        service(
            "page", .get, "?select=email&order=email&limit=1", nil, [("Prefer", "count=exact")]),
        service("range", .get, "?select=email&order=created_at.desc", nil, [("Range", "1-1")]),
        service("beyond", .get, "?offset=5", nil, [("Prefer", "count=exact")]),
    ]

    static let profileWrites: [ContractCase] = [
        own(
            "update", .patch, "?full_name=like.Ada*",
            #"{"bio":"Countess","preferences":{"theme":"dark"}}"#),
        own(
            "update-told", .patch, "?select=full_name,bio,preferences",
            #"{"bio":"Countess","preferences":{"theme":"dark"}}"#, [rows]),
        own("update-no-row", .patch, "?email=eq.eve@example.com", #"{"bio":"mine now"}"#, [rows]),
        own(
            "update-no-row-object", .patch, "?email=eq.eve@example.com", #"{"bio":"mine now"}"#,
            [rows, singleObject]),
        own("update-id", .patch, "", #"{"id":"00000000-0000-4000-8000-000000000000"}"#),
        own("update-null", .patch, "", #"{"full_name":null}"#),
        own("update-unknown-column", .patch, "", #"{"nope":1}"#),
        own("update-time", .patch, "", #"{"updated_at":"later"}"#),
        own("update-malformed", .patch, "", "{"), own("insert", .post, "", #"{"full_name":"Ada"}"#),
        own("delete", .delete, "?full_name=neq.x", "{}"),
        .socoto("profiles/anon-insert") { $0.request(.post, path, #"{"full_name":"Ada"}"#) },
        service("delete", .delete, "?role=eq.user", nil, [rows, ("Prefer", "count=exact")]),
        service(
            "insert-unknown-user", .post, "",
            """
            {"id":"00000000-0000-4000-8000-000000000000",\
            "email":"x@example.com","full_name":"X"}
            """), service("insert-null", .post, "", #"{"full_name":"X"}"#),
        .socoto("profiles/service-insert-taken") { client in
            let id = try await client.createUser().json["user"]?["id"]?.string
            return client.request(.post, path, row(id), bearer: client.serviceKey)
        },
        .socoto("profiles/service-upsert") { client in
            let id = try await client.createUser().json["user"]?["id"]?.string
            return client.request(
                .post, path, row(id), bearer: client.serviceKey,
                [("Prefer", "resolution=merge-duplicates,return=representation")])
        },
        .socoto("profiles/service-insert") { client in
            let id = try await client.createUser().json["user"]?["id"]?.string
            await client.send(.delete, path, bearer: client.serviceKey)
            return client.request(
                .post, path, row(id), bearer: client.serviceKey, [("Prefer", "return=headers-only")]
            )
        },
    ]

    private static func row(_ id: String?) -> String {
        """
        {"id":"\(id ?? "")","email":"ada@example.com",\
        "full_name":"Countess"}
        """
    }
}
