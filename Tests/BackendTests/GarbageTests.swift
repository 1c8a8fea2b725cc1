import Support
import Testing
import Web

/// Malformed requests to the endpoints of Bob's and Anonymous Wall's servers.
@Suite(.timeLimit(.minutes(10))) struct GarbageTests {
    static let endpoints =
        ["login", "register", "refresh", "logout"].flatMap {
            ["bob/api/auth/\($0)", "bob/nest/api/auth/\($0)"]
        } + ["register", "request-code", "login", "refresh"].map { "wall/auth/\($0)" }
        + ["wall/posts", "wall/api/v1/posts"]
        + [
            "email/send-code", "register/email", "login/email",
            "login/password", "password/set", "password/change",
            "password/reset-request", "password/reset", "refresh",
        ].map { "wall/api/v1/auth/\($0)" }

    @Test(arguments: endpoints)
    func `a malformed body gets a short error response and logs nothing`(
        _ endpoint: String
    ) async throws {
        let fixture = try await BackendFixture()
        for (name, bytes) in Garbage.bodies {
            let reply = await fixture.send(
                Request(
                    method: .post, target: "/main/\(endpoint)",
                    headers: ["Content-Type": "application/json"], body: bytes,
                    // Another client address, so that no rate limit applies.
                    peer: "192.0.2.\(name.utf8.count)"))
            #expect((400..<500).contains(reply.status), "\(name)")
            #expect(reply.text.utf8.count < 4_000, "\(name)")
            #expect(!reply.text.contains("DROP TABLE"), "\(name)")
            #expect(!reply.text.contains("<script>"), "\(name)")
        }
        #expect(fixture.frozen.lines.isEmpty)
    }

    @Test(arguments: endpoints) func `an error response repeats no value of the rejected body`(
        _ endpoint: String
    ) async throws {
        let fixture = try await BackendFixture()
        let secret = String(repeating: "hunter2", count: 100)
        let values: [JSON] = [.string(secret), ["x": .string(secret)], [.string(secret)]]
        for value in values {
            let names = [
                "email", "password", "refresh_token", "refreshToken", "code", "verification_code",
                "purpose", "newPassword", "firstName",
            ]
            let body = JSON.object(names.map { JSON.Member($0, value) })
            let reply = await fixture.send(.post("/main/\(endpoint)", body.description))
            #expect(reply.status >= 400)
            #expect(!reply.text.contains("hunter2"))
        }
    }

    @Test(arguments: [
        "/main/bob/api/auth/logout", "/main/bob/nest/api/auth/logout",
        "/main/wall/api/v1/auth/password/set",
    ]) func `a malformed Authorization header is rejected with 401`(_ target: String) async throws {
        let fixture = try await BackendFixture()
        for value in [
            "", "Bearer", "bearer ", "Basic x", "Bearer x y", "BearerX",
            "Bearer ..", "Bearer a.b.c",
            "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
        ] {
            let reply = await fixture.send(
                Request(method: .post, target: target, headers: ["Authorization": value]))
            #expect(reply.status == 401)
        }
    }
}
