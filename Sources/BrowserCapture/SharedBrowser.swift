package import Core

/// A Chromium for all who need pictures: started when it is first needed, and quit when it has been
/// idle.
package actor SharedBrowser {
    private let configuration: Configuration
    private let world: World
    private var startTask: Task<Result<Running, ScreenshotError>, Never>?
    private var startCount = 0
    private var idleTabs: [BrowserTab] = []
    private var tabsInUse = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false
    /// Counts the uses: a timer that was started before another use has no effect.
    private var useCount = 0

    /// How many tabs work at the same time, and how many callers may wait for one.
    package static let tabLimit = 3
    private static let waitingLimit = 64
    private static let idleTime = Duration.seconds(30)

    package struct Configuration: Sendable {
        /// The path of Chromium's executable; nil if there is none.
        let findChromium: @Sendable () -> String?
        /// Makes a folder for Chromium's files, and returns its path and what removes it.
        let makeFolder: @Sendable () throws(ScreenshotError) -> Folder
        /// The limit for a start and for one picture.
        let timeout: Duration
        /// Of every request.
        let headers: [String: String]

        package typealias Folder = (path: String, remove: @Sendable () -> Void)

        package init(
            findChromium: @escaping @Sendable () -> String?,
            makeFolder: @escaping @Sendable () throws(ScreenshotError) -> Folder,
            timeout: Duration, headers: [String: String]
        ) {
            self.findChromium = findChromium
            self.makeFolder = makeFolder
            self.timeout = timeout
            self.headers = headers
        }

        /// For a machine without Chromium.
        package static let none = Self(
            findChromium: { nil },
            makeFolder: { () throws(ScreenshotError) in throw .notInstalled },
            timeout: .zero, headers: [:])
    }

    private struct Running {
        let browser: ScreenshotBrowser
        let removeFolder: @Sendable () -> Void
    }

    package init(_ configuration: Configuration, world: World) {
        self.configuration = configuration
        self.world = world
    }

    /// Whether there is a Chromium that can be started.
    package nonisolated var isInstalled: Bool { configuration.findChromium() != nil }

    /// The result of `work` in a tab of its own. It waits while all tabs are in use.
    package func withTab<Output: Sendable>(
        _ work: @Sendable (BrowserTab) async throws(ScreenshotError) -> Output
    ) async throws(ScreenshotError) -> Output {
        if tabsInUse >= Self.tabLimit {
            guard waiting.count < Self.waitingLimit else { throw .busy }
            // The tab in use is passed on.
            await withCheckedContinuation { waiting.append($0) }
        } else {
            tabsInUse += 1
        }
        useCount += 1
        defer { release() }
        let (tab, start) = try await openTab()
        do throws(ScreenshotError) {
            let output = try await work(tab)
            if start == startCount { idleTabs.append(tab) }
            return output
        } catch {
            if error.pictureFailureReason != nil {
                if start == startCount { idleTabs.append(tab) }
            } else if start == startCount {
                // The next caller starts another one.
                await quit()
            }
            throw error
        }
    }

    /// Quits Chromium; later calls fail.
    package func close() async {
        isClosed = true
        await quit()
    }

    // MARK: Tabs

    private func openTab() async throws(ScreenshotError) -> (BrowserTab, start: Int) {
        guard !isClosed else { throw .closed }
        if let tab = idleTabs.popLast() { return (tab, startCount) }
        let task = startTask ?? start()
        let count = startCount
        let running: Running
        do throws(ScreenshotError) {
            running = try await task.value.get()
        } catch {
            if count == startCount { startTask = nil }
            throw error
        }
        do throws(ScreenshotError) {
            return (try await running.browser.openTab(headers: configuration.headers), count)
        } catch {
            if count == startCount { await quit() }
            throw error
        }
    }

    private func release() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        tabsInUse -= 1
        guard tabsInUse == 0, startTask != nil else { return }
        let count = useCount
        Task { [world] in
            try? await world.sleep(Self.idleTime)
            await quitIfIdle(since: count)
        }
    }

    private func quitIfIdle(since count: Int) async {
        if tabsInUse == 0, useCount == count { await quit() }
    }

    // MARK: The process

    private func start() -> Task<Result<Running, ScreenshotError>, Never> {
        startCount += 1
        let task = Task { [configuration, world] () -> Result<Running, ScreenshotError> in
            do throws(ScreenshotError) {
                guard let chromium = configuration.findChromium() else { throw .notInstalled }
                let folder = try configuration.makeFolder()
                do throws(ScreenshotError) {
                    let browser = try await ScreenshotBrowser(
                        chromium: chromium, folder: folder.path, world: world,
                        timeout: configuration.timeout)
                    return .success(Running(browser: browser, removeFolder: folder.remove))
                } catch {
                    folder.remove()
                    throw error
                }
            } catch { return .failure(error) }
        }
        startTask = task
        return task
    }

    private func quit() async {
        guard let task = startTask else { return }
        startTask = nil
        startCount += 1
        idleTabs = []
        guard case .success(let running) = await task.value else { return }
        await running.browser.close()
        running.removeFolder()
    }
}
