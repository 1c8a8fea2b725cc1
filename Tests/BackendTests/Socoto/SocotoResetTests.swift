import Support
import Testing
import Web

@testable import Backend

/// The reset form that Foyer serves in place of an app's own page.
@Suite(.timeLimit(.minutes(10))) struct SocotoResetTests {
    private func form(_ client: SocotoClient) async throws -> (
        page: Reply, target: String, token: String
    ) {
        try await client.createUser()
        await client.recover()
        let page = await client.open(try await client.mail("reset").link)
        let token = page.text.firstMatch(of: /name="token" value="([^"]+)"/)?.output.1 ?? ""
        return (page, "/main/socoto/reset", String(token))
    }

    @Test func `the mailed link leads to a form that sets a new password`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let (page, target, token) = try await form(client)
        #expect(page.heading == "Choose a new password")
        let session = await client.signIn().accessToken
        let done = await client.fixture.submitForm(
            target, [("token", token), ("password", "a better horse")])
        #expect(done.heading == "Password changed")
        #expect(await client.user(session).status == 403)
        #expect(await client.signIn().status == 400)
        let ada = SocotoClient.email
        #expect(await client.signIn(ada, "a better horse").status == 200)
        let again = await client.fixture.submitForm(
            target, [("token", token), ("password", "yet another")])
        #expect(again.status == 410)
        #expect(again.heading == "This link was already used")
    }

    @Test func `a weak password is rejected and the link still works`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let (_, target, token) = try await form(client)
        let weak = await client.fixture.submitForm(
            target, [("token", token), ("password", "1234567")])
        #expect(weak.status == 422)
        #expect(weak.text.contains("at least 8 characters."))
        let done = await client.fixture.submitForm(
            target, [("token", token), ("password", "12345678")])
        #expect(done.heading == "Password changed")
    }

    @Test func `a dead link reports that it does not work`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp()
        let link = try await client.mail("verify").link
        #expect(await client.open(link).heading == "Email confirmed")
        #expect(await client.open(link).heading == "This link does not work")
    }

    @Test func `an expired link is reported as expired`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let (_, target, token) = try await form(client)
        client.fixture.frozen.advance(by: 3_600)
        let late = await client.fixture.submitForm(
            target, [("token", token), ("password", "a better horse")])
        #expect(late.heading == "This link has expired")
        #expect(late.status == 410)
    }
}
