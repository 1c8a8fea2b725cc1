import Backend
import Support
import Testing
import Web

/// Anonymous Wall's pages over the embedded backend.
@Suite(.timeLimit(.minutes(10))) struct WallScreenTests {
    @Test(arguments: ["embedded", "campusEmbedded"])
    func `WALL-07 the embedded backend mails the code, in both dialects`(backend: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let place = "/api/devices/\(device)/apps/wall"
        await fixture.succeed(.patch, place, json: ["backend": .string(backend)])
        await fixture.submitted("/apps/wall/start/launch", [], device: device)
        let email = "ada@mit.edu"
        func send(_ action: String, _ code: String? = nil) async -> String? {
            await fixture.submit(
                "/apps/wall/" + action, [("email", email)] + (code.map { [("code", $0)] } ?? []),
                device: device
            ).location
        }
        func mailed(_ purpose: String) async throws -> String {
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
        #expect(await send("login/submit", try mailed("register")) == "/apps/wall/wall")
        #expect(await text("wall").contains("Logged in as: <strong>\(email)</strong>"))
        _ = await send("wall/logout")

        _ = await send("login/getCode", "")
        #expect(await text("login").contains("data-testid=\"login.notice\""))
        #expect(await send("login/submit", "000000x") == "/apps/wall/login")
        #expect(await text("login").contains("data-testid=\"login.error\""))
        #expect(await send("login/submit", try mailed("login")) == "/apps/wall/wall")
        _ = await send("wall/logout")

        // An account that is there needs no registration.
        _ = await send("register/submit")
        let refused = await text("register")
        #expect(refused.contains("data-testid=\"register.error\""))
        #expect(refused.contains("An account with this email already exists"))
    }
}
