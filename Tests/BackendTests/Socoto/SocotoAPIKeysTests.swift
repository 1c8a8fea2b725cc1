import Support
import Testing
import Web

@testable import Backend

/// A key opens the workspace it was made for.
@Suite(.timeLimit(.minutes(10))) struct SocotoAPIKeysTests {
    private func houses() async throws -> (a: SocotoClient, b: SocotoClient) {
        let fixture = try await BackendFixture()
        for workspace in ["a", "b"] { try await fixture.backend.create(workspace: workspace) }
        let b = SocotoClient(house: fixture, workspace: "b")
        try await b.person()
        return (SocotoClient(house: fixture, workspace: "a"), b)
    }

    @Test func `the service of one workspace is nobody in another`() async throws {
        let (a, b) = try await houses()
        let main = SocotoClient(house: b.house)
        for other in [a, main] {
            #expect(other.serviceKey != b.serviceKey)
            #expect(other.anonKey != b.anonKey)
            for method in [Web.Method.get, .delete] {
                let shut = await b.house.send(
                    b.request(
                        method, "/rest/v1/profiles", bearer: other.serviceKey, key: other.serviceKey
                    ))
                #expect(shut.status == 401)
                #expect(shut.json["message"] == "Invalid API key")
                let inside = await b.send(method, "/rest/v1/profiles", bearer: other.serviceKey)
                #expect(inside.status == 401)
                #expect(inside.json["code"] == "PGRST301")
            }
        }
        let rows = await b.send(.get, "/rest/v1/profiles?select=email", bearer: b.serviceKey)
        #expect(rows.text == #"[{"email":"ada@example.com"}]"#)
    }

    @Test func `a workspace's key names it, main's are as they were`() async throws {
        let (a, _) = try await houses()
        func claims(_ key: String) throws -> JSON {
            let part = key.split(separator: ".")[1]
            return try JSON(parsing: try #require(Base64URL.decode(part)))
        }
        #expect(try claims(a.anonKey)["ref"] == "a")
        #expect(try claims(a.serviceKey)["role"] == "service_role")
        let main = SocotoClient(house: a.house)
        #expect(try claims(main.anonKey) == ["iss": "foyer", "role": "anon", "exp": 4_102_444_800])
    }

    @Test func `what nobody routes asks for the workspace's key as well`() async throws {
        let (a, b) = try await houses()
        let reply = await b.house.send(b.request(.get, "/auth/v1/nothing", key: a.anonKey))
        #expect(reply.json["message"] == "Invalid API key")
        let own = await b.send(.get, "/auth/v1/nothing")
        #expect(own.status == 404)
    }
}
