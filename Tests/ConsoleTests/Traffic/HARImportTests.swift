import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// What is stored of an imported HTTP Archive, and for how long.
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

    private func importArchive(_ entries: [JSON], into fixture: FoyerFixture) async -> JSON {
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
        ),
        (["text": "password: Zq7xGeheim"], "text/plain", "‹not stored: it may contain a password›"),
    ]

    @Test(arguments: posts) func `no password in a body is stored, whatever the content type`(
        post: JSON, type: String?, placeholder: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let imported = await importArchive([entry(post, type: type)], into: fixture)
        let id = try #require(imported["exchanges"]?[0]?.string)
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(!exchange.description.contains("Zq7xGeheim"))
        #expect(exchange.description.contains(placeholder))
    }

    @Test func `a body that was not stored can only be resent edited`() async throws {
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
        let imported = await importArchive([entry], into: fixture)
        let id = try #require(imported["exchanges"]?[0]?.string)
        let resent = await fixture.ask(.post, "/api/exchanges/\(id)/resend")
        #expect(resent.status == 409)
        #expect(resent.json["type"]?.string == "/problems/body-not-stored")
        let edited = await fixture.ask(
            .post, "/api/exchanges/\(id)/resend", json: ["edit": ["body": "{}"]])
        #expect(edited.status < 300)
    }

    @Test func `past and future exchanges are retained from their import on`() async throws {
        let fixture = try await FoyerFixture()
        let times = ["1999-12-31T23:00:00Z", "2999-01-01T00:00:00Z"]
        let imported = await importArchive(
            times.map { entry(["text": "x"], at: $0) }, into: fixture)
        #expect(imported["imported"] == 2)
        #expect(imported["stored"] == 2)
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 2)
        // Neither is retained longer than others, nor extends the retention of others.
        fixture.frozen.advance(by: 4 * 86_400)
        _ = try await fixture.registered()
        let before = await fixture.ask(.get, "/api/exchanges").json["total"]?.int
        fixture.frozen.advance(by: 4 * 86_400)
        _ = await importArchive([entry(["text": "x"])], into: fixture)
        let after = await fixture.ask(.get, "/api/exchanges").json["total"]?.int
        #expect(after == (before ?? 0) - 1)
    }

    @Test func `a body with too many secrets is not stored`() async throws {
        let fixture = try await FoyerFixture()
        let many = (0..<10_000).map { JSON.string("flood-\($0)") }
        let body: JSON = ["token": .array(many)]
        let imported = await importArchive(
            [entry(["text": .string(body.description)])], into: fixture)
        let id = try #require(imported["exchanges"]?[0]?.string)
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(!exchange.description.contains("flood-"))
        #expect(exchange.description.contains("too many secrets"))
    }

    @Test func `an invalid archive is refused with a JSON pointer`() async throws {
        let fixture = try await FoyerFixture()
        let valid = entry(["text": "{}"])
        let invalidStatus: JSON = [
            "startedDateTime": "2026-11-20T10:00:00.250Z", "time": 1,
            "request": ["method": "GET", "url": "https://api.example.com/", "headers": []],
            "response": ["status": "ok"],
        ]
        let invalid: [(JSON, String)] = [
            ([], "/log"), (["log": [:]], "/log/entries"),
            (["log": ["entries": [invalidStatus]]], "/log/entries/0/response/status"),
            (
                ["log": ["entries": [valid, ["request": [:]]]]],
                "/log/entries/1/request/method"
            ),
            (
                ["log": ["entries": .array(Array(repeating: valid, count: 501))]], "/log/entries"
            ),
        ]
        for (archive, pointer) in invalid {
            let response = await fixture.ask(.post, "/api/exchanges/import", json: archive)
            #expect(response.status == 400)
            #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer, "\(response.json)")
        }
        let broken = await fixture.ask(.post, "/api/exchanges/import", text: "{")
        #expect(broken.status == 400)
        #expect(broken.json["errors"]?[0]?["pointer"]?.string == "")
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 0)
    }
}
