package import Core
import FoundationEssentials
import Glibc
package import Web

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
        _ limit: Duration? = nil, _ work: () async throws(ScreenshotError) -> R
    ) async throws(ScreenshotError) -> R {
        let timeoutTask = Task { [world, connection, timeout = limit ?? timeout] in
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
    ///
    /// A full-length picture is as high as the window that shows all of the page without
    /// scrolling: bars at the window's edges stay at the edges of the picture.
    package func screenshot(
        of url: String, width: Int, height: Int, scale: Int, isFullLength: Bool = false
    ) async throws(ScreenshotError) -> [UInt8] {
        try await browser.withTimeout { () throws(ScreenshotError) in
            try await setSize(width, height, scale)
            try await load(url)
            var height = height
            if isFullLength {
                // A taller window may show what depends on its height.
                for _ in 0..<3 {
                    let hidden = try await evaluate(Self.hiddenHeightScript).int ?? 0
                    let limit = Self.maxPixels / scale
                    guard hidden > 0, height < limit else { break }
                    height = min(height + Int(hidden), limit)
                    try await setSize(width, height, scale)
                }
            }
            let response = try await send("Page.captureScreenshot", ["format": "png"])
            guard let text = response["data"]?.string, let data = Data(base64Encoded: text) else {
                throw .invalidImage
            }
            let bytes = [UInt8](data)
            guard let size = PNG.size(of: bytes), size == (width * scale, height * scale) else {
                throw .invalidImage
            }
            return bytes
        }
    }

    /// For a page that shows or measures many screens.
    private static let longTimeout = Duration.seconds(300)

    /// The page at `url`, printed on A4 after `script` has run in it.
    package func pdf(of url: String, after script: String) async throws(ScreenshotError) -> [UInt8]
    {
        try await browser.withTimeout(Self.longTimeout) { () throws(ScreenshotError) in
            try await setSize(1_280, 900, 1)
            try await load(url)
            _ = try await evaluate(script)
            let response = try await send(
                "Page.printToPDF",
                [
                    "printBackground": true, "preferCSSPageSize": true, "paperWidth": 8.27,
                    "paperHeight": 11.69, "generateTaggedPDF": true,
                ])
            guard let text = response["data"]?.string, let data = Data(base64Encoded: text) else {
                throw .invalidImage
            }
            return [UInt8](data)
        }
    }

    /// The result of `script` on the page at `url`, in a window of the usual size.
    package func result(of script: String, on url: String) async throws(ScreenshotError) -> JSON {
        try await browser.withTimeout(Self.longTimeout) { () throws(ScreenshotError) in
            try await setSize(1_280, 900, 1)
            try await load(url)
            let result = try await evaluate(script)
            // The page would stay open, with its stream of events.
            _ = try await send("Page.navigate", ["url": "about:blank"])
            return result
        }
    }

    /// Compares two PNGs pixel by pixel, in the browser, which decodes them.
    package func difference(_ before: [UInt8], _ after: [UInt8]) async throws(ScreenshotError)
        -> PictureDifference
    {
        try await browser.withTimeout { () throws(ScreenshotError) in
            let texts = [before, after].map { "\"\(Data($0).base64EncodedString())\"" }
            let result = try await evaluate(
                "(\(PictureDifference.script))(\(texts.joined(separator: ", ")))")
            guard let difference = PictureDifference(result) else { throw .invalidImage }
            return difference
        }
    }

    /// The longest side of a picture: a larger texture is not drawn.
    private static let maxPixels = 16_384

    private func setSize(_ width: Int, _ height: Int, _ scale: Int) async throws(ScreenshotError) {
        _ = try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": JSON(width), "height": JSON(height), "deviceScaleFactor": JSON(scale),
                "mobile": false,
            ])
    }

    /// The value of a script, or of the promise it returns.
    func evaluate(_ script: String) async throws(ScreenshotError) -> JSON {
        let response = try await send(
            "Runtime.evaluate",
            ["expression": .string(script), "awaitPromise": true, "returnByValue": true])
        if let exception = response["exceptionDetails"] {
            let text = exception["exception"]?["description"]?.string ?? exception["text"]?.string
            throw .commandFailed(
                method: "a script",
                message: String((text ?? "").prefix { $0 != "\n" }.prefix(300)))
        }
        return response["result"]?["value"] ?? .null
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
                page = try await evaluate(Self.readyScript)
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

    /// How much of the page, or of the part of it that scrolls, is hidden below the window's edge,
    /// in points, once what was drawn last has its size.
    private static let hiddenHeightScript = """
        (async () => {
          await new Promise(done => requestAnimationFrame(
            () => requestAnimationFrame(done)));
          const page = document.scrollingElement;
          const scrolls = element => element === page
            || ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
          return Math.max(0, ...[page, ...document.querySelectorAll('body *')]
            .filter(element => element.scrollHeight > element.clientHeight && scrolls(element)
              && (element === page || element.clientHeight > innerHeight / 2))
            .map(element => element.scrollHeight - element.clientHeight));
        })()
        """
}

/// Why no screenshot was taken.
package enum ScreenshotError: Error, Sendable, Equatable {
    /// There is no Chromium on this machine.
    case notInstalled
    /// As many callers wait for the browser as may.
    case busy
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

    /// Why one picture was not taken; nil if none can be taken any more.
    package var pictureFailureReason: String? {
        switch self {
        case .notLoaded(let message): "its page did not load: \(message)"
        case .badStatus(let status): "its page responded with \(status)"
        case .commandFailed(let method, let message): "Chromium refused \(method): \(message)"
        case .invalidImage: "Chromium's picture is invalid"
        case .notInstalled, .busy, .notStarted, .ended, .timedOut, .closed: nil
        }
    }
}
