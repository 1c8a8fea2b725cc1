import Backend
import Support
import Web

/// The feed, in both dialects.
extension WallCase {
    private static let dialects = [
        ("document", "/main/wall/posts"), ("java", "/main/wall/api/v1/posts"),
    ]

    static let posts: [ContractCase] = dialects.flatMap { dialect, path in
        list(dialect, path) + create(dialect, path)
    }

    private static func list(_ dialect: String, _ path: String) -> [ContractCase] {
        func list(_ name: String, _ query: String = "", posts: Int = 0, later: Double = 0)
            -> ContractCase
        {
            ContractCase("wall/\(dialect)/posts/\(name)") { fixture in
                let member = BackendFixture.WallMember(try await fixture.registerWallMember())
                for number in 0..<posts {
                    _ = await fixture.send(member.post("Post \(number + 1)", at: path))
                    fixture.frozen.advance(by: 60)
                }
                fixture.frozen.advance(by: later)
                return member.list(path + query)
            }
        }
        return [
            list("empty"), list("newest-first", posts: 2),
            list("second-page", "?page=2&limit=2", posts: 3),
            list("after-the-last-page", "?page=3&limit=2", posts: 3),
            list("page-zero", "?page=0"), list("no-page", "?page=first"),
            list("limit-too-high", "?limit=101"), list("expired", later: 86_400),
            ContractCase("wall/\(dialect)/posts/no-token") { _ in
                Request(method: .get, target: path)
            },
            ContractCase("wall/\(dialect)/posts/deleted-account") { fixture in
                let member = BackendFixture.WallMember(try await fixture.registerWallMember())
                try await fixture.backend.delete(account: member.id, workspace: "main")
                return member.list(path)
            },
        ]
    }

    private static func create(_ dialect: String, _ path: String) -> [ContractCase] {
        func create(_ name: String, _ body: String, type: String = "application/json")
            -> ContractCase
        {
            ContractCase("wall/\(dialect)/create-post/\(name)") { fixture in
                let member = BackendFixture.WallMember(try await fixture.registerWallMember())
                return .post(path, body, type: type, bearer: member.token)
            }
        }
        let longest = String(repeating: "ü", count: 280)
        return [
            create("created", #"{"content":" The library\nis open. "}"#),
            create("longest", #"{"content":"\#(longest)"}"#),
            create("too-long", #"{"content":"\#(longest)x"}"#),
            create("blank", #"{"content":" \n "}"#), create("missing", "{}"),
            create("wrong-type", #"{"content":7}"#), create("malformed", "{"),
            create("form", "content=a", type: "application/x-www-form-urlencoded"),
            .post("wall/\(dialect)/create-post/no-token", path, #"{"content":"Hello"}"#),
        ]
    }
}
