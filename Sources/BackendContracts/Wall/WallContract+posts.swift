import Backend
import Core
import SQLite
import Web

/// The feed, in both dialects over the same posts: pages of `limit` posts, the newest first.
extension WallContract {
    /// GET /posts.
    func posts(_ context: RequestContext) async throws -> Response {
        _ = try await authenticate(context)
        func number(_ name: String, or missing: Int, in range: ClosedRange<Int>) throws -> Int {
            guard let text = context.target.query.value(of: name) else { return missing }
            return try Int(text).flatMap { range.contains($0) ? $0 : nil }.orThrow(
                WallFailure.invalidParameter(name))
        }
        let feed = try await feedPage(
            number: try number("page", or: 1, in: Self.pageNumbers),
            limit: try number("limit", or: Self.defaultLimit, in: Self.limits))
        return .json([
            "success": true,
            "posts": .array(
                feed.posts.map(\.json)), "page": .int(Int64(feed.number)),
            "limit": .int(Int64(feed.limit)),
            "total": .int(Int64(feed.total)), "total_pages": .int(Int64(feed.pageCount)),
        ])
    }

    /// POST /posts.
    func addPost(_ context: RequestContext) async throws -> Response {
        let post = try await add(context)
        return .json([
            "success": true, "message": "Post created",
            "post": post.json,
        ])
    }

    /// GET /api/v1/posts. The real server corrects numbers that are out of range.
    func micronautPosts(_ context: RequestContext) async throws -> Response {
        _ = try await authenticate(context)
        func number(_ name: String, or missing: Int, in range: ClosedRange<Int>) throws -> Int {
            guard let text = context.target.query.value(of: name) else { return missing }
            let number = try Int32(text).orThrow(
                WallFailure.framework(
                    400, "Failed to convert argument [\(name)] for value [\(text.prefix(100))]"))
            return range.contains(Int(number)) ? Int(number) : missing
        }
        let feed = try await feedPage(
            number: try number("page", or: 1, in: Self.pageNumbers),
            limit: try number("limit", or: Self.defaultLimit, in: Self.limits))
        return .plainJSON([
            "data": .array(feed.posts.map(Self.micronautJSON)),
            "pagination": [
                "page": .int(Int64(feed.number)), "limit": .int(Int64(feed.limit)),
                "total": .int(Int64(feed.total)), "totalPages": .int(Int64(feed.pageCount)),
            ],
        ])
    }

    /// POST /api/v1/posts.
    func micronautAddPost(_ context: RequestContext) async throws -> Response {
        .plainJSON(Self.micronautJSON(try await add(context)), status: 201)
    }

    private static func micronautJSON(_ post: WallPost) -> JSON {
        [
            "id": .string(post.id), "content": .string(post.content),
            "createdAt": .string(post.createdAt),
        ]
    }

    private static let defaultLimit = 20
    private static let limits = 1...100
    private static let pageNumbers = 1...1_000_000

    /// The account of the bearer token.
    private func authenticate(_ context: RequestContext) async throws -> Account {
        let claims = try bearerClaims(context)
        return try await findAccount(claims.subject).orThrow(WallFailure.unauthorized)
    }

    private func feedPage(number: Int, limit: Int) async throws -> WallFeedPage {
        try await read { [realm] connection, _ in
            try WallFeedPage(number: number, limit: limit, of: realm, on: connection)
        }
    }

    /// Adds the request's post for its user.
    private func add(_ context: RequestContext) async throws -> WallPost {
        let account = try await authenticate(context)
        let text = try JSONBody(context.request).text("content", limit: WallPost.maxBytes)
        // CRLF is one character, which none of the others trims.
        let content = text?.replacing("\r\n", with: "\n").trimming(" \t\n\r")
        guard let content, !content.isEmpty else {
            throw WallFailure.missingContent
        }
        guard content.unicodeScalars.count <= WallPost.maxLength else {
            throw WallFailure.contentTooLong
        }
        let id = RandomTokens.uuid(services.world)
        return try await write { [realm] connection, now in
            let post = WallPost(id: id, content: content, createdAt: now.iso8601Seconds)
            try post.add(for: account, in: realm, on: connection)
            return post
        }
    }
}

/// A post. Nothing that is sent of it tells who wrote it.
struct WallPost: Sendable {
    var id: String
    var content: String
    /// ISO 8601.
    var createdAt: String

    /// In Unicode scalars.
    static let maxLength = 280
    /// The longest text that is read.
    static let maxBytes = 16_384
    /// Per workspace; beyond it the oldest posts are deleted.
    static let maxCount = 10_000

    /// The values that identify its table in the backend's storage.
    static func table(in realm: Realm) -> [Value] { realm.sqlValues + [.text("posts")] }

    /// As it is stored, and as the specification's dialect sends it.
    var json: JSON {
        ["id": .string(id), "content": .string(content), "created_at": .string(createdAt)]
    }

    /// Stores it as a row that is deleted with the account.
    func add(for account: Account, in realm: Realm, on connection: Connection) throws {
        let table = Self.table(in: realm)
        try connection.run(
            "INSERT INTO table_rows (workspace, contract, name, columns) VALUES (?, ?, ?, ?)",
            table + [.text(json.description)])
        try connection.run(
            "INSERT INTO row_links VALUES (?, 'posts_author_fkey', ?, NULL, 1)",
            [.integer(connection.lastInsertedID), .text(account.id)])
        try connection.run(
            """
            DELETE FROM table_rows WHERE id IN (
                SELECT id FROM table_rows WHERE workspace = ? AND contract = ? AND name = ?
                ORDER BY id DESC LIMIT -1 OFFSET ?)
            """, table + [.integer(Int64(Self.maxCount))])
    }
}

/// A page of the feed, with the number of all posts.
struct WallFeedPage: Sendable {
    let number: Int
    let limit: Int
    let total: Int
    let posts: [WallPost]

    var pageCount: Int { (total + limit - 1) / limit }

    init(number: Int, limit: Int, of realm: Realm, on connection: Connection) throws {
        self.number = number
        self.limit = limit
        let table = WallPost.table(in: realm)
        total = try connection.count(
            "SELECT count(*) FROM table_rows WHERE workspace = ? AND contract = ? AND name = ?",
            table)
        posts = try connection.rows(
            """
            SELECT columns FROM table_rows WHERE workspace = ? AND contract = ? AND name = ?
            ORDER BY id DESC LIMIT ? OFFSET ?
            """, table + [.integer(Int64(limit)), .integer(Int64((number - 1) * limit))]
        ) { row in
            let json = (try? JSON(parsing: row.text(0))) ?? .null
            return WallPost(
                id: json["id"]?.string ?? "", content: json["content"]?.string ?? "",
                createdAt: json["created_at"]?.string ?? "")
        }
    }
}
