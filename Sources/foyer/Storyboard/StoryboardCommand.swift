import BrowserCapture
import Console
import Core
import FoundationEssentials
import Glibc
import HTTPServer
import Storyboards
import Web

/// `foyer storyboard`: runs a temporary application and a Chromium, takes pictures, compares them
/// with earlier ones, and removes application and browser.
struct StoryboardCommand {
    let options: StoryboardOptions

    /// No result if a signal interrupted the run.
    private typealias Outcome = Result<RunResult?, StartError>

    private struct RunResult {
        var summary: PictureRun.Summary
        /// Apps that cannot be shown, a line each.
        var brokenApps: [String]
        var comparison: PictureComparison?
    }

    /// Returns the exit code: 0 if every reachable state has its pictures, and none differs.
    func run(until signals: Signals) async throws -> Int32 {
        try checkOptions()
        let scratch = try TemporaryDirectory(in: options.server.temporaryFolder)
        let cleanups = CleanupStack()
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do { return .success(try await takePictures(scratch, cleanups)) } catch {
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
        return try outcome.get().map(printResult) ?? 130
    }

    private func takePictures(_ scratch: TemporaryDirectory, _ cleanups: CleanupStack) async throws
        -> RunResult
    {
        var serverOptions = options.server
        serverOptions.dataPath = scratch.path + "/data"
        serverOptions.temporaryFolder = scratch.path
        serverOptions.port = 0
        serverOptions.backendPort = 0
        // The accounts are deleted with the data folder.
        serverOptions.passwordCost = 1
        let application = try await Application(serverOptions)
        try await cleanups.push(application.close)
        let taker = application.site.pictures
        var broken: [String] = []
        let states = try selectStates(taker.catalog, &broken)
        let folder = try PictureFolder(options.outputFolder ?? scratch.path + "/pictures")
        let run = PictureRun(
            taker, options.pictures, folder, reportProgress: StandardOutput.progress)
        let summary = try await run.run(states)
        return RunResult(
            summary: summary, brokenApps: broken,
            comparison: try await compare(states, with: taker, folder))
    }

    /// The states of the requested apps; apps in `broken` have none.
    private func selectStates(_ catalog: StoryboardCatalog, _ broken: inout [String]) throws
        -> [StateID]
    {
        let availableIDs = catalog.appIDs
        let requested = options.pictures.apps
        return try (requested.isEmpty ? availableIDs : requested).flatMap { app -> [StateID] in
            guard availableIDs.contains(app) else {
                throw StartError(
                    "unknown app \(app.prefix(60)); valid values: "
                        + availableIDs.joined(separator: ", ") + ".")
            }
            do { return try catalog.states(of: app) } catch let problem as Problem {
                for line in problem.detail.split(separator: "\n") {
                    StandardOutput.warn(String(line))
                }
                guard requested.isEmpty else { throw StartError(problem.title + ".") }
                // A broken app does not affect the others.
                broken.append(problem.title + ".")
                return []
            }
        }
    }

    // MARK: Comparison

    private static let reportFile = "report.html"

    /// Compares the pictures in `folder` with the earlier ones, and writes the differences beside
    /// them.
    private func compare(_ states: [StateID], with taker: PictureTaker, _ folder: PictureFolder)
        async throws -> PictureComparison?
    {
        guard let path = options.comparedFolder,
            let before = PictureSet(path, or: options.pictures),
            let after = PictureSet(folder.path, or: options.pictures)
        else { return nil }
        let variants = Set(options.pictures.variants)
        let apps = Set(options.pictures.apps)
        let isIncluded = { (key: PictureKey) in
            variants.contains(key.variant) && (apps.isEmpty || apps.contains(key.app))
        }
        guard before.files.keys.contains(where: isIncluded) else {
            throw StartError(
                "\(path) has no picture of these apps at this size, appearance and text size; omit "
                    + "the options to use those of its pictures.")
        }
        @Sendable func differenceFile(_ key: PictureKey) -> String {
            "\(PictureSet.differencesFolder)/" + (after.files[key] ?? key.name)
        }
        let writesFiles = options.outputFolder != nil
        let order = states.flatMap { state in
            options.pictures.variants.map { PictureKey(state, $0) }
        }
        if writesFiles { for key in order { folder.remove(differenceFile(key)) } }
        let comparison = try await PictureComparison(
            before, after, order: order, isIncluded: isIncluded
        ) { key, before, after in
            let difference = try await taker.difference(before, after)
            if writesFiles, difference.pixels > 0 {
                try folder.write(difference.picture, differenceFile(key))
            }
            return difference.withoutPicture
        }
        if writesFiles {
            let report = try taker.report(comparison, before, after) {
                after.picture(differenceFile($0))
            }
            try folder.write(report, Self.reportFile)
        }
        return comparison
    }

    private func printComparison(_ comparison: PictureComparison, with folder: String) {
        StandardOutput.info("compared with \(folder): \(comparison.summary)")
        let hasVariants = options.pictures.variants.count > 1
        for item in comparison.items where item.status != .same {
            let variant = hasVariants ? " (\(item.key.variant.label))" : ""
            let text = item.text.isEmpty ? "" : ": " + item.text
            StandardOutput.info(
                "  \(item.status.label): \(item.key.app) \(item.key.name)\(variant)\(text)")
        }
        if let folder = options.outputFolder {
            StandardOutput.info("report: \(folder)/\(Self.reportFile)")
        }
    }

    // MARK: Options and result

    private func checkOptions() throws(StartError) {
        let server = options.server
        guard let file = server.chromiumFile ?? Chromium.find(path: server.searchPath) else {
            throw StartError.noChromium
        }
        guard server.chromiumFile == nil || Chromium.isExecutable(file) else {
            throw StartError(
                "\(file) is not executable; use --chromium with the path of a Chromium, or omit "
                    + "it.")
        }
        let folders = [options.comparedFolder, options.outputFolder].compactMap { folder in
            folder.map { URL(filePath: $0).resolvingSymlinksInPath().path }
        }
        if folders.count == 2, folders[0] == folders[1] {
            throw StartError(
                "--out would replace the pictures to compare with; use another folder.")
        }
    }

    private func printResult(_ result: RunResult) -> Int32 {
        let summary = result.summary
        let count =
            summary.pictureCount == 1 ? "1 screenshot" : "\(summary.pictureCount) screenshots"
        let place = options.outputFolder.map { " in \($0)" } ?? ""
        StandardOutput.info("\(count)\(place), of \(summary.stateCount) states")
        for (title, list) in [("unreachable", summary.unreachable), ("failed", summary.failed)]
        where !list.isEmpty {
            StandardOutput.info("\(title), \(list.count):")
            for (state, reason) in list {
                StandardOutput.info("  \(state.app) \(state.screen) \(state.state): \(reason)")
            }
        }
        for line in result.brokenApps { StandardOutput.info(line) }
        if let comparison = result.comparison, let folder = options.comparedFolder {
            printComparison(comparison, with: folder)
        }
        let hasDifferences = result.comparison?.hasDifferences ?? false
        return summary.failed.isEmpty && result.brokenApps.isEmpty && !hasDifferences ? 0 : 1
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
