import BrowserCapture
import Console
import Core
import HTTPServer
import Web

/// `foyer storyboard`: a house of its own, a Chromium, pictures, and nothing
/// left of either.
struct StoryboardCommand {
    let options: StoryboardOptions

    /// A picture takes a tenth of a second; a busy machine gets its time.
    private static let pictureTimeout = Duration.seconds(30)

    private enum Outcome: Sendable {
        case finished(PictureRun.RunSummary)
        case failed(StartError)
        case interrupted
    }

    /// The exit code: 0 if every state that can be reached has its pictures.
    func run(until signals: Signals) async throws -> Int32 {
        let chromium = try findChromium()
        let scratch = try TemporaryDirectory(in: options.temporaryFolder)
        let work = CleanupStack()
        let (endings, tell) = AsyncStream.makeStream(of: Outcome.self)
        let working = Task {
            do { tell.yield(.finished(try await takePictures(chromium, scratch, work))) } catch {
                tell.yield(.failed(StartError(error)))
            }
        }
        let waiting = Task {
            await signals.waitForFirst()
            tell.yield(.interrupted)
        }
        var ending = Outcome.interrupted
        for await first in endings {
            ending = first
            break
        }
        waiting.cancel()
        working.cancel()
        await work.close()
        await working.value
        scratch.remove()
        switch ending {
        case .finished(let yield): return printSummary(yield)
        case .failed(let error): throw error
        case .interrupted: return 130
        }
    }

    private func takePictures(
        _ chromium: String, _ scratch: TemporaryDirectory, _ work: CleanupStack
    ) async throws
        -> PictureRun.RunSummary
    {
        var served = RunOptions(dataPath: scratch.path + "/data")
        served.port = 0
        served.backendPort = 0
        served.appsFolder = options.appsFolder
        served.rootFolder = options.rootFolder
        // Of people who are gone when this ends.
        served.passwordCost = 1
        let fixture = try await Application.build(served)
        try await work.push(fixture.close)
        let gallery = fixture.site.storyboardCatalog
        var broken: [String] = []
        let pieces = try selectEntries(gallery, &broken)
        let folder = try PictureFolder(options.outputFolder)
        let camera = try await ScreenshotBrowser(
            chromium: chromium, folder: scratch.path, world: .live(), timeout: Self.pictureTimeout)
        try await work.push(camera.close)
        var yield = try await PictureRun(
            options: options, catalog: gallery, browser: camera, folder: folder,
            base: "http://127.0.0.1:\(fixture.consoleServer.port)", key: fixture.consoleKey ?? "",
            reportProgress: StandardOutput.progress
        ).run(pieces)
        yield.brokenApps = broken
        return yield
    }

    /// What `broken` names has no pieces.
    private func selectEntries(_ gallery: StoryboardCatalog, _ broken: inout [String]) throws
        -> [StoryboardCatalog.Entry]
    {
        let there = gallery.appIDs
        let asked = options.apps.isEmpty ? there : options.apps
        return try asked.flatMap { app -> [StoryboardCatalog.Entry] in
            guard there.contains(app) else {
                throw StartError(
                    "there is no app \(app.prefix(60)); there are " + there.joined(separator: ", ")
                        + ".")
            }
            do { return try gallery.entries(of: app) } catch let problem as Problem {
                for line in problem.detail.split(separator: "\n") {
                    StandardOutput.warn(String(line))
                }
                guard options.apps.isEmpty else { throw StartError(problem.title + ".") }
                // One that is broken is no harm to the others.
                broken.append(problem.title + ".")
                return []
            }
        }
    }

    private func findChromium() throws -> String {
        guard let file = options.chromiumFile else {
            guard let file = Chromium.find(path: options.searchPath) else {
                throw StartError.noChromium
            }
            return file
        }
        guard Chromium.isExecutable(file) else {
            throw StartError(
                "\(file) is no program; give --chromium the file of a "
                    + "Chromium, or leave it out.")
        }
        return file
    }

    private func printSummary(_ yield: PictureRun.RunSummary) -> Int32 {
        let count = yield.pictureCount == 1 ? "1 picture" : "\(yield.pictureCount) pictures"
        StandardOutput.info("\(count) in \(options.outputFolder), of \(yield.stateCount) states")
        for (title, list) in [("not reachable", yield.unreachable), ("failed", yield.failed)]
        where !list.isEmpty {
            StandardOutput.info("\(title), \(list.count):")
            for (entry, reason) in list {
                StandardOutput.info("  \(entry.app) \(entry.screen) \(entry.state): \(reason)")
            }
        }
        for line in yield.brokenApps { StandardOutput.info(line) }
        return yield.failed.isEmpty && yield.brokenApps.isEmpty ? 0 : 1
    }
}
