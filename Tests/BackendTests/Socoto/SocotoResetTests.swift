import Support
import Testing
import Web

@testable import Backend

/// A new password by the page that stands in for an app's own.
@Suite(.timeLimit(.minutes(10))) struct SocotoResetTests {
    private func form(_ client: SocotoClient) async throws -> (
        page: Reply, target: String, token: String
    ) {
        try await client.person()
        await client.recover()
        let link = try await client.mail("reset").link
        let led = await client.house.follow(link)
        let place = led.headers["Location"] ?? ""
        let page = await client.house.follow(place)
        return (page, "/main/socoto/reset", SocotoClient.token(of: link))
    }

    @Test func `the mailed link leads to a form that sets it`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let (page, target, token) = try await form(client)
        #expect(page.heading == "Choose a new password")
        let session = await client.signIn().accessToken
        let done = await client.house.submit(
            target, [("token", token), ("password", "a better horse")])
        #expect(done.heading == "Password changed")
        #expect(await client.user(session).status == 403)
        #expect(await client.signIn().status == 400)
        let ada = SocotoClient.email
        #expect(await client.signIn(ada, "a better horse").status == 200)
        let again = await client.house.submit(
            target, [("token", token), ("password", "yet another")])
        #expect(again.status == 410)
        #expect(again.heading == "This link was already used")
    }

    @Test func `a weak one is refused and the link still works`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let (_, target, token) = try await form(client)
        let weak = await client.house.submit(target, [("token", token), ("password", "1234567")])
        #expect(weak.status == 422)
        #expect(weak.text.contains("at least 8 characters."))
        let done = await client.house.submit(target, [("token", token), ("password", "12345678")])
        #expect(done.heading == "Password changed")
    }

    @Test func `an expired link says so`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let (_, target, token) = try await form(client)
        client.house.frozen.advance(by: 3_600)
        let late = await client.house.submit(
            target, [("token", token), ("password", "a better horse")])
        #expect(late.heading == "This link has expired")
        #expect(late.status == 410)
    }
}
