import BrowserCapture
import Core
import Support
import Testing

/// A Chromium that does not do as it should.
@Suite(.timeLimit(.minutes(10))) struct ScreenshotBrowserTests {
    private static let bound = Duration.seconds(300)

    private func failure(of browser: FakeBrowser, in world: World = .live()) async
        -> ScreenshotError?
    {
        // A child that another test is starting right now holds the script
        // open for writing until it has become its program.
        let busy = ScreenshotError.notStarted(reason: "Text file busy")
        while true {
            let failure = await failureOnce(of: browser, world)
            if failure != busy { return failure }
        }
    }

    private func failureOnce(of browser: FakeBrowser, _ world: World) async -> ScreenshotError? {
        do throws(ScreenshotError) {
            let camera = try await ScreenshotBrowser(
                chromium: browser.path, folder: browser.folder, world: world, timeout: Self.bound)
            await camera.close()
            return nil
        } catch { return error }
    }

    @Test func `one that ends is told with its last words`() async throws {
        let browser = try FakeBrowser("echo 'no display' >&2; exit 1")
        #expect(await failure(of: browser) == .ended(lastLogLine: "no display"))
    }

    @Test func `one that hangs is ended, with what it started`() async throws {
        let frozen = FrozenWorld()
        let browser = try FakeBrowser("sleep 600 & echo $$ $! > \"$TMPDIR/pids\"; wait")
        async let failure = failure(of: browser, in: frozen.world)
        #expect(await eventually { browser.running == 2 && frozen.wakes(in: 300...300) })
        frozen.advance(by: 300)
        // Asked to end first, then by force.
        #expect(await eventually { frozen.wakes(in: 3...3) })
        #expect(browser.running == 2)
        frozen.advance(by: 3)
        #expect(await failure == .timedOut(Self.bound))
        #expect(await eventually { browser.running == 0 })
    }

    @Test func `one that cannot be started is told with the reason`() async throws {
        let browser = try FakeBrowser("exit 0")
        let failure = await #expect(throws: ScreenshotError.self) {
            try await ScreenshotBrowser(
                chromium: browser.folder, folder: browser.folder, world: .live(),
                timeout: Self.bound)
        }
        #expect(failure == .notStarted(reason: "Permission denied"))
    }

    @Test func `an answer without an end is no answer`() async throws {
        let browser = try FakeBrowser("head -c 100000000 /dev/zero | tr '\\0' x >&4; sleep 600")
        #expect(await failure(of: browser) == .ended(lastLogLine: "an answer without an end"))
    }

    @Test func `what a command is refused with is told`() async throws {
        // It is asked before it answers.
        let browser = try FakeBrowser(
            #"head -c 1 <&3 >/dev/null; printf '{"method":"An.event"}\0{"id":1,"error":{"#
                + #""message":"not today"}}\0' >&4; exec cat <&3 >/dev/null"#)
        #expect(
            await failure(of: browser)
                == .commandFailed(method: "Browser.getVersion", message: "not today")
        )
    }
}
