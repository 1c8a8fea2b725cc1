import Support
import Testing
import Web

/// Search across everything of a workspace.
@Suite(.timeLimit(.minutes(10))) struct SearchTests {
    private static func kinds(_ fixture: FoyerFixture, _ text: String) async -> [String] {
        let found = await fixture.ask(.get, "/api/search?q=\(text)").json
        return (found["items"]?.elements ?? []).compactMap { $0["kind"]?.string }
    }

    @Test func `an email address finds its user, account, session, requests and mail`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let session = await fixture.ask(.get, "/api/sessions").json["items"]?.elements.first
        let email = try #require(session?["user"]?["email"]?.string)
        let kinds = await Self.kinds(fixture, email)
        #expect(Set(kinds) == ["user", "account", "session", "request", "mail"])
        let page = await fixture.page("/search?q=\(email)", device: device).text
        #expect(page.contains("data-testid=\"search.session\""))
        #expect(page.contains("href=\"/sessions/\(session?["id"]?.string ?? "")\""))
    }

    @Test func `a device is found by its name and opens in the studio`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.succeed(.patch, "/api/devices/\(device)", json: ["label": "Blue phone"])
        let found = await fixture.ask(.get, "/api/search?q=blue%20PH").json["items"]?.elements ?? []
        #expect(found.map { $0["kind"] } == ["device"])
        #expect(found.first?["url"] == .string("/studio/mystica?device=\(device)"))
    }

    @Test func `pages and screens are found by all words of their name and app`() async throws {
        let fixture = try await FoyerFixture()
        let found = await fixture.ask(.get, "/api/search?q=bob%20tokens").json
        #expect(found["items"]?.elements.map { $0["url"] } == ["/storyboard/bob/tokens"])
        #expect(await Self.kinds(fixture, "verify") == ["screen", "screen"])
    }

    @Test func `a list has all matches if there are more than shown`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(
            .post, "/api/accounts",
            json: ["app": "mystica", "count": 9, "password": "long enough", "domain": "many.test"])
        let page = await fixture.page("/search?q=many.test", device: await fixture.device()).text
        #expect(page.contains("href=\"/accounts?q=many.test\""))
        #expect(page.contains("6 results"))
    }

    @Test func `no match and no text are not errors`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let none = await fixture.page("/search?q=zzz%3Cb%3E", device: device)
        #expect(none.text.contains("No matches for “zzz&lt;b&gt;”."))
        let empty = await fixture.page("/search", device: device)
        #expect(empty.status == 200)
        #expect(!empty.text.contains("search.none"))
    }
}
