import SQLite
import TableSchemas
import Testing
import Web

@testable import Backend
@testable import BackendContracts

/// What the stored rows of tables depend on.
@Suite(.timeLimit(.minutes(10))) struct TableStorageTests {
    private func rows(_ client: SocotoClient, _ table: String) async -> String {
        await client.send(.get, "/rest/v1/" + table, bearer: client.serviceKey).text
    }

    @Test func `deleting an account deletes its rows and theirs`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.fillTables()
        let id = await client.user(token).json["id"]?.string ?? ""
        #expect(await rows(client, "shelf_books") != "[]")
        try await client.fixture.backend.delete(account: id, workspace: "main")
        #expect(await rows(client, "profiles") == "[]")
        #expect(await rows(client, "books") == "[]")
        #expect(await rows(client, "shelf_books") == "[]")
        #expect(await rows(client, "authors?select=id") == #"[{"id":1},{"id":2}]"#)
    }

    @Test func `deleting a row does what its foreign keys say`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.fillTables()
        await client.send(.patch, "/rest/v1/books?id=eq.1", ["editor": 2], bearer: token)
        await client.send(.delete, "/rest/v1/authors?id=eq.2", bearer: client.serviceKey)
        #expect(await rows(client, "books?select=id,editor") == #"[{"id":1,"editor":null}]"#)
        let referenced = await client.send(
            .delete, "/rest/v1/shelves?id=eq.1", bearer: client.serviceKey)
        #expect(referenced.status == 409)
        await client.send(.delete, "/rest/v1/books?id=eq.1", bearer: token)
        #expect(await rows(client, "shelf_books") == "[]")
    }

    @Test func `rows that refer to each other are deleted together`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = try await client.fillTables()
        let key = client.serviceKey
        await client.send(.post, "/rest/v1/shelves", ["id": 8], bearer: key)
        await client.send(.post, "/rest/v1/shelves", ["id": 9, "parent": 8], bearer: key)
        await client.send(.patch, "/rest/v1/shelves?id=eq.8", ["parent": 9], bearer: key)
        let deleted = await client.send(.delete, "/rest/v1/shelves?id=eq.8", bearer: key)
        #expect(deleted.status == 204)
        #expect(await rows(client, "shelves?id=gte.8") == "[]")
    }

    @Test func `a snapshot has the rows, and a reset deletes them`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = try await client.fillTables()
        let backend = client.fixture.backend
        let before = await rows(client, "books")
        let shelves = await rows(client, "shelf_books")
        try await backend.save(snapshot: "s", contracts: ["socoto"], workspace: "main")
        await client.send(.delete, "/rest/v1/authors", bearer: client.serviceKey)
        #expect(await rows(client, "books") == "[]")
        #expect(try await backend.restore(snapshot: "s"))
        #expect(await rows(client, "books") == before)
        #expect(await rows(client, "shelf_books") == shelves)
        let next = await client.send(
            .post, "/rest/v1/authors?select=id", ["name": "Ovid"], bearer: client.serviceKey,
            [("Prefer", "return=representation")])
        #expect(next.text == #"[{"id":3}]"#)
        try await backend.reset(workspace: "main")
        #expect(await rows(client, "books") == "[]")
        let first = await client.send(
            .post, "/rest/v1/authors?select=id", ["name": "Ovid"], bearer: client.serviceKey,
            [("Prefer", "return=representation")])
        #expect(first.text == #"[{"id":1}]"#)
    }

    @Test func `workspaces have their own rows`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = try await client.fillTables()
        try await client.fixture.backend.create(workspace: "other")
        let other = SocotoClient(fixture: client.fixture, workspace: "other")
        #expect(await rows(other, "authors") == "[]")
        try await client.fixture.backend.delete(workspace: "other")
    }

    @Test func `of concurrent inserts of one key one succeeds`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = try await client.fillTables()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await client.send(
                        .post, "/rest/v1/authors", ["name": "Ovid"], bearer: client.serviceKey
                    ).status
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + [Int](repeating: 409, count: 19))
    }

    @Test func `a write that fails changes nothing`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = try await client.fillTables()
        let reply = await client.send(
            .post, "/rest/v1/authors", [["name": "Ovid"], ["name": "Ursula"]],
            bearer: client.serviceKey)
        #expect(reply.status == 409)
        #expect(await rows(client, "authors?name=eq.Ovid") == "[]")
    }

    @Test func `a full table accepts no row`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = try await client.fillTables()
        let shelves = (2...RowStorage.maxRowCount).map {
            JSON.object([.init("id", .int(Int64($0)))])
        }
        let filled = await client.send(
            .post, "/rest/v1/shelves", .array(shelves), bearer: client.serviceKey)
        #expect(filled.status == 201)
        let reply = await client.send(
            .post, "/rest/v1/shelves", ["id": 0], bearer: client.serviceKey)
        #expect(reply.status == 400)
        #expect(reply.json["code"]?.string == "54000")
    }

    @Test func `constraints have the names that PostgreSQL chooses`() {
        let long = String(repeating: "l", count: 40)
        let tables = TableSchema.withDistinctNames([
            TableSchema(
                name: "a",
                columns: [
                    .init("b_c", ColumnType(.text), check: .init(minLength: 1)),
                    .init("b", ColumnType(.text)),
                    .init("c", ColumnType(.text), reference: .init(.users)),
                ], primaryKey: ["b"], uniqueKeys: [["b_c"], ["b", "c"]]),
            TableSchema(
                name: "a_b",
                columns: [
                    .init("c", ColumnType(.text), check: .init(minLength: 1)),
                    .init("d", ColumnType(.text)),
                ], primaryKey: ["d"], uniqueKeys: [["c"]]),
            TableSchema(
                name: long,
                columns: [
                    .init(long, ColumnType(.text), check: .init(minLength: 1)),
                    .init(long + "m", ColumnType(.text), check: .init(minLength: 1)),
                ]), TableSchema(name: "a_b_pkey", columns: []),
        ])
        #expect(tables[0].keys.map(\.name) == ["a_pkey", "a_b_c_key", "a_b_c_key1"])
        #expect(tables[0].checkName("b_c") == "a_b_c_check")
        #expect(tables[0].foreignKeyName("c") == "a_c_fkey")
        #expect(tables[1].keys.map(\.name) == ["a_b_pkey1", "a_b_c_key2"])
        #expect(tables[1].checkName("c") == "a_b_c_check1")
        let part = String(repeating: "l", count: 28)
        #expect(tables[2].checkName(long) == "\(part)_\(part)_check")
        #expect(tables[2].checkName(long + "m") == "\(part)_\(part.dropLast())_check1")
    }

    @Test func `keys of two tables with one name do not collide`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        client.fixture.declaredTables.use { _ in
            [("a", ["b", "c"]), ("a_b", ["c"])].map { name, key in
                TableSchema(
                    name: name, columns: key.map { .init($0, ColumnType(.text)) },
                    uniqueKeys: [key])
            }
        }
        for (table, row) in [("a", ["b": "1", "c": "2"]), ("a_b", ["c": "1"])] as [(String, JSON)] {
            for status in [201, 409] {
                let reply = await client.send(
                    .post, "/rest/v1/" + table, row, bearer: client.serviceKey)
                #expect(reply.status == status)
            }
        }
    }

    @Test func `a rule on a claim reads the access token`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        client.fixture.declaredTables.use { _ in
            [
                TableSchema(
                    name: "notes", columns: [.init("text", ColumnType(.text))],
                    rules: [
                        .select: [
                            RowRule([.authenticated], claims: ["user_metadata.role": "owner"])
                        ]
                    ])
            ]
        }
        await client.send(.post, "/rest/v1/notes", ["text": "x"], bearer: client.serviceKey)
        await client.signUp("eve@example.com", data: ["role": "owner"])
        let mail = try await client.mail("verify", to: "eve@example.com")
        let owner = await client.verify("signup", code: mail.code, "eve@example.com").accessToken
        let other = try await client.createUser().accessToken
        #expect(await client.send(.get, "/rest/v1/notes", bearer: owner).json[0] != nil)
        #expect(await client.send(.get, "/rest/v1/notes", bearer: other).text == "[]")
    }

    @Test func `profiles of an older version are kept, also in snapshots`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/backend.sqlite"
        let migrations = EmbeddedBackend.migrations
        let count = try #require(migrations.firstIndex { $0.name == "table-rows-1" })
        let old = try Database(
            path: path, durability: .normal, migrations: Array(migrations[..<count]))
        let id = "0b9c0c6e-3c2a-4b4e-9d8e-111111111111"
        try await old.write { connection in
            try connection.run(
                """
                INSERT INTO accounts (id, workspace, contract, email, profile, created_at)
                VALUES (?, 'main', 'socoto', 'ada@example.com', ?, 0)
                """,
                [
                    .text(id),
                    .text(
                        #"{"identity":"x","metadata":{},"row":{"id":"\#(id)","email":"ada@example.com"#
                            + #"","full_name":"Ada","role":"user"}}"#),
                ])
            try connection.run("INSERT INTO snapshots VALUES ('s', 'main')")
            try connection.run("INSERT INTO snapshot_contracts VALUES ('s', 'socoto')")
            try connection.run(
                """
                INSERT INTO kept_accounts (snapshot, id, workspace, contract, email, profile,
                    created_at) SELECT 's', id, workspace, contract, email, profile, 0 FROM accounts
                """)
        }
        await old.close()
        let client = SocotoClient(fixture: try await BackendFixture(path: path))
        let path1 = "profiles?select=full_name&id=eq.\(id)"
        #expect(await rows(client, path1) == #"[{"full_name":"Ada"}]"#)
        await client.send(.delete, "/rest/v1/profiles", bearer: client.serviceKey)
        #expect(try await client.fixture.backend.restore(snapshot: "s"))
        #expect(await rows(client, path1) == #"[{"full_name":"Ada"}]"#)
        try await client.fixture.backend.delete(account: id, workspace: "main")
        #expect(await rows(client, path1) == "[]")
    }
}
