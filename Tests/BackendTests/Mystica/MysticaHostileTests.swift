import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MysticaHostileTests {
    static let endpoints = [
        "register", "login", "refresh", "resend-verification", "reset-password", "register-device",
    ]

    @Test(arguments: endpoints, Garbage.bodies.map(\.name))
    func `a malformed body gets an error response in the contract's format`(
        _ endpoint: String, _ name: String
    )
        async throws
    {
        let fixture = try await BackendFixture()
        let bytes = try #require(Garbage.bytes(name))
        let reply = await fixture.send(
            Request(
                method: .post, target: "/main/mystica/api/v1/auth/\(endpoint)",
                headers: ["Content-Type": "application/json"], body: bytes))
        // A malformed address gets the same response as an unknown one.
        let hidesUnknownAddress = endpoint.hasPrefix("re") && reply.status == 200
        if hidesUnknownAddress {
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
    func `a malformed Authorization header is rejected`(_ value: String) async throws {
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
    func `a malformed or unknown target gets a client error`(_ target: String) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(Request(method: .get, target: target))
        #expect((400..<500).contains(reply.status))
        #expect(!reply.text.isEmpty)
    }

    @Test(arguments: ["BREW", "PUT", "PATCH", "DELETE", "TRACE", "get", ""])
    func `an unsupported method gets 405 with the allowed methods`(_ method: String) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(
            Request(method: Web.Method(rawValue: method), target: "/main/mystica/api/v1/auth/login")
        )
        #expect(reply.status == 405)
        #expect(reply.headers["Allow"] == "OPTIONS, POST")
        #expect(reply.code == "METHOD_NOT_ALLOWED")
    }

    @Test func `an error response repeats no value of the rejected body`() async throws {
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
