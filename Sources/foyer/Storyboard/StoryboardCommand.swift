import BrowserCapture
import Console
import Core
import FoundationEssentials
import Glibc
import HTTPServer
import Storyboards
import Web

/// `foyer storyboard`: runs a temporary application and a Chromium, takes pictures, and removes
/// both.
struct StoryboardCommand {
    let options: StoryboardOptions

    /// A picture takes a tenth of a second; this leaves time on a busy machine.
    private static let pictureTimeout = Duration.seconds(30)

    /// No summary if a signal interrupted the run.
    private typealias Outcome = Result<PictureRun.RunSummary?, StartError>

    /// Returns the exit code: 0 if every reachable state has its pictures.
    func run(until signals: Signals) async throws -> Int32 {
        let chromium = try findChromium()
        let scratch = try TemporaryDirectory(in: options.temporaryFolder)
        let cleanups = CleanupStack()
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do { return .success(try await takePictures(chromium, scratch, cleanups)) } catch {
                    return .failure(StartError(error))
                }
            }
            group.addTask {
                await signals.waitForFirst()
                return .success(nil)
            }
            let first = await group.next() ?? .success(nil)
            group.cancelAll()
            await cleanups.close()
            return first
        }
        scratch.remove()
        return try outcome.get().map(printSummary) ?? 130
    }

    private func takePictures(
        _ chromium: String, _ scratch: TemporaryDirectory, _ cleanups: CleanupStack
    ) async throws -> PictureRun.RunSummary {
        var serverOptions = options.server
        serverOptions.dataPath = scratch.path + "/data"
        serverOptions.port = 0
        serverOptions.backendPort = 0
        // The accounts are deleted with the data folder.
        serverOptions.passwordCost = 1
        let application = try await Application(serverOptions)
        try await cleanups.push(application.close)
        let catalog = application.site.storyboardCatalog
        var broken: [String] = []
        let states = try selectStates(catalog, &broken)
        let folder = try PictureFolder(options.outputFolder)
        let browser = try await ScreenshotBrowser(
            chromium: chromium, folder: scratch.path, world: .live(), timeout: Self.pictureTimeout)
        try await cleanups.push(browser.close)
        var summary = try await PictureRun(
            options: options, catalog: catalog, browser: browser, folder: folder,
            base: "http://127.0.0.1:\(application.consoleServer.port)",
            key: application.consoleKey ?? "", reportProgress: StandardOutput.progress
        ).run(states)
        summary.brokenApps = broken
        return summary
    }

    /// The states of the requested apps; apps in `broken` have none.
    private func selectStates(_ catalog: StoryboardCatalog, _ broken: inout [String]) throws
        -> [StateID]
    {
        let availableIDs = catalog.appIDs
        let requestedIDs = options.apps.isEmpty ? availableIDs : options.apps
        return try requestedIDs.flatMap { app -> [StateID] in
            guard availableIDs.contains(app) else {
                throw StartError(
                    "unknown app \(app.prefix(60)); valid values: "
                        + availableIDs.joined(separator: ", ") + ".")
            }
            do { return try catalog.states(of: app) } catch let problem as Problem {
                for line in problem.detail.split(separator: "\n") {
                    StandardOutput.warn(String(line))
                }
                guard options.apps.isEmpty else { throw StartError(problem.title + ".") }
                // A broken app does not affect the others.
                broken.append(problem.title + ".")
                return []
            }
        }
    }

    private func findChromium() throws -> String {
        guard let file = options.chromiumFile ?? Chromium.find(path: options.searchPath) else {
            throw StartError.noChromium
        }
        guard options.chromiumFile == nil || Chromium.isExecutable(file) else {
            throw StartError(
                "\(file) is not executable; use --chromium with the path of a Chromium, or omit "
                    + "it.")
        }
        return file
    }

    private func printSummary(_ summary: PictureRun.RunSummary) -> Int32 {
        let count =
            summary.pictureCount == 1 ? "1 screenshot" : "\(summary.pictureCount) screenshots"
        StandardOutput.info("\(count) in \(options.outputFolder), of \(summary.stateCount) states")
        for (title, list) in [("unreachable", summary.unreachable), ("failed", summary.failed)]
        where !list.isEmpty {
            StandardOutput.info("\(title), \(list.count):")
            for (state, reason) in list {
                StandardOutput.info("  \(state.app) \(state.screen) \(state.state): \(reason)")
            }
        }
        for line in summary.brokenApps { StandardOutput.info(line) }
        return summary.failed.isEmpty && summary.brokenApps.isEmpty ? 0 : 1
    }
}

/// Cleanup closures of a command, run in reverse order.
actor CleanupStack {
    private var cleanups: [@Sendable () async -> Void] = []
    private var isClosed = false

    /// Adds a cleanup. If the stack is closed already, runs it at once and throws.
    func push(_ cleanup: @escaping @Sendable () async -> Void) async throws {
        guard !isClosed else {
            await cleanup()
            throw CancellationError()
        }
        cleanups.append(cleanup)
    }

    func close() async {
        isClosed = true
        while let cleanup = cleanups.popLast() { await cleanup() }
    }
}

/// A folder for the duration of one run, accessible by its owner only.
struct TemporaryDirectory {
    let path: String

    /// In bytes: Chromium creates a socket in it, whose path length the system limits.
    private static let maxPathLength = 48

    /// Creates a new folder below `base`, or below `/tmp` if its path would be too long.
    init(in base: String) throws(StartError) {
        let base = base.utf8.count > Self.maxPathLength ? "/tmp" : base
        var name = Array("\(base)/foyer-XXXXXX".utf8CString)
        let isCreated = mkdtemp(&name) != nil
        guard isCreated else {
            let reason = String(cString: strerror(errno))
            throw StartError(
                "\(base) is not writable (\(reason)); free some space or set TMPDIR to another "
                    + "folder.")
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        // A process that was writing a moment ago may have created another file.
        for _ in 0..<5 {
            try? FileManager.default.removeItem(atPath: path)
            if access(path, F_OK) != 0 { return }
        }
        StandardOutput.warn("\(path) could not be removed; it contains this run's data.")
    }
}
