import BrowserCapture
import Console
import FoundationEssentials
import Glibc
import Storyboards
import Web

/// Plays every selected state, and takes its pictures.
struct PictureRun: Sendable {
    let options: StoryboardOptions
    let catalog: StoryboardCatalog
    let browser: ScreenshotBrowser
    let folder: PictureFolder
    /// The console's URL, `http://127.0.0.1:7070`.
    let base: String
    let key: String
    /// Called for each picture.
    let reportProgress: @Sendable (String) -> Void

    /// How many states are played and captured at once.
    private static let concurrency = 3

    /// Result of a run.
    struct RunSummary: Sendable {
        var pictureCount = 0
        var stateCount = 0
        /// States without a picture and the reason, in the order of the apps.
        var unreachable: [(state: StateID, reason: String)] = []
        var failed: [(state: StateID, reason: String)] = []
        /// Apps that cannot be shown, a line each.
        var brokenApps: [String] = []
    }

    private enum Result: Sendable {
        case taken(Int)
        case unreachable(String)
        case failed(String)
    }

    /// Throws when continuing is pointless: Chromium has ended, or the disk is full.
    func run(_ states: [StateID]) async throws -> RunSummary {
        typealias Finished = (index: Int, result: Result, tab: BrowserTab)
        let results = try await withThrowingTaskGroup(of: Finished.self) { group in
            var results: [(Int, Result)] = []
            for (index, state) in states.enumerated() {
                let tab: BrowserTab
                if index >= Self.concurrency, let finished = try await group.next() {
                    results.append((finished.index, finished.result))
                    tab = finished.tab
                } else {
                    tab = try await browser.openTab(headers: ["Authorization": "Bearer \(key)"])
                }
                group.addTask { (index, try await takePictures(state, on: tab), tab) }
            }
            for try await finished in group { results.append((finished.index, finished.result)) }
            return results.sorted { $0.0 < $1.0 }
        }
        var summary = RunSummary(stateCount: states.count)
        for (index, result) in results {
            switch result {
            case .taken(let count): summary.pictureCount += count
            case .unreachable(let reason): summary.unreachable.append((states[index], reason))
            case .failed(let reason): summary.failed.append((states[index], reason))
            }
        }
        return summary
    }

    private func takePictures(_ state: StateID, on tab: BrowserTab) async throws -> Result {
        let name = "\(state.app) \(state.screen) \(state.state)"
        // A picture of an earlier run must not remain.
        for variant in options.variants { folder.remove(options.fileName(state, variant)) }
        func failed(_ reason: String) -> Result {
            reportProgress("\(name): \(reason)")
            return .failed(reason)
        }
        do {
            if let reason = try await catalog.play(state) {
                reportProgress("\(name): unreachable")
                return .unreachable(reason)
            }
        } catch {
            try Task.checkCancellation()
            let problem = error as? Problem ?? Application.makeProblem(error)
            return failed(problem.map { "\($0.title): \($0.detail)" } ?? StartError(error).message)
        }
        for variant in options.variants {
            guard let points = StoryboardCatalog.dimensions(of: variant.size) else { continue }
            let picture: [UInt8]
            do throws(ScreenshotError) {
                picture = try await tab.screenshot(
                    of: base
                        + catalog.url(
                            of: state, size: variant.size, appearance: variant.appearance,
                            textSize: variant.textSize),
                    width: points.width, height: points.height, scale: options.scale)
            } catch {
                guard let reason = error.pictureFailureReason else {
                    throw StartError.chromium(error, at: name)
                }
                return failed(reason)
            }
            let file = options.fileName(state, variant)
            try folder.write(picture, file)
            reportProgress("\(folder.path)/\(file)")
        }
        return .taken(options.variants.count)
    }
}

/// The output folder for pictures.
struct PictureFolder {
    let path: String

    /// Creates the folder and missing parent folders.
    init(_ path: String) throws(StartError) {
        self.path = path
        let files = FileManager.default
        var isFolder = false
        if files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
            throw StartError("\(path) is a file; --out needs a folder.")
        }
        let isCreated: Void? = try? files.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard isCreated != nil, access(path, W_OK | X_OK) == 0 else {
            throw StartError(
                "\(path) is not writable (\(String(cString: strerror(errno)))); fix its permissions or "
                    + "use another folder with --out.")
        }
    }

    /// Writes a picture atomically.
    func write(_ bytes: [UInt8], _ name: String) throws(StartError) {
        let file = URL(filePath: path).appending(path: name)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
        } catch {
            throw StartError(
                "\(path)/\(name) cannot be written; free some space or use another folder with --out."
            )
        }
    }

    /// Removes a picture of an earlier run.
    func remove(_ name: String) { unlink(path + "/" + name) }
}
