import FoundationEssentials
import Web

/// One browser tab; takes one screenshot at a time.
package struct BrowserTab: Sendable {
    let browser: ScreenshotBrowser
    /// The DevTools session id.
    let sessionID: String

    /// The page's size in points, and pixels per point.
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

    /// A PNG of the page at `url`, taken after its fonts and images are loaded.
    package func screenshot(of url: String, _ viewport: Viewport) async throws(ScreenshotError)
        -> [UInt8]
    {
        try await browser.withTimeout { () throws(ScreenshotError) in
            _ = try await send(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": JSON(viewport.width), "height": JSON(viewport.height),
                    "deviceScaleFactor": JSON(viewport.scale), "mobile": false,
                ])
            try await load(url)
            let response = try await send("Page.captureScreenshot", ["format": "png"])
            guard let text = response["data"]?.string, let data = Data(base64Encoded: text) else {
                throw .invalidImage
            }
            let bytes = [UInt8](data)
            let expectedSize = [viewport.width, viewport.height].map { $0 * viewport.scale }
            guard Self.size(ofPNG: bytes) == expectedSize else { throw .invalidImage }
            return bytes
        }
    }

    func send(_ method: String, _ parameters: JSON = [:]) async throws(ScreenshotError) -> JSON {
        try await browser.send(method, parameters, tab: sessionID)
    }

    private func load(_ url: String) async throws(ScreenshotError) {
        let response = try await send("Page.navigate", ["url": .string(url)])
        if let message = response["errorText"]?.string, !message.isEmpty {
            throw .notLoaded(message)
        }
        while true {
            let evaluation: JSON
            do {
                evaluation = try await send(
                    "Runtime.evaluate",
                    [
                        "expression": .string(Self.readyScript), "awaitPromise": true,
                        "returnByValue": true,
                    ])
            } catch .commandFailed {
                // The previous page was discarded during the evaluation.
                try await browser.pause(.milliseconds(5))
                continue
            }
            let page = evaluation["result"]?["value"]
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
    static func size(ofPNG bytes: [UInt8]) -> [Int]? {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.count > 24, bytes.starts(with: signature) else { return nil }
        return [16, 20].map { offset in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    }
}
