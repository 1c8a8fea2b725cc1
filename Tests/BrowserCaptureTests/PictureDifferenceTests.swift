@testable import BrowserCapture
import Core
import FoundationEssentials
import Support
import Testing
import Web

/// Comparing pictures, and sharing the browser that does it.
@Suite(.timeLimit(.minutes(10))) struct PictureDifferenceTests {
    /// A PNG of `width` × 2 pixels, of which `changed` have another green.
    private static func picture(
        width: Int = 4, changed: Int = 0, by amount: UInt8 = 0, in tab: BrowserTab
    ) async throws -> [UInt8] {
        // The browser makes its own test pictures, from a page without content.
        let script = """
            (async () => {
              const canvas = new OffscreenCanvas(\(width), 2);
              const context = canvas.getContext('2d');
              const image = context.createImageData(\(width), 2);
              for (let at = 0; at < image.data.length; at += 4) {
                const green = 100 + (at / 4 < \(changed) ? \(amount) : 0);
                image.data.set([40, green, 200, 255], at);
              }
              context.putImageData(image, 0, 0);
              const bytes = new Uint8Array(
                await (await canvas.convertToBlob()).arrayBuffer());
              return btoa(String.fromCharCode(...bytes));
            })()
            """
        let text = try await tab.evaluate(script).string ?? ""
        return [UInt8](try #require(Data(base64Encoded: text)))
    }

    private static func makeBrowser(
        _ world: World = .live(), path: String? = nil,
        folder: String = "/tmp/foyer-shared-\(UUID().uuidString)"
    ) throws -> SharedBrowser {
        let path = try #require(path ?? Chromium.find(path: "/usr/bin:/usr/local/bin"))
        return SharedBrowser(
            .init(
                findChromium: { path },
                makeFolder: { () throws(ScreenshotError) in
                    do {
                        try FileManager.default.createDirectory(
                            atPath: folder, withIntermediateDirectories: true)
                    } catch { throw .notStarted(reason: "no folder") }
                    return (folder, { try? FileManager.default.removeItem(atPath: folder) })
                }, timeout: .seconds(300), headers: [:]), world: world)
    }

    @Test func `differing pixels are counted and marked, small differences tolerated`()
        async throws
    {
        let browser = try Self.makeBrowser()
        let work = { @Sendable (tab: BrowserTab) async throws -> Void in
            let plain = try await Self.picture(in: tab)
            let same = try await tab.difference(plain, plain)
            #expect(same.pixels == 0 && same.total == 8 && same.picture.isEmpty)
            let rounded = try await Self.picture(changed: 8, by: 2, in: tab)
            #expect(try await tab.difference(plain, rounded).pixels == 0)
            let other = try await Self.picture(changed: 3, by: 3, in: tab)
            let difference = try await tab.difference(plain, other)
            #expect(difference.pixels == 3)
            #expect(difference.percent == 37.5)
            #expect(!difference.hasOtherSize)
            #expect(PNG.size(of: difference.picture).map { [$0.width, $0.height] } == [4, 2])
            let wide = try await Self.picture(width: 6, in: tab)
            let resized = try await tab.difference(plain, wide)
            #expect(resized.hasOtherSize)
            #expect(resized.before == [4, 2] && resized.after == [6, 2])
            #expect(resized.pixels == 4 && resized.total == 12)
        }
        let failure = try await browser.withTab { tab throws(ScreenshotError) -> String? in
            do { try await work(tab) } catch { return "\(error)" }
            return nil
        }
        #expect(failure == nil)
        await browser.close()
    }

    @Test func `what is not a picture is an error, and the tab is used again`() async throws {
        let browser = try Self.makeBrowser()
        for _ in 0..<(SharedBrowser.tabLimit + 1) {
            await #expect(throws: ScreenshotError.self) {
                try await browser.withTab { tab throws(ScreenshotError) in
                    try await tab.difference([1, 2], [3])
                }
            }
        }
        await browser.close()
    }

    @Test func `the browser is started when it is needed, and quits when it is idle`() async throws
    {
        let frozen = FrozenWorld()
        let folder = "/tmp/foyer-idle-\(UUID().uuidString)"
        let browser = try Self.makeBrowser(frozen.world, folder: folder)
        @Sendable func isRunning() -> Bool { FileManager.default.fileExists(atPath: folder) }
        #expect(!isRunning())
        let first = try await Self.version(of: browser)
        #expect(await eventually { frozen.wakes(in: 30...30) })
        // A use starts the time again.
        frozen.advance(by: 20)
        #expect(try await Self.version(of: browser) == first)
        #expect(await eventually { frozen.wakes(in: 30...30) })
        frozen.advance(by: 10)
        #expect(await eventually { frozen.sleeping == 1 })
        #expect(isRunning())
        frozen.advance(by: 20)
        #expect(await eventually { !isRunning() })
        // Another one is started.
        #expect(try await Self.version(of: browser) != first)
        await browser.close()
        #expect(!isRunning())
    }

    /// A number that only this process of the browser has.
    private static func version(of browser: SharedBrowser) async throws -> Int64 {
        try await browser.withTab { tab throws(ScreenshotError) in
            try await tab.evaluate("Math.round(performance.timeOrigin)").int ?? 0
        }
    }

    @Test func `without Chromium every use says so`() async throws {
        let browser = SharedBrowser(.none, world: .live())
        #expect(!browser.isInstalled)
        let failure = await #expect(throws: ScreenshotError.self) {
            try await Self.version(of: browser)
        }
        #expect(failure == .notInstalled)
    }

    @Test func `a browser that ended is replaced by another one`() async throws {
        let fake = try FakeBrowser("echo 'no display' >&2; exit 1")
        let browser = try Self.makeBrowser(path: fake.path)
        for _ in 0..<2 {
            let failure = await #expect(throws: ScreenshotError.self) {
                try await Self.version(of: browser)
            }
            #expect(failure != .closed)
        }
        await browser.close()
        let failure = await #expect(throws: ScreenshotError.self) {
            try await Self.version(of: browser)
        }
        #expect(failure == .closed)
    }
}
