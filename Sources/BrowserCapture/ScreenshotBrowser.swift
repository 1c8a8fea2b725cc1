package import Core
import Glibc
import Web

/// Takes screenshots of pages with its own headless Chromium.
package struct ScreenshotBrowser: Sendable {
    private let process: BrowserProcess
    private let connection: DevToolsConnection
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

    func send(_ method: String, _ parameters: JSON, tab: String) async throws(ScreenshotError)
        -> JSON
    { try await connection.send(method, parameters, tab: tab) }

    func pause(_ time: Duration) async throws(ScreenshotError) {
        do { try await world.sleep(time) } catch { throw .closed }
    }

    /// Closes the connection when `work` exceeds the timeout: a hung browser counts as ended.
    func withTimeout<R>(_ work: () async throws(ScreenshotError) -> R) async throws(ScreenshotError)
        -> R
    {
        let timeoutTask = Task { [world, connection, timeout] in
            try await world.sleep(timeout)
            connection.close(.timedOut(timeout))
        }
        defer { timeoutTask.cancel() }
        return try await work()
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
