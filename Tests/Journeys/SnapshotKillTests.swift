import Support
import Testing
import Web

/// Restoring a snapshot survives SIGKILL at any moment.
@Suite(.timeLimit(.minutes(10))) struct SnapshotKillTests {
    private func takeSnapshot(_ browser: TestBrowser, _ device: String) async throws -> String {
        try await browser.json("POST", "/api/snapshots", device: device, json: ["name": "one"])[
            "id"]?.string ?? ""
    }

    @Test func `SIGKILL during a restore leaves both halves of the snapshot consistent`()
        async throws
    {
        let scratch = try TemporaryDirectory()
        var foyer = try await FoyerProcess.start(in: scratch)
        var browser = try foyer.browser()
        let device = try await browser.makeDevice()
        _ = try await browser.register("half@example.com", device: device)
        let session =
            try await browser.json("GET", "/api/sessions")["items"]?[0]?["id"]?.string ?? ""
        let refresh = "/api/sessions/\(session)/refresh"
        let old = try await takeSnapshot(browser, device)
        _ = try await browser.json("POST", refresh)
        let new = try await takeSnapshot(browser, device)
        var total = 0
        for round in 0..<6 {
            let running = foyer
            // Alternates, so that a half restored alone would be older or newer than the other.
            async let kill: Void = {
                try? await Task.sleep(for: .milliseconds(40 + 17 * round))
                await running.kill()
            }()
            var restored = 0
            while (try? await browser.json(
                "POST", "/api/snapshots/\(restored % 2 == 0 ? old : new)/restore")) != nil
            { restored += 1 }
            await kill
            total += restored
            foyer = try await FoyerProcess.start(in: scratch)
            browser = try foyer.browser()
            let state = try await browser.json("POST", refresh)
            #expect(state["state"]?.string == "active")
        }
        // Otherwise no restore was interrupted.
        #expect(total > 0)
        #expect(await foyer.stop() == 0)
    }
}
