package import BrowserCapture
package import Storyboards
import Web

/// Plays every selected state, and takes its pictures.
package struct PictureRun: Sendable {
    let taker: PictureTaker
    let options: PictureOptions
    let folder: PictureFolder
    /// Called with a line for each picture.
    let reportProgress: @Sendable (String) -> Void

    package init(
        _ taker: PictureTaker, _ options: PictureOptions, _ folder: PictureFolder,
        reportProgress: @escaping @Sendable (String) -> Void
    ) {
        self.taker = taker
        self.options = options
        self.folder = folder
        self.reportProgress = reportProgress
    }

    /// Result of a run.
    package struct Summary: Sendable {
        package var pictureCount = 0
        package var stateCount = 0
        /// States without a picture and the reason, in the order of the apps.
        package var unreachable: [(state: StateID, reason: String)] = []
        package var failed: [(state: StateID, reason: String)] = []
    }

    /// No further picture can be taken.
    package struct Failure: Error, Sendable {
        package let error: ScreenshotError
        /// The state it happened at.
        package let state: StateID
    }

    /// Throws when continuing is pointless: Chromium has ended, or the disk is full.
    package func run(_ states: [StateID]) async throws -> Summary {
        typealias Finished = (index: Int, outcome: PictureTaker.Outcome?)
        try folder.writeInfo(options, at: taker.catalog.now)
        var outcomes: [Finished] = []
        try await withThrowingTaskGroup(of: Finished.self) { group in
            for (index, state) in states.enumerated() {
                if index >= SharedBrowser.tabLimit, let finished = try await group.next() {
                    outcomes.append(finished)
                }
                group.addTask { (index, try await takePictures(of: state)) }
            }
            for try await finished in group { outcomes.append(finished) }
        }
        var summary = Summary(stateCount: states.count)
        for (index, outcome) in outcomes.sorted(by: { $0.index < $1.index }) {
            switch outcome {
            case .unreachable(let reason): summary.unreachable.append((states[index], reason))
            case .failed(let reason): summary.failed.append((states[index], reason))
            case .taken, nil: summary.pictureCount += options.variants.count
            }
        }
        return summary
    }

    /// Why a state has no pictures; nil if all were taken.
    private func takePictures(of state: StateID) async throws -> PictureTaker.Outcome? {
        let name = "\(state.app) \(state.screen) \(state.state)"
        // A picture of an earlier run must not remain.
        for variant in options.variants { folder.remove(options.fileName(state, variant)) }
        for variant in options.variants {
            let outcome: PictureTaker.Outcome
            do {
                outcome = try await taker.picture(
                    of: state, variant, scale: options.scale, isFullLength: options.isFullLength)
            } catch let error as ScreenshotError { throw Failure(error: error, state: state) }
            switch outcome {
            case .taken(let picture):
                let file = options.fileName(state, variant)
                try folder.write(picture, file)
                reportProgress("\(folder.path)/\(file)")
            case .unreachable:
                reportProgress("\(name): unreachable")
                return outcome
            case .failed(let reason):
                reportProgress("\(name): \(reason)")
                return outcome
            }
        }
        return nil
    }
}
