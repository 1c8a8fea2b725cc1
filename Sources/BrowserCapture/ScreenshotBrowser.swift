package import Core
import FoundationEssentials
import Glibc
import Web

/// Takes screenshots of pages with its own headless Chromium.
package struct ScreenshotBrowser: Sendable {
    private let process: BrowserProcess
    fileprivate let connection: DevToolsConnection
    private let world: World
    private let timeout: Duration

    /// Starts Chromium with all its files in `folder`. Neither the start nor a screenshot takes
    /// longer than `timeout`.
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

    /// Opens a tab whose requests carry the header fields.
    package func openTab(headers: [String: String]) async throws(ScreenshotError) -> BrowserTab {
        try await withTimeout { () throws(ScreenshotError) in
            let target = try await connection.send(
                "Target.createTarget", ["url": "about:blank", "newWindow": true])
            let attached = try await connection.send(
                "Target.attachToTarget",
                ["targetId": JSON(target["targetId"]?.string), "flatten": true])
            let tab = BrowserTab(browser: self, sessionID: attached["sessionId"]?.string ?? "")
            _ = try await tab.send("Network.enable")
            _ = try await tab.send(
                "Network.setExtraHTTPHeaders",
                ["headers": .object(headers.map { JSON.Member($0, .string($1)) })])
            return tab
        }
    }

    /// Quits Chromium, by force after 3 s. Pending screenshots fail, and no child process is left
    /// running.
    package func close() async {
        let quitCommand = Task { [connection] in _ = try? await connection.send("Browser.close") }
        let killTimer = Task { [world, process] in
            try await world.sleep(.seconds(3))
            process.signal(SIGKILL)
        }
        await process.waitForExit()
        killTimer.cancel()
        connection.close(.closed)
        await quitCommand.value
    }

    fileprivate func pause(_ time: Duration) async throws(ScreenshotError) {
        do { try await world.sleep(time) } catch { throw .closed }
    }

    /// Closes the connection when `work` exceeds the timeout: a hung browser counts as ended.
    fileprivate func withTimeout<R>(
        _ work: () async throws(ScreenshotError) -> R
    ) async throws(ScreenshotError) -> R {
        let timeoutTask = Task { [world, connection, timeout] in
            try await world.sleep(timeout)
            connection.close(.timedOut(timeout))
        }
        defer { timeoutTask.cancel() }
        return try await work()
    }
}

/// One browser tab; takes one screenshot at a time.
package struct BrowserTab: Sendable {
    fileprivate let browser: ScreenshotBrowser
    /// The DevTools session id.
    fileprivate let sessionID: String

    /// A PNG of the page at `url`, taken after its fonts and images are loaded; the size is in
    /// points, the scale in pixels per point.
    package func screenshot(of url: String, width: Int, height: Int, scale: Int)
        async throws(ScreenshotError) -> [UInt8]
    {
        try await browser.withTimeout { () throws(ScreenshotError) in
            _ = try await send(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": JSON(width), "height": JSON(height),
                    "deviceScaleFactor": JSON(scale), "mobile": false,
                ])
            try await load(url)
            let response = try await send("Page.captureScreenshot", ["format": "png"])
            guard let text = response["data"]?.string, let data = Data(base64Encoded: text) else {
                throw .invalidImage
            }
            let bytes = [UInt8](data)
            guard Self.size(ofPNG: bytes) == [width * scale, height * scale] else {
                throw .invalidImage
            }
            return bytes
        }
    }

    fileprivate func send(_ method: String, _ parameters: JSON = [:])
        async throws(ScreenshotError) -> JSON
    { try await browser.connection.send(method, parameters, tab: sessionID) }

    private func load(_ url: String) async throws(ScreenshotError) {
        let response = try await send("Page.navigate", ["url": .string(url)])
        if let message = response["errorText"]?.string, !message.isEmpty {
            throw .notLoaded(message)
        }
        while true {
            var page: JSON?
            do {
                page = try await send(
                    "Runtime.evaluate",
                    [
                        "expression": .string(Self.readyScript), "awaitPromise": true,
                        "returnByValue": true,
                    ])["result"]?["value"]
            } catch .commandFailed {
                // The previous page was discarded during the evaluation.
            }
            // The previous page may have responded.
            guard page?["url"]?.string == url, let status = page?["status"]?.int else {
                try await browser.pause(.milliseconds(5))
                continue
            }
            guard status == 200 else { throw .badStatus(Int(status)) }
            return
        }
    }

    /// Resolves when all visible content is loaded and has been drawn once.
    private static let readyScript = """
        (async () => {
          if (document.readyState !== 'complete')
            await new Promise(done => addEventListener('load', done));
          await document.fonts.ready;
          await Promise.all([...document.images].map(
            image => image.decode().catch(() => {})));
          await new Promise(done => requestAnimationFrame(
            () => requestAnimationFrame(done)));
          const [navigation] = performance.getEntriesByType('navigation');
          return {url: location.href, status: navigation?.responseStatus};
        })()
        """

    /// Width and height from the PNG's first chunk.
    private static func size(ofPNG bytes: [UInt8]) -> [Int]? {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.count > 24, bytes.starts(with: signature) else { return nil }
        return [16, 20].map { offset in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    }
}

/// Why no screenshot was taken.
package enum ScreenshotError: Error, Sendable, Equatable {
    /// The system could not start the program.
    case notStarted(reason: String)
    /// The process ended; with its last log line, if any.
    case ended(lastLogLine: String?)
    /// The timeout was exceeded.
    case timedOut(Duration)
    /// DevTools rejected the command; with its message.
    case commandFailed(method: String, message: String)
    /// The page could not be loaded.
    case notLoaded(String)
    case badStatus(Int)
    /// The image is not a PNG of the expected size.
    case invalidImage
    /// The browser was closed meanwhile.
    case closed
}
