import Support
import Templates
import Testing
import Web

@testable import Console
@testable import Inspection

@Suite(.timeLimit(.minutes(10))) struct TokensPagesTests {
    private func token(_ fixture: FoyerFixture, _ device: String) async throws -> String {
        let item = await fixture.ask(
            .get, "/api/devices/\(device)/apps/mystica/storage/mystica_access_token")
        return try #require(item.json["value"]?.string)
    }

    @Test func `a pasted token is decoded and not shown in full`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let token = try await token(fixture, device)
        let page = await fixture.submit("/tokens", [("token", token)])
        #expect(page.status == 200)
        #expect(page.text.contains("Valid signature"))
        #expect(page.text.contains("nora@example.com"))
        #expect(!page.text.contains(token))
    }

    @Test func `two tokens are compared claim by claim`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let first = try await token(fixture, device)
        fixture.frozen.advance(by: 60)
        await fixture.succeed(.post, "/api/sessions/\(try await fixture.session())/refresh")
        let second = try await token(fixture, device)
        let page = await fixture.submit("/tokens", [("token", first), ("second", second)])
        #expect(page.text.contains("data-kind=\"changed\""))
        #expect(page.text.contains("1 min later"))
        let comparison = await fixture.page(
            "/sessions/\(try await fixture.session())/compare?from=1")
        #expect(comparison.status == 200)
        #expect(comparison.text.contains("email_verified"))
    }

    @Test(arguments: ["", "   "]) func `an empty token is reported at its field`(text: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.submit("/tokens", [("token", text)])
        #expect(page.status == 422)
        #expect(page.text.contains("Paste a token first."))
    }

    @Test(arguments: [
        ("from=x", 400), ("from=0", 400), ("from=9", 404), ("from=1&to=9", 404), ("other=1", 400),
    ]) func `a comparison with an invalid or unknown token is rejected`(query: String, status: Int)
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let page = await fixture.page("/sessions/\(try await fixture.session())/compare?" + query)
        #expect(page.status == status)
    }

    @Test(arguments: [(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 9, "d": 4])] as [(JSON, JSON)])
    func `added, removed and changed claims are distinguished`(before: JSON, after: JSON) {
        let diff = TokenDiff(before: (nil, before), after: (nil, after))
        #expect(diff.rows.map(\.name) == ["a", "b", "d", "c"])
        #expect(diff.rows.map(\.kind) == [.unchanged, .changed, .added, .removed])
    }

    @Test func `equal claims are listed as unchanged`() {
        let token: TokenParts = (nil, ["sub": "u1", "iat": 1_795_271_727])
        func names(_ rows: String, _ model: TemplateModel) -> [String?]? {
            model.member(rows, [TemplateModel].self)?.map { $0.member("name") }
        }
        let unchanged = TokenDiff(before: token, after: token).model(before: "a", after: "b")
        #expect(names("diffRows", unchanged) == [])
        #expect(names("unchangedRows", unchanged)?.count == 2)
        #expect(unchanged.member("isIdentical") == true)
        let later = TokenDiff(before: token, after: (nil, ["sub": "u1", "iat": 1_795_271_787]))
            .model(before: "a", after: "b")
        #expect(names("diffRows", later) == ["iat"])
        #expect(names("unchangedRows", later) == ["sub"])
        #expect(later.member("isIdentical") == false)
    }

    @Test func `both values of a changed time are shown as times`() throws {
        let model = TokenDiff(
            before: (nil, ["exp": 1_795_271_727]), after: (nil, ["exp": 1_795_272_027])
        ).model(before: "a", after: "b")
        let row = try #require(model.member("diffRows", [TemplateModel].self)?.first)
        let before = try #require(row.member("beforeTime", String.self))
        #expect(!before.contains("later"))
        #expect(row.member("afterTime", String.self)?.hasSuffix("5 min later") == true)
    }
}
