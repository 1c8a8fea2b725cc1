import Support
import Testing
import Web

@testable import Backend

@Suite struct MysticaHostileTests {
    static let endpoints = [
        "register", "login", "refresh", "resend-verification",
        "reset-password", "register-device",
    ]

    static let bodies: [(name: String, bytes: [UInt8])] = [
        ("nothing", []),
        ("white space", Array("  \n ".utf8)),
        ("a number", Array("1".utf8)),
        ("null", Array("null".utf8)),
        ("an array", Array("[{}]".utf8)),
        ("half an object", Array(#"{"email":"#.utf8)),
        ("two objects", Array("{}{}".utf8)),
        (
            "invalid UTF-8",
            Array(#"{"email":""#.utf8) + [0xFF, 0xFE, 0x22, 0x7D]
        ),
        (
            "an overlong encoding",
            Array(#"{"email":""#.utf8) + [0xC0, 0x80, 0x22, 0x7D]
        ),
        ("UTF-16", Array("{}".utf16.flatMap { [UInt8($0 & 255), 0] })),
        ("a NUL byte", [0x7B, 0x00, 0x7D]),
        ("an escaped NUL", field(#""a\u0000@b.c""#)),
        ("half a surrogate", field(#""\ud800""#)),
        ("a number for text", field("17")),
        ("an object for text", field(#"{"$ne":null}"#)),
        ("a boolean", field("true")),
        ("nulls", field("null")),
        ("a huge number", field("1e999999")),
        (
            "a very long text",
            field("\"" + String(repeating: "x", count: 200_000) + "\"")
        ),
        ("SQL", field(#""' OR 1=1; DROP TABLE accounts; --""#)),
        ("HTML", field(#""<script>alert(1)</script>""#)),
        ("deep nesting", Array(String(repeating: "[", count: 100_000).utf8)),
        (
            "deep members",
            Array(
                (String(repeating: #"{"a":"#, count: 600) + "1"
                    + String(repeating: "}", count: 600)).utf8)
        ),
    ]

    /// `value` in every field an endpoint reads.
    private static func field(_ value: String) -> [UInt8] {
        let names = ["email", "password", "refresh_token", "device_id"]
        let members = names.map { "\"\($0)\":\(value)" }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    @Test(arguments: endpoints, bodies.map(\.name))
    func `garbage gets a clear answer in the dialect`(
        _ endpoint: String, _ name: String
    ) async throws {
        let house = try await BackendHouse()
        let bytes = try #require(Self.bodies.first { $0.name == name }).bytes
        let reply = await house.send(
            Request(
                method: .post, target: "/main/mystica/api/v1/auth/\(endpoint)",
                headers: ["Content-Type": "application/json"], body: bytes))
        // Text that is no address is answered like an unknown one.
        let isQuiet = endpoint.hasPrefix("re") && reply.status == 200
        if isQuiet {
            #expect(reply.json["message"]?.string != nil)
        } else {
            #expect([400, 401].contains(reply.status))
            #expect(reply.code?.isEmpty == false)
            #expect(reply.json["error"]?["message"]?.string?.isEmpty == false)
        }
        #expect(reply.text.utf8.count < 500)
        #expect(house.frozen.lines.isEmpty)
    }

    @Test(arguments: [
        "", "Bearer", "bearer ", "Bearer  ", "Basic x", "Bearer x y",
        "BearerX", "Bearer \u{0}", "Bearer ..", "Bearer a.b.c",
        "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
    ])
    func `no strange Authorization is let in`(_ value: String) async throws {
        let house = try await BackendHouse()
        let reply = await house.send(
            Request(
                method: .get, target: "/main/mystica/api/v1/auth/me",
                headers: ["Authorization": value]))
        #expect([400, 401].contains(reply.status))
    }

    @Test(arguments: [
        "", "*", "http://evil.example/main/mystica/verify", "/main",
        "/main/", "///x", "/main/mystica", "/main/mystica/",
        "/main/mystica/../../etc/passwd", "/main/mystica/%00",
        "/main/mystica/%ff", "/main/mystica/verify?token=%00",
        "/main/mystica/verify?token=%zz", "/main%2fmystica/verify",
        "/" + String(repeating: "a/", count: 5_000),
    ])
    func `no strange address is found`(_ target: String) async throws {
        let house = try await BackendHouse()
        let reply = await house.send(Request(method: .get, target: target))
        #expect((400..<500).contains(reply.status))
        #expect(!reply.text.isEmpty)
    }

    @Test(arguments: [
        "BREW", "PUT", "PATCH", "DELETE", "TRACE", "get", "",
    ])
    func `an unknown method is told which there are`(
        _ method: String
    ) async throws {
        let house = try await BackendHouse()
        let reply = await house.send(
            Request(
                method: Web.Method(rawValue: method),
                target: "/main/mystica/api/v1/auth/login"))
        #expect(reply.status == 405)
        #expect(reply.headers["Allow"] == "OPTIONS, POST")
        #expect(reply.code == "METHOD_NOT_ALLOWED")
    }

    @Test func `a refused body is never repeated`() async throws {
        let house = try await BackendHouse()
        let secret = String(repeating: "hunter2", count: 100)
        for body: JSON in [
            ["email": "a@b.c", "password": .string(secret)],
            ["email": .string(secret), "password": ["x": .string(secret)]],
            ["refresh_token": .string(secret + secret)],
        ] {
            for path in ["/auth/register", "/auth/login", "/auth/refresh"] {
                let reply = await house.post(path, body)
                #expect(reply.status >= 400)
                #expect(!reply.text.contains("hunter2"))
            }
        }
    }
}
