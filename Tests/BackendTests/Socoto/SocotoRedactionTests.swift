import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoRedactionTests {
    @Test func `a request for a mail does not reveal whether an account exists`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp("known@example.com")
        try await client.createUser()
        client.fixture.frozen.advance(by: 60)
        var replies: [Reply] = []
        for email in ["known@example.com", SocotoClient.email, "x@y.z"] {
            replies.append(await client.recover(redirect: nil, ["email": .string(email)]))
            replies.append(
                await client.send(
                    .post, "/auth/v1/resend", ["type": "signup", "email": .string(email)]))
        }
        #expect(replies.allSatisfy { $0.status == 200 && $0.text == "{}" })
        #expect(replies.allSatisfy { $0.headers == replies.first?.headers })
    }

    @Test func `a wrong password and an unknown address get equal responses`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        await client.signUp("unconfirmed@example.com")
        let wrong = await client.signIn(SocotoClient.email, "wrong")
        for email in ["unknown@example.com", "unconfirmed@example.com"] {
            let other = await client.signIn(email, "wrong")
            #expect(other.text == wrong.text)
            #expect(other.headers == wrong.headers)
            #expect(other.status == 400)
        }
    }

    @Test func `signing up with a confirmed address sends no mail`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        client.fixture.frozen.advance(by: 60)
        let fake = await client.signUp()
        #expect(fake.json["identities"] == .array([]))
        let mailbox = client.fixture.backend.mailbox
        #expect(try await mailbox.count(workspace: "main") == 1)
    }

    @Test func `every installation has its own API keys`() async throws {
        let one = SocotoClient(fixture: try await BackendFixture())
        let other = SocotoClient(fixture: try await BackendFixture())
        #expect(one.anonKey != other.anonKey)
        #expect(one.serviceKey != one.anonKey)
        let reply = await one.fixture.send(
            one.request(.get, "/auth/v1/settings", key: other.anonKey))
        #expect(reply.status == 401)
    }

    @Test func `another user's row can be neither read nor changed`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let ada = try await client.createUser()
        let eve = try await client.createUser("eve@example.com")
        let id = ada.json["user"]?["id"]?.string ?? ""
        let path = "/rest/v1/profiles?id=eq.\(id.uppercased())"
        let rows = ("Prefer", "return=representation")
        for token in [eve.accessToken, client.anonKey] {
            let read = await client.send(.get, path, bearer: token)
            #expect(read.text == "[]")
            let updated = await client.send(
                .patch, path, ["bio": "eve was here"], bearer: token, [rows])
            #expect(updated.text == "[]")
            let deleted = await client.send(.delete, path, bearer: token, [rows])
            #expect(deleted.text == "[]")
        }
        let own = await client.send(.get, path, bearer: ada.accessToken)
        #expect(own.json[0]?["bio"] == .null)
        #expect(own.json[0]?["id"] == .string(id))
    }

    @Test func `rows belong to one workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        var other = SocotoClient(fixture: fixture)
        other.workspace = "other"
        let client = SocotoClient(fixture: fixture)
        try await client.createUser()
        let reply = await other.send(.get, "/rest/v1/profiles", bearer: other.serviceKey)
        #expect(reply.text == "[]")
    }
}
