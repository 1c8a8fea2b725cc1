import Support
import Testing
import Web

@testable import Console

/// Resending a request: the form explains an error beside its field, the API returns a pointer.
@Suite(.timeLimit(.minutes(10))) struct ResendPagesTests {
    /// Submits the resend form of a rejected sign-in with `changes`; returns the error page.
    private func resend(_ changes: [String: String], _ fixture: FoyerFixture) async throws -> String
    {
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        let id = try await fixture.exchange("call=login")
        let page = await fixture.submit(
            "/traffic/\(id)/resend", changes.map { ($0.key, $0.value) })
        #expect(page.status == 400)
        return page.text
    }

    @Test(arguments: [
        ("method", "G3T", "The method must be an uppercase word"),
        ("path", "auth", "The path must begin with one slash."),
        ("path", "/a b", "The path contains invalid URL characters."),
        ("path", "https://evil.example/", "The path is on another server"),
        ("headers", "no colon", "A header line is invalid: "),
        (
            "path", "/" + String(repeating: "x", count: 20_000),
            "The path is too long: 20,0"
        ),
    ]) func `an error is shown beside its field without a pointer`(
        field: String, value: String, message: String
    ) async throws {
        let page = try await resend([field: value, "password": "x"], FoyerFixture())
        let error = page.split(separator: "\n").first {
            $0.contains("data-testid=\"resend.\(field).error\"")
        }
        #expect(error?.contains(message) == true, "\(error ?? "")")
        #expect(!page.contains("/edit/"))
        #expect(!page.contains("resend.error"))
    }

    @Test func `a missing password is requested in its field`() async throws {
        let page = try await resend([:], FoyerFixture())
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
        ] as [(JSON, String)])
    func `the API reports the pointer of what is invalid and sends nothing`(
        body: JSON, pointer: String
    ) async throws {
        let fixture = try await FoyerFixture()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")],
            device: await fixture.device())
        let id = try await fixture.exchange("call=login")
        let count = await fixture.ask(.get, "/api/exchanges").json["total"]
        let rejection = await fixture.ask(.post, "/api/exchanges/\(id)/resend", json: body)
        #expect(rejection.status == 400)
        #expect(rejection.json["errors"]?[0]?["pointer"]?.string == pointer, "\(rejection.json)")
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == count)
    }
}
