import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoHostileTests {
    static let endpoints = [
        "signup", "token?grant_type=password",
        "token?grant_type=refresh_token", "token?grant_type=pkce",
        "recover", "resend", "verify", "otp", "magiclink",
    ]

    @Test(arguments: endpoints, Garbage.bodies.map(\.name))
    func `garbage gets a short error response with a code and a message`(
        _ endpoint: String, _ name: String
    )
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        // An empty object would otherwise be an anonymous sign-in.
        try await client.setSwitch("anonymousUsers", isOn: false)
        let bodies = Garbage.bodies
        var request = client.request(.post, "/auth/v1/\(endpoint)", "")
        request.body = try #require(bodies.first { $0.name == name }).bytes
        let reply = await client.fixture.send(request)
        #expect([400, 403, 422].contains(reply.status))
        #expect(reply.json["code"]?.string?.isEmpty == false)
        #expect(reply.json["message"]?.string?.isEmpty == false)
        #expect(reply.text.utf8.count < 500)
        #expect(client.fixture.frozen.lines.isEmpty)
    }

    @Test(arguments: Garbage.bodies.map(\.name))
    func `garbage sent to the table gets PostgREST's four error members`(
        _ name: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        let bodies = Garbage.bodies
        // PostgREST takes a scalar for an empty array.
        guard !["a number", "null"].contains(name) else { return }
        for method in [Web.Method.post, .patch] {
            // An array of one object is a valid PATCH body.
            if method == .patch, name == "an array" { continue }
            var request = client.request(method, "/rest/v1/profiles", "", bearer: client.serviceKey)
            request.body = try #require(bodies.first { $0.name == name }).bytes
            let reply = await client.fixture.send(request)
            #expect((400..<500).contains(reply.status))
            guard case .object(let members) = reply.json else {
                Issue.record("no object: \(reply.text)")
                continue
            }
            #expect(members.map(\.name) == ["code", "details", "hint", "message"])
        }
        #expect(client.fixture.frozen.lines.isEmpty)
    }

    @Test(arguments: [
        "?select=,", "?select=id,", "?order=.", "?order=id.up",
        "?id=in.x", "?id=not", "?id=not.eq",
        "?bio=is.true", "?or=(id.eq.1)", "?created_at=gt.soon",
        "?preferences=eq.{", "?select=\(String(repeating: "x", count: 900))",
    ])
    func `a malformed query is rejected`(
        _ query: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        let reply = await client.send(.get, "/rest/v1/profiles\(query)", bearer: client.serviceKey)
        #expect(reply.status == 400)
        #expect(reply.json["code"]?.string?.isEmpty == false)
        #expect(reply.text.utf8.count < 400)
    }

    @Test(arguments: ["?limit=-1", "?limit=0&offset=1"]) func `a negative range is not satisfiable`(
        _ query: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let reply = await client.send(.get, "/rest/v1/profiles\(query)", bearer: client.serviceKey)
        #expect(reply.status == 416)
        #expect(reply.json["code"] == "PGRST103")
    }

    @Test(arguments: [
        ("", "0-9223372036854775807"), ("", "9223372036854775807-"),
        ("?offset=9223372036854775807", "1-"),
        ("?offset=9223372036854775807&limit=9223372036854775807", "1-1"),
        ("?limit=9223372036854775807", "0-9223372036854775807"),
    ]) func `the largest integers are valid in ranges, limits and offsets`(
        _ query: String, _ range: String
    )
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        for method in [Web.Method.get, .head] {
            let reply = await client.send(
                method, "/rest/v1/profiles\(query)", bearer: client.serviceKey,
                [("Range", range), ("Prefer", "count=exact")])
            #expect([200, 206, 416].contains(reply.status))
        }
    }

    @Test(arguments: ["like", "ilike"]) func `a pattern of many wildcards is matched in time`(
        _ operation: String
    )
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp(data: ["full_name": .string(String(repeating: "a", count: 4_000))])
        let pattern = String(repeating: "*a", count: 400) + "b"
        let reply = await client.send(
            .get, "/rest/v1/profiles?full_name=\(operation).\(pattern)", bearer: client.serviceKey)
        #expect(reply.text == "[]")
    }

    @Test func `an error response never repeats what was sent`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("anonymousUsers", isOn: false)
        let secret = String(repeating: "hunter2", count: 20)
        for endpoint in Self.endpoints {
            for body: JSON in [
                ["email": "a@b.c", "password": .string(secret)],
                ["email": .string(secret), "password": ["x": .string(secret)]],
                ["refresh_token": .string(secret), "type": .string(secret)],
                ["auth_code": .string(secret), "code_verifier": "x"],
            ] {
                let reply = await client.send(.post, "/auth/v1/\(endpoint)", body)
                // A request for a mail always succeeds.
                #expect(reply.status >= 400 || reply.text == "{}")
                #expect(!reply.text.contains("hunter2"))
            }
        }
    }
}
