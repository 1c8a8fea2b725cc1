import Backend
import Core
import Support
import Testing
import Web

/// Anonymous Wall's pages with the embedded backend.
@Suite(.timeLimit(.minutes(10))) struct WallScreenTests {
    @Test(arguments: ["embedded", "campusEmbedded"])
    func `WALL-07 both embedded dialects mail the verification code`(backend: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/api/devices/\(device)/apps/wall"
        await fixture.succeed(.patch, path, json: ["backend": .string(backend)])
        await fixture.submitSuccessfully("/apps/wall/start/launch", [], device: device)
        let email = "ada@mit.edu"
        func send(_ action: String, _ code: String? = nil) async -> String? {
            await fixture.submit(
                "/apps/wall/" + action, [("email", email)] + (code.map { [("code", $0)] } ?? []),
                device: device
            ).location
        }
        func mailedCode(_ purpose: String) async throws -> String {
            let page = try await fixture.backend.mailbox.list(
                workspace: "main", to: email, purpose: purpose)
            return try #require(page.items.first?.code)
        }
        func text(_ screen: String) async -> String {
            await fixture.page("/apps/wall/" + screen, device: device).text
        }

        _ = await send("register/submit")
        #expect(
            await text("register").contains(
                "Verification code sent to your email. Please check your inbox."))
        #expect(await send("login/submit", try mailedCode("register")) == "/apps/wall/wall")
        #expect(await text("wall").contains("Logged in as: <strong>\(email)</strong>"))
        _ = await send("wall/logout")

        _ = await send("login/getCode", "")
        #expect(await text("login").contains("data-testid=\"login.notice\""))
        #expect(await send("login/submit", "000000x") == "/apps/wall/login")
        #expect(await text("login").contains("data-testid=\"login.error\""))
        #expect(await send("login/submit", try mailedCode("login")) == "/apps/wall/wall")
        _ = await send("wall/logout")

        // An existing account cannot register again.
        _ = await send("register/submit")
        let rejected = await text("register")
        #expect(rejected.contains("data-testid=\"register.error\""))
        #expect(rejected.contains("An account with this email already exists"))
    }
}
