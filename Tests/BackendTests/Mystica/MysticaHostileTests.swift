import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MysticaHostileTests {
    static let endpoints = [
        "register", "login", "refresh", "resend-verification", "reset-password", "register-device",
    ]

    @Test(arguments: endpoints, Garbage.bodies.map(\.name))
    func `garbage gets a clear answer in the dialect`(_ endpoint: String, _ name: String)
        async throws
    {
        let fixture = try await BackendFixture()
        let bytes = try #require(Garbage.bytes(name))
        let reply = await fixture.send(
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
        #expect(fixture.frozen.lines.isEmpty)
    }

    @Test(arguments: [
        "", "Bearer", "bearer ", "Bearer  ", "Basic x", "Bearer x y",
        "BearerX", "Bearer \u{0}", "Bearer ..", "Bearer a.b.c",
        "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
    ])
    func `no strange Authorization is let in`(_ value: String) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(
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
        let fixture = try await BackendFixture()
        let reply = await fixture.send(Request(method: .get, target: target))
        #expect((400..<500).contains(reply.status))
        #expect(!reply.text.isEmpty)
    }

    @Test(arguments: ["BREW", "PUT", "PATCH", "DELETE", "TRACE", "get", ""])
    func `an unknown method is told which there are`(_ method: String) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(
            Request(method: Web.Method(rawValue: method), target: "/main/mystica/api/v1/auth/login")
        )
        #expect(reply.status == 405)
        #expect(reply.headers["Allow"] == "OPTIONS, POST")
        #expect(reply.code == "METHOD_NOT_ALLOWED")
    }

    @Test func `a refused body is never repeated`() async throws {
        let fixture = try await BackendFixture()
        let secret = String(repeating: "hunter2", count: 100)
        for body: JSON in [
            ["email": "a@b.c", "password": .string(secret)],
            ["email": .string(secret), "password": ["x": .string(secret)]],
            ["refresh_token": .string(secret + secret)],
        ] {
            for path in ["/auth/register", "/auth/login", "/auth/refresh"] {
                let reply = await fixture.post(path, body)
                #expect(reply.status >= 400)
                #expect(!reply.text.contains("hunter2"))
            }
        }
    }
}
