import Core
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoProfileRowTests {
    @Test(arguments: [
        (#"{"role":null,"user_type":"business_owner"}"#, "business_owner"),
        (#"{"role":"admin","user_type":"business_owner"}"#, "admin"),
        (#"{"role":null,"user_type":null}"#, "user"),
    ]) func `the sign-up trigger treats null as absent`(_ data: String, _ role: String)
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp(data: try JSON(parsing: data))
        let reply = await client.send(
            .get, "/rest/v1/profiles?select=role", bearer: client.serviceKey)
        #expect(reply.text == #"[{"role":"\#(role)"}]"#)
    }

    @Test func `everyone reads all profiles if the project is public, and changes their own`()
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp("eve@example.com")
        let token = try await client.createUser().accessToken
        let path = "/rest/v1/profiles?select=email&order=email"
        #expect(await client.send(.get, path).text == "[]")
        try await client.setSwitch("publicProfiles", isOn: true)
        let all = #"[{"email":"ada@example.com"},{"email":"eve@example.com"}]"#
        #expect(await client.send(.get, path).text == all)
        #expect(await client.send(.get, path, bearer: token).text == all)
        let changed = await client.send(
            .patch, path, ["bio": "x"], bearer: token, [("Prefer", "return=representation")])
        #expect(changed.text == #"[{"email":"ada@example.com"}]"#)
    }

    @Test(arguments: [
        ("authenticated", 200, #"[{"email":"ada@example.com"}]"#),
        ("service_role", 200, #"[{"email":"ada@example.com"},{"email":"eve@example.com"}]"#),
        ("anon", 200, "[]"),
        (
            "pilot", 401,
            #"{"code":"22023","details":null,"hint":null,"message":"role \"pilot\" does not exist"}"#
        ),
    ]) func `the role of a token decides which rows it reads`(
        _ role: String, _ status: Int, _ body: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp("eve@example.com")
        let created = try await client.createUser()
        let id = try #require(JSON(parsing: created.text)["user"]?["id"]?.string)
        await client.administrate(.put, "/admin/users/\(id)", ["role": .string(role)])
        let token = await client.signIn().accessToken
        let reply = await client.send(
            .get, "/rest/v1/profiles?select=email&order=email", bearer: token)
        #expect(reply.status == status)
        #expect(reply.text == body)
    }

    @Test func `an unsigned token is refused, whatever role it claims`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token =
            Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "."
            + Base64URL.encode(Array(#"{"role":"service_role"}"#.utf8)) + "."
        let reply = await client.send(.get, "/rest/v1/profiles", bearer: token)
        #expect(reply.status == 401)
        #expect(try JSON(parsing: reply.text)["code"] == "PGRST301")
    }
}
