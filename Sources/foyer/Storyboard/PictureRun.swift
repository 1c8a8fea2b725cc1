import BrowserCapture
import Console
import Storyboards
import Synchronization
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
        let queue = IndexQueue(states.count)
        let results = try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
            for _ in 0..<min(Self.concurrency, states.count) {
                group.addTask {
                    let tab = try await browser.openTab(headers: ["Authorization": "Bearer \(key)"])
                    var results: [(Int, Result)] = []
                    while let index = queue.next() {
                        try Task.checkCancellation()
                        let result = try await takePictures(states[index], on: tab)
                        results.append((index, result))
                    }
                    return results
                }
            }
            var results: [(Int, Result)] = []
            for try await partial in group { results += partial }
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
        do {
            if let reason = try await catalog.play(state) {
                reportProgress("\(name): unreachable")
                return .unreachable(reason)
            }
        } catch {
            try Task.checkCancellation()
            let reason = Self.failureReason(error)
            reportProgress("\(name): \(reason)")
            return .failed(reason)
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
                reportProgress("\(name): \(reason)")
                return .failed(reason)
            }
            let file = options.fileName(state, variant)
            try folder.write(picture, file)
            reportProgress("\(folder.path)/\(file)")
        }
        return .taken(options.variants.count)
    }

    /// The reason why a state cannot be played.
    private static func failureReason(_ error: any Error) -> String {
        let problem = error as? Problem ?? Application.makeProblem(error)
        return problem.map { "\($0.title): \($0.detail)" } ?? StartError(error).message
    }
}

/// Hands out indices, each once.
private final class IndexQueue: Sendable {
    private let nextIndex = Atomic(0)
    private let count: Int

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
        let number = nextIndex.add(1, ordering: .relaxed).oldValue
        return number < count ? number : nil
    }
}
