import Glibc
package import Surroundings
import Web

/// Takes pictures of pages with a headless Chromium of its own.
package struct Camera: Sendable {
    private let process: BrowserProcess
    private let conversation: Conversation
    private let world: World
    private let bound: Duration

    /// Starts Chromium; all it keeps is in `folder`. Neither its start nor a
    /// picture takes longer than `bound`.
    package init(chromium: String, folder: String, world: World, bound: Duration)
        async throws(CameraError)
    {
        process = try BrowserProcess(chromium, folder: folder)
        conversation = Conversation(with: process)
        self.world = world
        self.bound = bound
        do {
            _ = try await inTime { () throws(CameraError) in
                try await conversation.ask("Browser.getVersion")
            }
        } catch {
            await close()
            throw error
        }
    }

    /// A page, whose requests carry the header fields.
    package func page(headers: [String: String]) async throws(CameraError) -> CameraPage {
        try await inTime { () throws(CameraError) in
            let target = try await conversation.ask(
                "Target.createTarget", ["url": "about:blank", "newWindow": true])
            let attached = try await conversation.ask(
                "Target.attachToTarget",
                ["targetId": JSON(target["targetId"]?.string), "flatten": true])
            let page = CameraPage(camera: self, id: attached["sessionId"]?.string ?? "")
            _ = try await page.ask("Network.enable")
            _ = try await page.ask(
                "Network.setExtraHTTPHeaders",
                ["headers": .object(headers.map { JSON.Member($0, .string($1)) })])
            return page
        }
    }

    /// Ends Chromium, by force if need be; whoever waits for a picture is
    /// told so. Nothing of it runs afterwards.
    package func close() async {
        let asked = Task { [conversation] in _ = try? await conversation.ask("Browser.close") }
        let hurry = Task { [world, process] in
            try await world.sleep(.seconds(3))
            process.signal(SIGKILL)
        }
        await process.end()
        hurry.cancel()
        conversation.end(.closed)
        await asked.value
    }

    func ask(_ method: String, _ parameters: JSON, page: String) async throws(CameraError) -> JSON {
        try await conversation.ask(method, parameters, page: page)
    }

    func pause(_ time: Duration) async throws(CameraError) {
        do { try await world.sleep(time) } catch { throw .closed }
    }

    /// A browser that hangs is one that has ended.
    func inTime<R>(_ work: () async throws(CameraError) -> R) async throws(CameraError) -> R {
        let watch = Task { [world, conversation, bound] in
            try await world.sleep(bound)
            conversation.end(.late(bound))
        }
        defer { watch.cancel() }
        return try await work()
    }
}
