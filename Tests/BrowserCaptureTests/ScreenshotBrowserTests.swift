import BrowserCapture
import Core
import Glibc
import Support
import Testing

/// Failures of Chromium.
@Suite(.timeLimit(.minutes(10))) struct ScreenshotBrowserTests {
    private static let timeout = Duration.seconds(300)

    private func failure(of browser: FakeBrowser, in world: World = .live()) async
        -> ScreenshotError?
    {
        // A child process that another test has just forked holds the script open for writing
        // until its `exec`.
        let busy = ScreenshotError.notStarted(reason: "Text file busy")
        while true {
            let failure = await failureOnce(of: browser, world)
            if failure != busy { return failure }
        }
    }

    private func failureOnce(of browser: FakeBrowser, _ world: World) async -> ScreenshotError? {
        do throws(ScreenshotError) {
            let screenshotBrowser = try await ScreenshotBrowser(
                chromium: browser.path, folder: browser.folder, world: world, timeout: Self.timeout)
            await screenshotBrowser.close()
            return nil
        } catch { return error }
    }

    @Test func `a browser that exits is reported with its last log line`() async throws {
        let browser = try FakeBrowser("echo 'no display' >&2; exit 1")
        #expect(await failure(of: browser) == .ended(lastLogLine: "no display"))
    }

    @Test func `a browser inherits no descriptor but those of its commands and responses`()
        async throws
    {
        let descriptor = fcntl(1, F_DUPFD, 200)
        try #require(descriptor >= 200)
        defer { close(descriptor) }
        let browser = try FakeBrowser("test ! -e /proc/self/fd/\(descriptor) || echo open >&2")
        #expect(await failure(of: browser) == .ended(lastLogLine: nil))
    }

    @Test func `a browser that hangs is killed together with its child processes`() async throws {
        let frozen = FrozenWorld()
        let browser = try FakeBrowser("sleep 600 & echo $$ $! > \"$TMPDIR/pids\"; wait")
        async let failure = failure(of: browser, in: frozen.world)
        #expect(await eventually { browser.runningCount == 2 && frozen.wakes(in: 300...300) })
        frozen.advance(by: 300)
        // It is asked to exit first and killed three seconds later.
        #expect(await eventually { frozen.wakes(in: 3...3) })
        #expect(browser.runningCount == 2)
        frozen.advance(by: 3)
        #expect(await failure == .timedOut(Self.timeout))
        #expect(await eventually { browser.runningCount == 0 })
    }

    @Test func `a browser that cannot be started is reported with the reason`() async throws {
        let browser = try FakeBrowser("exit 0")
        let failure = await #expect(throws: ScreenshotError.self) {
            try await ScreenshotBrowser(
                chromium: browser.folder, folder: browser.folder, world: .live(),
                timeout: Self.timeout)
        }
        #expect(failure == .notStarted(reason: "Permission denied"))
    }

    @Test func `an endless response is an error`() async throws {
        let browser = try FakeBrowser("head -c 100000000 /dev/zero | tr '\\0' x >&4; sleep 600")
        #expect(await failure(of: browser) == .ended(lastLogLine: "an unterminated response"))
    }

    @Test func `a refused command is reported with its message`() async throws {
        // The script waits for the command before it responds.
        let browser = try FakeBrowser(
            #"head -c 1 <&3 >/dev/null; printf '{"method":"An.event"}\0{"id":1,"error":{"#
                + #""message":"not today"}}\0' >&4; exec cat <&3 >/dev/null"#)
        #expect(
            await failure(of: browser)
                == .commandFailed(method: "Browser.getVersion", message: "not today")
        )
    }
}
