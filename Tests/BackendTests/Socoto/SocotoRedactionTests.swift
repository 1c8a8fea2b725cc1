import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoRedactionTests {
    @Test func `asking for a mail tells nobody who exists`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        await client.signUp("known@example.com")
        try await client.person()
        client.house.frozen.advance(by: 60)
        var answers: [Reply] = []
        for email in ["known@example.com", SocotoClient.email, "x@y.z"] {
            answers.append(await client.recover(redirect: nil, ["email": .string(email)]))
            answers.append(
                await client.send(
                    .post, "/auth/v1/resend", ["type": "signup", "email": .string(email)]))
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0.text == "{}" })
        #expect(answers.allSatisfy { $0.headers == answers.first?.headers })
    }

    @Test func `a wrong password and an unknown address look the same`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        await client.signUp("unconfirmed@example.com")
        let wrong = await client.signIn(SocotoClient.email, "wrong")
        for email in ["nobody@example.com", "unconfirmed@example.com"] {
            let other = await client.signIn(email, "wrong")
            #expect(other.text == wrong.text)
            #expect(other.headers == wrong.headers)
            #expect(other.status == 400)
        }
    }

    @Test func `signing up with a confirmed address sends nothing`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        client.house.frozen.advance(by: 60)
        let fake = await client.signUp()
        #expect(fake.json["identities"] == .array([]))
        let box = client.house.backend.mailbox
        #expect(try await box.count(workspace: "main") == 1)
    }

    @Test func `every installation has keys of its own`() async throws {
        let one = SocotoClient(house: try await BackendFixture())
        let other = SocotoClient(house: try await BackendFixture())
        #expect(one.anonKey != other.anonKey)
        #expect(one.serviceKey != one.anonKey)
        let reply = await one.house.send(one.request(.get, "/auth/v1/settings", key: other.anonKey))
        #expect(reply.status == 401)
    }

    @Test func `somebody else's row is neither seen nor changed`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let ada = try await client.person()
        let eve = try await client.person("eve@example.com")
        let id = ada.json["user"]?["id"]?.string ?? ""
        let path = "/rest/v1/profiles?id=eq.\(id.uppercased())"
        let rows = ("Prefer", "return=representation")
        for token in [eve.accessToken, client.anonKey] {
            let seen = await client.send(.get, path, bearer: token)
            #expect(seen.text == "[]")
            let changed = await client.send(
                .patch, path, ["bio": "eve was here"], bearer: token, [rows])
            #expect(changed.text == "[]")
            let gone = await client.send(.delete, path, bearer: token, [rows])
            #expect(gone.text == "[]")
        }
        let own = await client.send(.get, path, bearer: ada.accessToken)
        #expect(own.json[0]?["bio"] == .null)
        #expect(own.json[0]?["id"] == .string(id))
    }

    @Test func `rows are of one workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        var other = SocotoClient(house: fixture)
        other.workspace = "other"
        let client = SocotoClient(house: fixture)
        try await client.person()
        let reply = await other.send(.get, "/rest/v1/profiles", bearer: other.serviceKey)
        #expect(reply.text == "[]")
    }
}
