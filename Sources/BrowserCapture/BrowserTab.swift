import FoundationEssentials
import Web

/// One page of the browser, for one picture at a time.
package struct BrowserTab: Sendable {
    let browser: ScreenshotBrowser
    /// The session that the DevTools know it by.
    let sessionID: String

    /// What is in the picture, in points, and how many pixels a point has.
    package struct Viewport: Sendable, Hashable {
        package var width: Int
        package var height: Int
        package var scale: Int

        package init(width: Int, height: Int, scale: Int) {
            self.width = width
            self.height = height
            self.scale = scale
        }
    }

    /// A PNG of the page at `url`, once its fonts and images are there.
    package func screenshot(of url: String, _ frame: Viewport) async throws(ScreenshotError)
        -> [UInt8]
    {
        try await browser.withTimeout { () throws(ScreenshotError) in
            _ = try await send(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": JSON(frame.width), "height": JSON(frame.height),
                    "deviceScaleFactor": JSON(frame.scale), "mobile": false,
                ])
            try await load(url)
            let answer = try await send("Page.captureScreenshot", ["format": "png"])
            guard let text = answer["data"]?.string, let data = Data(base64Encoded: text) else {
                throw .invalidImage
            }
            let bytes = [UInt8](data)
            let wanted = [frame.width, frame.height].map { $0 * frame.scale }
            guard Self.size(ofPNG: bytes) == wanted else { throw .invalidImage }
            return bytes
        }
    }

    func send(_ method: String, _ parameters: JSON = [:]) async throws(ScreenshotError) -> JSON {
        try await browser.send(method, parameters, tab: sessionID)
    }

    private func load(_ url: String) async throws(ScreenshotError) {
        let answer = try await send("Page.navigate", ["url": .string(url)])
        if let words = answer["errorText"]?.string, !words.isEmpty { throw .notLoaded(words) }
        while true {
            let told: JSON
            do {
                told = try await send(
                    "Runtime.evaluate",
                    [
                        "expression": .string(Self.readyScript), "awaitPromise": true,
                        "returnByValue": true,
                    ])
            } catch .commandFailed {
                // The page before it went while it was asked.
                try await browser.pause(.milliseconds(5))
                continue
            }
            let facts = told["result"]?["value"]
            // The page before it may have answered.
            guard facts?["address"]?.string == url, let status = facts?["status"]?.int else {
                try await browser.pause(.milliseconds(5))
                continue
            }
            guard status == 200 else { throw .badStatus(Int(status)) }
            return
        }
    }

    /// Settles when all that will be seen is there, and drawn once.
    private static let readyScript = """
        (async () => {
          if (document.readyState !== 'complete')
            await new Promise(done => addEventListener('load', done));
          await document.fonts.ready;
          await Promise.all([...document.images].map(
            image => image.decode().catch(() => {})));
          await new Promise(done => requestAnimationFrame(
            () => requestAnimationFrame(done)));
          const [way] = performance.getEntriesByType('navigation');
          return {address: location.href, status: way?.responseStatus};
        })()
        """

    /// Width and height, as its first chunk tells them.
    static func size(ofPNG bytes: [UInt8]) -> [Int]? {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.count > 24, bytes.starts(with: start) else { return nil }
        return [16, 20].map { at in bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    }
}
