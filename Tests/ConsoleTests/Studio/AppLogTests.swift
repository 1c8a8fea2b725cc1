import Support
import Testing
import Web

@testable import Console

/// An app's debug log: the studio's section and the API's text.
@Suite(.timeLimit(.minutes(10))) struct AppLogTests {
    private static let password = "Hammer-and-nail-1"

    /// A device on which Bob was rejected once and then signed in.
    private func signedIn(_ fixture: FoyerFixture) async -> String {
        let device = await fixture.device()
        await fixture.submitSuccessfully("/apps/bob/splash/launch", [], device: device)
        await fixture.succeed(
            .post, "/api/accounts",
            json: ["app": "bob", "email": "wendy@example.com", "password": .string(Self.password)])
        for password in [Self.password + "-wrong", Self.password] {
            await fixture.submitSuccessfully(
                "/apps/bob/login/submit",
                [("email", "wendy@example.com"), ("password", password)], device: device)
        }
        return device
    }

    @Test func `BOB-63 the log has the app's steps, and no secrets`() async throws {
        let fixture = try await FoyerFixture()
        let device = await signedIn(fixture)
        let log = await fixture.page("/api/devices/\(device)/apps/bob/log")
        #expect(log.headers["Content-Type"] == "text/plain; charset=utf-8")
        let lines = log.text.split(separator: "\n").map { line in
            // Without the time and what was measured.
            line.split(separator: " ", maxSplits: 1).last.map {
                $0.prefix { $0 != "," }
            }.map(String.init) ?? ""
        }
        for line in [
            "[app] Bob the Builder started", "[navigation] splash → onboarding",
            "[action] Sign In on login", "[network] POST /auth/login 401",
            "[action] Invalid email or password. Please try again.",
            "[network] POST /auth/login 200", "[storage] access_token written",
            "[navigation] login → projects",
        ] {
            #expect(lines.contains(line), "\(line) in \(log.text)")
        }
        for secret in [Self.password, "eyJ", "wendy@"] { #expect(!log.text.contains(secret)) }
        let studio = await fixture.page("/studio/bob?device=\(device)").text
        #expect(studio.contains("data-testid=\"studio.log.line\""))
        #expect(!studio.contains("wendy@example.com [") && studio.contains("POST /auth/login 200"))
        #expect(await fixture.page("/studio/bob/log?device=\(device)").text == log.text)
    }

    @Test func `BOB-63 a production backend has no log`() async throws {
        let fixture = try await FoyerFixture()
        let device = await signedIn(fixture)
        let path = "/api/devices/\(device)/apps/bob"
        await fixture.succeed(.patch, path, json: ["backend": "production"])
        let response = await fixture.ask(.get, path + "/log")
        #expect(response.status == 404)
        #expect(response.json["type"]?.string == "/problems/no-log")
        let studio = await fixture.page("/studio/bob?device=\(device)").text
        #expect(!studio.contains("data-part=\"log\""))
        let unknown = await fixture.ask(.get, "/api/devices/\(device)/apps/nothing/log")
        #expect(unknown.status == 404)
    }

    @Test(arguments: [
        ("Sent to mia@example.com.", "Sent to m…@example.com."), ("@here", "@here"), ("a b", "a b"),
    ]) func `an email address in a line is masked`(text: String, masked: String) {
        #expect(AppLogLine.maskingEmails(in: text) == masked)
    }
}
