package import Core
import Glibc
import Web

/// Takes pictures of pages with a headless Chromium of its own.
package struct ScreenshotBrowser: Sendable {
    private let process: BrowserProcess
    private let connection: DevToolsConnection
    private let world: World
    private let timeout: Duration

    /// Starts Chromium; all it keeps is in `folder`. Neither its start nor a
    /// picture takes longer than `bound`.
    package init(chromium: String, folder: String, world: World, timeout: Duration)
        async throws(ScreenshotError)
    {
        process = try BrowserProcess(chromium, folder: folder)
        connection = DevToolsConnection(with: process)
        self.world = world
        self.timeout = timeout
        do {
            _ = try await withTimeout { () throws(ScreenshotError) in
                try await connection.send("Browser.getVersion")
            }
        } catch {
            await close()
            throw error
        }
    }

    /// A page, whose requests carry the header fields.
    package func openTab(headers: [String: String]) async throws(ScreenshotError) -> BrowserTab {
        try await withTimeout { () throws(ScreenshotError) in
            let target = try await connection.send(
                "Target.createTarget", ["url": "about:blank", "newWindow": true])
            let attached = try await connection.send(
                "Target.attachToTarget",
                ["targetId": JSON(target["targetId"]?.string), "flatten": true])
            let page = BrowserTab(browser: self, sessionID: attached["sessionId"]?.string ?? "")
            _ = try await page.send("Network.enable")
            _ = try await page.send(
                "Network.setExtraHTTPHeaders",
                ["headers": .object(headers.map { JSON.Member($0, .string($1)) })])
            return page
        }
    }

    /// Ends Chromium, by force if need be; whoever waits for a picture is
    /// told so. Nothing of it runs afterwards.
    package func close() async {
        let asked = Task { [conversation = connection] in
            _ = try? await conversation.send("Browser.close")
        }
        let hurry = Task { [world, process] in
            try await world.sleep(.seconds(3))
            process.signal(SIGKILL)
        }
        await process.waitForExit()
        hurry.cancel()
        connection.close(.closed)
        await asked.value
    }

    func send(_ method: String, _ parameters: JSON, tab: String) async throws(ScreenshotError)
        -> JSON
    {
        try await connection.send(method, parameters, tab: tab)
    }

    func pause(_ time: Duration) async throws(ScreenshotError) {
        do { try await world.sleep(time) } catch { throw .closed }
    }

    /// A browser that hangs is one that has ended.
    func withTimeout<R>(_ work: () async throws(ScreenshotError) -> R) async throws(ScreenshotError)
        -> R
    {
        let watch = Task { [world, conversation = connection, bound = timeout] in
            try await world.sleep(bound)
            conversation.close(.timedOut(bound))
        }
        defer { watch.cancel() }
        return try await work()
    }
}
