import Support
import Testing
import Web

@testable import Backend

/// Lists of users and of the audit log.
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

    /// The newest entries of the audit log, oldest first.
    private func log(_ client: SocotoClient, _ count: Int) async -> [JSON] {
        let list = await client.administrate(.get, "/admin/audit?per_page=\(count)")
        guard case .array(let entries) = list.json else { return [] }
        return entries.reversed()
    }

    private func actions(_ client: SocotoClient, _ count: Int) async -> [String] {
        await log(client, count).compactMap { $0["payload"]?["action"]?.string }
    }

    @Test func `the log has what happens to second factors`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let (id, _, session) = await client.enrollTOTP(try await client.createUser().accessToken)
        #expect(
            await actions(client, 4) == [
                "factor_in_progress", "challenge_created", "verification_attempted",
                "token_revoked",
            ])
        let verified = await log(client, 2).first
        #expect(verified?["ip_address"] == "127.0.0.1")
        #expect(verified?["payload"]?["log_type"] == "factor")
        #expect(verified?["payload"]?["traits"]?["factor_type"] == "totp")
        #expect(verified?["payload"]?["traits"]?["challenge_id"] != nil)
        let user = session.json["user"]?["id"]?.string ?? ""
        let path = "/admin/users/\(user)/factors/"
        await client.administrate(.put, path + id, ["friendly_name": "new"])
        let other = await client.enroll(session.accessToken, name: "other").json["id"]?.string
        _ = await client.unenroll(id, session.accessToken)
        await client.administrate(.delete, path + (other ?? ""))
        #expect(
            await actions(client, 4) == [
                "factor_updated", "factor_in_progress", "factor_unenrolled", "factor_deleted",
            ])
        let updated = await log(client, 4).first?["payload"]
        #expect(updated?["actor_username"] == "service_role")
        #expect(updated?["traits"]?["user_id"] == .string(user))
    }

    @Test func `the log has what happens to identities`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        _ = await client.signIn(SocotoClient.ada)
        let signedUp = await log(client, 1).first?["payload"]
        #expect(signedUp?["action"] == "user_signedup")
        #expect(signedUp?["traits"] == ["provider": "google"])
        let token = await client.signIn(at: "github", SocotoClient.ada).accessToken
        #expect(await actions(client, 2) == ["identity_linked", "login"])
        let identity = await client.user(token).json["identities"]?[1]
        #expect(
            await log(client, 2).first?["payload"]?["traits"] == [
                "identity_id": identity?["identity_id"] ?? .null, "provider": "github",
                "provider_id": identity?["id"] ?? .null,
            ])
        let path = "/auth/v1/user/identities/\(identity?["identity_id"]?.string ?? "")"
        await client.send(.delete, path, bearer: token)
        #expect(await actions(client, 1) == ["identity_unlinked"])
        let result = await client.signIn(isPKCE: true, SocotoClient.ada)
        _ = await client.exchange(result.query["code"])
        #expect(
            await log(client, 1).first?["payload"]?["traits"] == ["provider_type": "google"])
    }

    @Test func `the log has a refresh with the token that it replaced`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().refreshToken
        _ = await client.refresh(token)
        #expect(await actions(client, 2) == ["token_refreshed", "token_revoked"])
        // A repeated request replaces nothing.
        _ = await client.refresh(token)
        #expect(await actions(client, 1) == ["token_refreshed"])
    }
}
