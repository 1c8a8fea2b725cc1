import BrowserCapture
import Console
import Synchronization
import Web

/// Plays every state that is asked for, and takes its pictures.
struct PictureRun: Sendable {
    let options: StoryboardOptions
    let catalog: StoryboardCatalog
    let browser: ScreenshotBrowser
    let folder: PictureFolder
    /// Where the console is, `http://127.0.0.1:7070`.
    let base: String
    let key: String
    /// Hears of each picture.
    let reportProgress: @Sendable (String) -> Void

    /// So many states are played and drawn at once.
    private static let concurrency = 3

    /// What came of it.
    struct RunSummary: Sendable {
        var pictureCount = 0
        var stateCount = 0
        /// States with why they have no picture, in the order of the apps.
        var unreachable: [(piece: StoryboardCatalog.Entry, reason: String)] = []
        var failed: [(piece: StoryboardCatalog.Entry, reason: String)] = []
        /// Apps of which nothing can be shown, a line each.
        var brokenApps: [String] = []
    }

    private enum Result: Sendable {
        case taken(Int)
        case unreachable(String)
        case failed(String)
    }

    /// Throws where going on makes no sense: Chromium is gone, or the disk is
    /// full.
    func run(_ pieces: [StoryboardCatalog.Entry]) async throws -> RunSummary {
        let pile = IndexQueue(pieces.count)
        let results = try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
            for _ in 0..<min(Self.concurrency, pieces.count) {
                group.addTask {
                    let page = try await browser.openTab(headers: ["Authorization": "Bearer \(key)"]
                    )
                    var results: [(Int, Result)] = []
                    while let index = pile.next() {
                        try Task.checkCancellation()
                        let result = try await takePictures(pieces[index], on: page)
                        results.append((index, result))
                    }
                    return results
                }
            }
            var results: [(Int, Result)] = []
            for try await some in group { results += some }
            return results.sorted { $0.0 < $1.0 }
        }
        var yield = RunSummary(stateCount: pieces.count)
        for (index, result) in results {
            switch result {
            case .taken(let count): yield.pictureCount += count
            case .unreachable(let reason): yield.unreachable.append((pieces[index], reason))
            case .failed(let reason): yield.failed.append((pieces[index], reason))
            }
        }
        return yield
    }

    private func takePictures(_ entry: StoryboardCatalog.Entry, on page: BrowserTab) async throws
        -> Result
    {
        let name = "\(entry.app) \(entry.screen) \(entry.state)"
        // A picture of an earlier run is none of this one's.
        for look in options.variants { folder.remove(options.fileName(entry, look)) }
        do {
            if let reason = try await catalog.play(entry) {
                reportProgress("\(name): not reachable")
                return .unreachable(reason)
            }
        } catch {
            try Task.checkCancellation()
            let reason = Self.failureReason(error)
            reportProgress("\(name): \(reason)")
            return .failed(reason)
        }
        for look in options.variants {
            guard let points = StoryboardCatalog.dimensions(of: look.size) else { continue }
            let picture: [UInt8]
            do throws(ScreenshotError) {
                picture = try await page.screenshot(
                    of: base + catalog.url(of: entry, look),
                    .init(width: points.width, height: points.height, scale: options.scale))
            } catch {
                guard let reason = error.pictureFailureReason else {
                    throw StartError.chromium(error, at: name)
                }
                reportProgress("\(name): \(reason)")
                return .failed(reason)
            }
            let file = options.fileName(entry, look)
            try folder.write(picture, file)
            reportProgress("\(folder.path)/\(file)")
        }
        return .taken(options.variants.count)
    }

    /// Of whatever a state has against being played.
    private static func failureReason(_ error: any Error) -> String {
        let problem = error as? Problem ?? Application.makeProblem(error)
        return problem.map { "\($0.title): \($0.detail)" } ?? StartError(error).message
    }
}

/// Numbers to take, each once.
private final class IndexQueue: Sendable {
    private let nextIndex = Atomic(0)
    private let count: Int

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
        let number = nextIndex.add(1, ordering: .relaxed).oldValue
        return number < count ? number : nil
    }
}
