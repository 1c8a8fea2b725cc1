import Apps
import Core
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Anonymous Wall's feed: loading, paging, writing, and the end of a token while reading. Both
/// dialects.
@Suite(.timeLimit(.minutes(10))) struct WallFeedTests {
    /// What a dialect sends.
    enum Dialect: String, CaseIterable {
        case document = "example"
        case java = "campus"

        var login: StubTransport.Reply {
            let user = #""user":{"id":"u1","email":"sam@campus.edu"}"#
            return .json(200, "{\(user),\(tokens(1))}")
        }

        /// Members with a pair of tokens.
        private func tokens(_ number: Int) -> String {
            let (access, refresh) = (Wire.token(number), "refresh-\(number)")
            return self == .document
                ? #""success":true,"token":"\#(access)","refresh_token":"\#(refresh)""#
                : #""accessToken":"\#(access)","refreshToken":"\#(refresh)""#
        }

        func refreshed(_ number: Int) -> StubTransport.Reply { .json(200, "{\(tokens(number))}") }

        func page(_ number: Int64, of last: Int64, _ ids: [String]) -> StubTransport.Reply {
            let posts = JSON.array(ids.map { ["id": .string($0), "content": "Hello"] })
            let (number, last) = (JSON.int(number), JSON.int(last))
            let body: JSON =
                self == .document
                ? ["success": true, "posts": posts, "page": number, "total_pages": last]
                : ["data": posts, "pagination": ["page": number, "totalPages": last]]
            return .json(200, body.description)
        }
    }

    /// Signed in; the wall is not open yet.
    private func phone(_ dialect: Dialect = .document) async throws -> Phone {
        let phone = try await SimulatorFixture().phone("wall")
        phone.simulator.skipRetryDelays("main")
        _ = try await phone.launch(with: dialect.rawValue)
        let call = dialect == .document ? "POST /auth/login" : "POST /auth/login/email"
        phone.stub.script(call, dialect.login)
        let form = ["email": "sam@campus.edu", "code": "012345"]
        #expect(try await phone.act("login", "submit", form).screen == "wall")
        return phone
    }

    /// The ids of the posts shown on the wall.
    private func ids(_ status: AppStatus?) -> [String]? {
        guard case .array(let posts)? = status?.availableValues["posts"] else { return nil }
        return posts.compactMap { $0["id"]?.string }
    }

    private func queries(_ phone: Phone) -> [String] {
        phone.stub.sent("GET /posts").map { String($0.url.split(separator: "?").last ?? "") }
    }

    // MARK: Paging

    @Test(arguments: Dialect.allCases)
    func `WALL-36 the next page is added below, once, until the last`(dialect: Dialect) async throws
    {
        let phone = try await phone(dialect)
        phone.stub.script(
            "GET /posts", dialect.page(1, of: 3, ["e", "d"]), dialect.page(2, of: 3, ["d", "c"]),
            dialect.page(3, of: 3, ["b", "a"]))
        #expect(try await ids(phone.open("wall").shown) == ["e", "d"])
        // A post written meanwhile has moved d to the second page.
        #expect(try await phone.act("wall", "more").succeeded)
        #expect(try await ids(phone.open("wall").shown) == ["e", "d", "c"])
        #expect(try await phone.act("wall", "more").succeeded)
        #expect(try await ids(phone.open("wall").shown) == ["e", "d", "c", "b", "a"])
        // After the last page the button is gone; pressed in another window, it does nothing.
        #expect(try await !phone.act("wall", "more").succeeded)
        #expect(
            queries(phone) == ["page=1&limit=10", "page=2&limit=10", "page=3&limit=10"])
        phone.stub.script("GET /posts", dialect.page(1, of: 1, ["f"]))
        _ = try await phone.simulator.refreshScreen(phone.instance, screen: "wall")
        #expect(try await ids(phone.now) == ["f"])
    }

    @Test func `WALL-36 a next page that fails keeps the posts and can be asked for again`()
        async throws
    {
        let phone = try await phone()
        phone.stub.script(
            "GET /posts", Dialect.document.page(1, of: 2, ["b"]), .failure(.nameLookup),
            Dialect.document.page(2, of: 2, ["a"]))
        _ = try await phone.open("wall")
        #expect(try await !phone.act("wall", "more").succeeded)
        let failed = try await phone.now
        #expect(
            failed.failure?.message
                == "Network error: The Internet connection appears to be offline.")
        #expect(ids(failed) == ["b"])
        #expect(try await phone.act("wall", "more").succeeded)
        #expect(try await ids(phone.now) == ["b", "a"])
        #expect(try await phone.now.failure == nil)
    }

    // MARK: Failures

    @Test(arguments: [
        (
            StubTransport.Reply.failure(.nameLookup), 1,
            "Network error: The Internet connection appears to be offline."
        ), (.failure(.timeout), 4, "Network error: The request timed out."),
        (.json(503, "busy"), 4, "Invalid response from server"),
        (.json(403, #"{"success":false,"message":"Not you"}"#), 1, "Not you"),
    ])
    func `WALL-32, WALL-35 a feed that cannot be loaded says why until it can`(
        reply: StubTransport.Reply, attempts: Int, message: String
    ) async throws {
        let phone = try await phone()
        phone.stub.always("GET /posts", reply)
        let failed = try #require(try await phone.open("wall").shown)
        #expect(failed.failure?.message == message)
        #expect(ids(failed) == nil)
        #expect(phone.stub.sent("GET /posts").count == attempts)
        // Shown again without another request.
        #expect(try await phone.open("wall").shown?.failure?.message == message)
        #expect(phone.stub.sent("GET /posts").count == attempts)

        phone.stub.always("GET /posts", Dialect.document.page(1, of: 1, []))
        _ = try await phone.simulator.refreshScreen(phone.instance, screen: "wall")
        #expect(try await phone.now.failure == nil)
        #expect(try await ids(phone.now) == [])
    }

    @Test func `WALL-32 a request is repeated three times, unless it must not be`() async throws {
        let phone = try await phone()
        phone.stub.script("POST /auth/request-code", .json(503, "busy"), .failure(.timeout))
        phone.stub.script("POST /auth/request-code", .json(200, #"{"success":true}"#))
        _ = try await phone.act("wall", "logout")
        _ = try await phone.open("login")
        #expect(try await phone.act("login", "getCode", ["email": "a@b.edu"]).succeeded)
        #expect(phone.stub.sent("POST /auth/request-code").count == 3)

        phone.stub.always("POST /auth/login", .failure(.timeout))
        _ = try await phone.act("login", "submit", ["email": "a@b.edu", "code": "1"])
        #expect(
            try await phone.now.failure?.message == "Network error: The request timed out.")
        #expect(phone.stub.sent("POST /auth/login").count == 2)
    }

    // MARK: The session's end

    @Test(arguments: Dialect.allCases)
    func `WALL-33 a token that expires while reading is refreshed silently`(dialect: Dialect)
        async throws
    {
        let phone = try await phone(dialect)
        phone.stub.script(
            "GET /posts", dialect.page(1, of: 2, ["b"]), .json(401, "{}"),
            dialect.page(2, of: 2, ["a"]))
        phone.stub.script("POST /auth/refresh", dialect.refreshed(2))
        _ = try await phone.open("wall")
        #expect(try await phone.act("wall", "more").succeeded)
        #expect(try await ids(phone.now) == ["b", "a"])
        let stored = try await phone.stored
        #expect(stored["com.anonymouswall.authToken"] == Wire.token(2))
        #expect(stored["com.anonymouswall.ios.refreshToken"] == "refresh-2")
        let member = dialect == .document ? "refresh_token" : "refreshToken"
        #expect(
            phone.stub.sent("POST /auth/refresh").map(\.text) == [
                #"{"\#(member)":"refresh-1"}"#
            ])
    }

    @Test(arguments: [
        (400, #"{"success":false,"message":"Bad"}"#), (401, "{}"), (403, "{}"), (404, ""),
        (200, #"{"success":false,"message":"Gone"}"#),
    ])
    func `WALL-34 a refused refresh leads to the landing screen with a message`(
        status: Int, body: String
    ) async throws {
        let phone = try await phone()
        phone.stub.script("GET /posts", .json(401, "{}"))
        phone.stub.script("POST /auth/refresh", .json(status, body))
        #expect(try await phone.open("wall").redirected == "landing")
        #expect(
            try await phone.now.failure?.message
                == "Your session has expired. Please log in again.")
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `WALL-34 a refresh that fails keeps the session`() async throws {
        let phone = try await phone()
        phone.stub.script("GET /posts", .json(401, "{}"))
        phone.stub.always("POST /auth/refresh", .json(503, "busy"))
        #expect(
            try await phone.open("wall").shown?.failure?.message == "Invalid response from server")
        #expect(phone.stub.sent("POST /auth/refresh").count == 4)
        #expect(try await phone.stored["com.anonymouswall.ios.refreshToken"] == "refresh-1")
    }

    @Test func `WALL-34 without a refresh token, as the document's login, a 401 ends the session`()
        async throws
    {
        let phone = try await phone()
        try await phone.simulator.deleteItem(
            phone.instance, key: "com.anonymouswall.ios.refreshToken")
        phone.stub.script("GET /posts", .json(401, "{}"))
        #expect(try await phone.open("wall").redirected == "landing")
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
    }

    // MARK: Writing

    @Test(arguments: Dialect.allCases)
    func `WALL-38 a post leads back to the wall, which loads again`(dialect: Dialect) async throws {
        let phone = try await phone(dialect)
        phone.stub.script("GET /posts", dialect.page(1, of: 1, []), dialect.page(1, of: 1, ["a"]))
        phone.stub.script(
            "POST /posts", .json(dialect == .document ? 200 : 201, #"{"success":true}"#))
        _ = try await phone.open("wall")
        _ = try await phone.open("write")
        let result = try await phone.act("write", "submit", ["content": " One\r\ntwo \r\n"])
        #expect(result == ActionResult(screen: "wall", succeeded: true))
        #expect(try await ids(phone.open("wall").shown) == ["a"])
        #expect(phone.stub.sent("POST /posts").map(\.text) == [#"{"content":"One\ntwo"}"#])
    }

    @Test func `WALL-39 a post must have text, and at most 280 characters`() async throws {
        let phone = try await phone()
        for (text, message) in [
            (" \r\n ", "Please write something"),
            (String(repeating: "ü", count: 281), "A post has at most 280 characters"),
        ] {
            #expect(try await !phone.act("write", "submit", ["content": text]).succeeded)
            #expect(try await phone.now.fieldErrors == ["content": message])
        }
        #expect(phone.stub.sent("POST /posts").isEmpty)
        // A line break is one character.
        let longest = String(repeating: "ü\r\n", count: 139) + "üü"
        phone.stub.script("GET /posts", Dialect.document.page(1, of: 1, []))
        phone.stub.script("POST /posts", .json(200, #"{"success":true}"#))
        #expect(try await phone.act("write", "submit", ["content": longest]).succeeded)
    }

    @Test(arguments: [
        (StubTransport.Reply.failure(.timeout), "Network error: The request timed out."),
        (.json(500, ""), "Invalid response from server"),
        (.json(400, #"{"success":false,"message":"Too rude"}"#), "Too rude"),
    ])
    func `WALL-40 a post that fails is sent once and keeps its text`(
        reply: StubTransport.Reply, message: String
    ) async throws {
        let phone = try await phone()
        phone.stub.script("POST /posts", reply)
        #expect(try await !phone.act("write", "submit", ["content": "Hello"]).succeeded)
        let now = try await phone.now
        #expect(now.screen == "write")
        #expect(now.failure?.message == message)
        #expect(now.fieldValues["content"] == "Hello")
        #expect(phone.stub.sent("POST /posts").count == 1)
    }
}
