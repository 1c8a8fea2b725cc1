import Support
import Testing
import Web

@testable import Console

/// Sending a request again: what is wrong is said by the form in its own words, by the API with
/// pointers.
@Suite(.timeLimit(.minutes(10))) struct ResendPagesTests {
    private func send(_ changes: [String: String], _ fixture: FoyerFixture) async throws -> String {
        let device = await fixture.device()
        await fixture.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        let id = try await fixture.exchange("call=login")
        let page = await fixture.submit(
            "/traffic/\(id)/resend", changes.map { ($0.key, $0.value) })
        #expect(page.status == 400)
        return page.text
    }

    @Test(arguments: [
        ("method", "G3T", "The method must be a word in upper case"),
        ("path", "auth", "The path must begin with one slash."),
        ("path", "/a b", "The path holds characters no address holds."),
        ("path", "https://evil.example/", "The path leads to another server"),
        ("headers", "no colon", "A line is a name, a colon and a value"),
        (
            "path", "/" + String(repeating: "x", count: 20_000),
            "The path is too long: an address may have 16,384 bytes, and this has 20,0"
        ),
    ]) func `what is wrong stands beside its field, without pointers`(
        field: String, value: String, words: String
    ) async throws {
        let page = try await send([field: value, "password": "x"], FoyerFixture())
        let error = page.split(separator: "\n").first {
            $0.contains("data-testid=\"resend.\(field).error\"")
        }
        #expect(error?.contains(words) == true, "\(error ?? "")")
        #expect(!page.contains("/edit/"))
        #expect(!page.contains("resend.fault"))
    }

    @Test func `a password that is missing is asked for in its field`() async throws {
        let page = try await send([:], FoyerFixture())
        #expect(page.contains("The password is missing: "))
        #expect(page.contains("resend.password.error"))
        #expect(!page.contains("/password"))
    }

    @Test(
        arguments: [
            (["edit": ["colour": "red"]], "/edit/colour"), (["edit": []], "/edit"),
            (["again": true], "/again"), (["edit": ["method": "get"]], "/edit/method"),
            (["edit": ["path": "//evil.example"]], "/edit/path"),
            (["edit": ["path": "https://evil.example/"]], "/edit/path"),
            (["edit": ["headers": [["name": "X"]]]], "/edit/headers/0"),
            (["edit": ["headers": [["name": "X", "value": "a\r\nb"]]]], "/edit/headers/0"),
            ([:], "/password"),
        ] as [(JSON, String)]) func `the API names what cannot be sent, and sends nothing`(
            body: JSON, pointer: String
        ) async throws
    {
        let fixture = try await FoyerFixture()
        await fixture.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")],
            device: await fixture.device())
        let id = try await fixture.exchange("call=login")
        let count = await fixture.ask(.get, "/api/exchanges").json["total"]
        let refusal = await fixture.ask(.post, "/api/exchanges/\(id)/resend", json: body)
        #expect(refusal.status == 400)
        #expect(refusal.json["errors"]?[0]?["pointer"]?.string == pointer, "\(refusal.json)")
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == count)
    }
}
