import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// What is kept of an HTTP Archive, and for how long.
@Suite(.timeLimit(.minutes(10))) struct HARImportTests {
    private func entry(
        _ post: JSON, type: String? = nil, at time: String = "2026-11-20T10:00:00.250Z"
    ) -> JSON {
        let fields: [JSON] = type.map { [["name": "Content-Type", "value": .string($0)]] } ?? []
        return [
            "startedDateTime": .string(time), "time": 1,
            "request": [
                "method": "POST", "url": "https://api.example.com/login", "headers": .array(fields),
                "postData": post,
            ], "response": ["status": 200, "headers": [], "content": ["text": ""]],
        ]
    }

    private func take(_ entries: [JSON], into fixture: FoyerFixture) async -> JSON {
        await fixture.ask(
            .post, "/api/exchanges/import",
            json: ["log": ["version": "1.2", "entries": .array(entries)]]
        ).json
    }

    private static let parts = [
        "--x", #"Content-Disposition: form-data; name="password""#, "", "Zq7xGeheim", "--x--", "",
    ].joined(separator: "\r\n")

    static let posts: [(JSON, String?, String)] = [
        (["text": .string(parts)], "multipart/form-data; boundary=x", "‹password›"),
        (["text": .string(parts), "mimeType": "multipart/form-data"], nil, "‹password›"),
        (["text": "user=ada&password=Zq7xGeheim"], nil, "‹password›"),
        (["text": #"{"password":"Zq7xGeheim"}"#], "text/plain", "‹password›"),
        (
            [
                "mimeType": "multipart/form-data",
                "params": [["name": "password", "value": "Zq7xGeheim"]],
            ], "multipart/form-data; boundary=x", "‹password›"
        ), (["text": "password: Zq7xGeheim"], "text/plain", "‹not kept: it may hold a password›"),
    ]

    @Test(arguments: posts) func `no password is kept of a body, whatever it says it is`(
        post: JSON, type: String?, told: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let taken = await take([entry(post, type: type)], into: fixture)
        let id = try #require(taken["exchanges"]?[0]?.string)
        let kept = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(!kept.description.contains("Zq7xGeheim"))
        #expect(kept.description.contains(told))
    }

    @Test func `a body that was left out is not sent again as it stands`() async throws {
        let fixture = try await FoyerFixture()
        var entry = entry(["text": "password: Zq7xGeheim"], type: "text/plain")
        if case .object(var members) = entry,
            let index = members.firstIndex(where: { $0.name == "request" }),
            case .object(var request) = members[index].value,
            let url = request.firstIndex(where: { $0.name == "url" })
        {
            request[url].value = .string("http://127.0.0.1:7071/main/mystica/api/v1/auth/login")
            members[index].value = .object(request)
            entry = .object(members)
        }
        let taken = await take([entry], into: fixture)
        let id = try #require(taken["exchanges"]?[0]?.string)
        let again = await fixture.ask(.post, "/api/exchanges/\(id)/resend")
        #expect(again.status == 409)
        #expect(again.json["type"]?.string == "/problems/body-not-kept")
        let edited = await fixture.ask(
            .post, "/api/exchanges/\(id)/resend", json: ["edit": ["body": "{}"]])
        #expect(edited.status < 300)
    }

    @Test func `what is old or yet to come is kept from its import on`() async throws {
        let fixture = try await FoyerFixture()
        let times = ["1999-12-31T23:00:00Z", "2999-01-01T00:00:00Z"]
        let taken = await take(times.map { entry(["text": "x"], at: $0) }, into: fixture)
        #expect(taken["imported"] == 2)
        #expect(taken["kept"] == 2)
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 2)
        // Neither stays longer than others, nor lets others stay.
        fixture.frozen.advance(by: 4 * 86_400)
        _ = try await fixture.registered()
        let some = await fixture.ask(.get, "/api/exchanges").json["total"]?.int
        fixture.frozen.advance(by: 4 * 86_400)
        _ = await take([entry(["text": "x"])], into: fixture)
        let left = await fixture.ask(.get, "/api/exchanges").json["total"]?.int
        #expect(left == (some ?? 0) - 1)
    }

    @Test func `a flood of secrets is not kept`() async throws {
        let fixture = try await FoyerFixture()
        let many = (0..<10_000).map { JSON.string("flood-\($0)") }
        let body: JSON = ["token": .array(many)]
        let taken = await take([entry(["text": .string(body.description)])], into: fixture)
        let id = try #require(taken["exchanges"]?[0]?.string)
        let kept = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(!kept.description.contains("flood-"))
        #expect(kept.description.contains("more secrets than are told apart"))
    }

    @Test func `an archive that cannot be recorded is refused by its place`() async throws {
        let fixture = try await FoyerFixture()
        let good = entry(["text": "{}"])
        let answered: JSON = [
            "startedDateTime": "2026-11-20T10:00:00.250Z", "time": 1,
            "request": ["method": "GET", "url": "https://api.example.com/", "headers": []],
            "response": ["status": "ok"],
        ]
        let refused: [(JSON, String)] = [
            ([], "/log"), (["log": [:]], "/log/entries"),
            (["log": ["entries": [answered]]], "/log/entries/0/response/status"),
            (
                ["log": ["entries": [good, ["request": [:]]]]],
                "/log/entries/1/request/method"
            ),
            (
                ["log": ["entries": .array(Array(repeating: good, count: 501))]], "/log/entries"
            ),
        ]
        for (archive, pointer) in refused {
            let answer = await fixture.ask(.post, "/api/exchanges/import", json: archive)
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?[0]?["pointer"]?.string == pointer, "\(answer.json)")
        }
        let broken = await fixture.ask(.post, "/api/exchanges/import", text: "{")
        #expect(broken.status == 400)
        #expect(broken.json["errors"]?[0]?["pointer"]?.string == "")
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 0)
    }
}
