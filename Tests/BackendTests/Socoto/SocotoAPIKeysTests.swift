import Core
import Support
import Testing
import Web

@testable import Backend

/// API keys are valid in their own workspace only.
@Suite(.timeLimit(.minutes(10))) struct SocotoAPIKeysTests {
    private func clients() async throws -> (a: SocotoClient, b: SocotoClient) {
        let fixture = try await BackendFixture()
        for workspace in ["a", "b"] { try await fixture.backend.create(workspace: workspace) }
        let b = SocotoClient(fixture: fixture, workspace: "b")
        try await b.createUser()
        return (SocotoClient(fixture: fixture, workspace: "a"), b)
    }

    @Test func `a service key of one workspace is rejected in another`() async throws {
        let (a, b) = try await clients()
        let main = SocotoClient(fixture: b.fixture)
        for other in [a, main] {
            #expect(other.serviceKey != b.serviceKey)
            #expect(other.anonKey != b.anonKey)
            for method in [Web.Method.get, .delete] {
                let wrongKey = await b.fixture.send(
                    b.request(
                        method, "/rest/v1/profiles", bearer: other.serviceKey, key: other.serviceKey
                    ))
                #expect(wrongKey.status == 401)
                #expect(wrongKey.json["message"] == "Invalid API key")
                let wrongBearer = await b.send(
                    method, "/rest/v1/profiles", bearer: other.serviceKey)
                #expect(wrongBearer.status == 401)
                #expect(wrongBearer.json["code"] == "PGRST301")
            }
        }
        let rows = await b.send(.get, "/rest/v1/profiles?select=email", bearer: b.serviceKey)
        #expect(rows.text == #"[{"email":"ada@example.com"}]"#)
    }

    @Test func `API keys name their workspace except in main`() async throws {
        let (a, _) = try await clients()
        func claims(_ key: String) throws -> JSON {
            let part = key.split(separator: ".")[1]
            return try JSON(parsing: try #require(Base64URL.decode(part)))
        }
        #expect(try claims(a.anonKey)["ref"] == "a")
        #expect(try claims(a.serviceKey)["role"] == "service_role")
        let main = SocotoClient(fixture: a.fixture)
        #expect(try claims(main.anonKey) == ["iss": "foyer", "role": "anon", "exp": 4_102_444_800])
    }

    @Test func `an unknown path also requires the workspace's API key`() async throws {
        let (a, b) = try await clients()
        let reply = await b.fixture.send(b.request(.get, "/auth/v1/nothing", key: a.anonKey))
        #expect(reply.json["message"] == "Invalid API key")
        let own = await b.send(.get, "/auth/v1/nothing")
        #expect(own.status == 404)
    }
}
