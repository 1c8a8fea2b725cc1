import Support
import Testing
import Web

@testable import Backend

/// Lists of users.
@Suite(.timeLimit(.minutes(10))) struct SocotoListTests {
    @Test(arguments: ["main", "admin"]) func `the link of a page leads to the next one`(
        _ workspace: String
    ) async throws {
        let fixture = try await BackendFixture()
        if workspace != "main" { try await fixture.backend.create(workspace: workspace) }
        let client = SocotoClient(fixture: fixture, workspace: workspace)
        try await client.addUser()
        fixture.frozen.advance(by: 1)
        try await client.addUser("eve@example.com")
        let first = await client.administrate(.get, "/admin/users?per_page=1")
        #expect(first.json["users"]?[0]?["email"] == "eve@example.com")
        let link = try #require(first.headers["Link"]?.split(separator: ">").first)
        var request = client.request(.get, "/auth/v1/admin/users", bearer: client.serviceKey)
        request.target = String(link.dropFirst())
        let second = await fixture.send(request)
        #expect(second.json["users"]?[0]?["email"] == "ada@example.com")
        #expect(second.headers["X-Total-Count"] == "2")
    }

    @Test func `a list has the users of the request's audience`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.addUser()
        await client.administrate(
            .post, "/admin/users", ["email": "eve@example.com", "aud": "partners"])
        func emails(_ headers: [(String, String)]) async -> [JSON?] {
            let list = await client.send(
                .get, "/auth/v1/admin/users", bearer: client.serviceKey, headers)
            guard case .array(let users)? = list.json["users"] else { return [] }
            return users.map { $0["email"] }
        }
        #expect(await emails([]) == ["ada@example.com"])
        #expect(await emails([("X-JWT-AUD", "partners")]) == ["eve@example.com"])
    }
}
