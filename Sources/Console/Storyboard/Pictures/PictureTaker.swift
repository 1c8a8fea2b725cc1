package import BrowserCapture
import Core
package import Storyboards
import Templates
import Web

/// Takes pictures of an app's states with a Chromium on this machine, which opens the console's own
/// pages.
package struct PictureTaker: Sendable {
    package let catalog: StoryboardCatalog
    package let browser: SharedBrowser
    /// The console's URL for the browser, `http://127.0.0.1:7070`.
    let origin: String
    /// The folder of the picture sets, a folder each; nil if none are stored.
    let setsFolder: String?
    let assets: AssetPages
    let problemForError: @Sendable (any Error) -> Problem?
    let jobs: PictureJobs
    /// By the versions of two pictures.
    let differences = SharedCache<[String], PictureDifference>(capacity: 4_096)

    /// The result of taking a picture of a state.
    package enum Outcome: Sendable {
        case taken([UInt8])
        /// With the reason, a sentence.
        case unreachable(String)
        case failed(String)
    }

    /// Takes a picture of a state. Throws a `ScreenshotError` if no other can be taken either.
    package func picture(
        of state: StateID, _ variant: PictureVariant, scale: Int, isFullLength: Bool
    ) async throws -> Outcome {
        guard let size = DeviceSizes.size(variant.size) else {
            return .failed("unknown size \(variant.size)")
        }
        guard browser.isInstalled else { throw ScreenshotError.notInstalled }
        do {
            if let reason = try await catalog.play(state) { return .unreachable(reason) }
        } catch {
            try Task.checkCancellation()
            guard let problem = error as? Problem ?? problemForError(error) else { throw error }
            return .failed("\(problem.title): \(problem.detail)")
        }
        let url = origin + Links.tile(state, variant.items)
        do throws(ScreenshotError) {
            let picture = try await browser.withTab { tab throws(ScreenshotError) in
                try await tab.screenshot(
                    of: url, width: size.width, height: size.height, scale: scale,
                    isFullLength: isFullLength)
            }
            return .taken(picture)
        } catch {
            guard let reason = error.pictureFailureReason else { throw error }
            return .failed(reason)
        }
    }

    /// Compares two pictures in the browser. Throws a `ScreenshotError`.
    package func difference(_ before: [UInt8], _ after: [UInt8]) async throws -> PictureDifference {
        try await browser.withTab { tab throws(ScreenshotError) in
            try await tab.difference(before, after)
        }
    }

    /// The storyboard as a PDF: the export page, printed.
    func pdf(of app: String, _ query: [(String, String?)], isOnePerPage: Bool) async throws
        -> [UInt8]
    {
        let url = origin + Links.url(Links.exportStoryboard(app), query)
        let script =
            "document.querySelector('[value=\(isOnePerPage ? "pages" : "contact")]').checked = true"
        return try await printing {
            try await browser.withTab { tab throws(ScreenshotError) in
                try await tab.pdf(of: url, after: script)
            }
        }
    }

    /// What the accessibility page measures, as its export has it.
    func accessibilityReport(of app: String, _ query: [(String, String?)], state: String?)
        async throws -> JSON
    {
        let url = origin + Links.url(Links.accessibility(app), query)
        let argument = state.map { JSON.string($0).description } ?? ""
        let script = """
            import('/assets/accessibility/page.js').then(page => page.report(\(argument)))
            """
        return try await printing {
            try await browser.withTab { tab throws(ScreenshotError) in
                try await tab.result(of: script, on: url)
            }
        }
    }

    /// Converts the errors of the browser to a `Problem`.
    func printing<Output>(_ work: () async throws -> Output) async throws -> Output {
        do { return try await work() } catch let error as ScreenshotError {
            throw Problem.noPicture(error)
        }
    }

    /// All pictures of an app, in the order of the storyboard.
    package func keys(of apps: [String], _ options: PictureOptions) -> [PictureKey] {
        let states = apps.flatMap { (try? catalog.states(of: $0)) ?? [] }
        return states.flatMap { state in options.variants.map { PictureKey(state, $0) } }
    }
}

extension Problem {
    /// Explains how to get Chromium.
    static let noChromium = Problem(
        status: 503, code: "no-chromium", title: "Chromium is not installed",
        detail: "Pictures, PDFs and accessibility findings are made by a Chromium on the machine "
            + "that Foyer runs on. On Debian: apt-get install chromium; otherwise start Foyer with "
            + "--chromium FILE.")

    static func noPicture(_ error: ScreenshotError) -> Problem {
        let detail: String
        switch error {
        case .notInstalled: return .noChromium
        case .busy:
            return Problem(
                status: 503, code: "busy-chromium", title: "Chromium is busy",
                detail: "Too many pictures are being taken. Try again in a moment.",
                headers: ["Retry-After": "5"])
        case .notStarted(let reason): detail = "Chromium could not be started (\(reason))."
        case .ended(let line): detail = "Chromium exited" + (line.map { ": \($0)" } ?? ".")
        case .timedOut(let time):
            detail = "Chromium did not respond within \(time.components.seconds) s."
        case .closed: detail = "Foyer is shutting down."
        case .notLoaded, .badStatus, .commandFailed, .invalidImage:
            detail = "Chromium failed: \(error.pictureFailureReason ?? "")."
        }
        return Problem(
            status: 502, code: "chromium-failed", title: "Chromium failed", detail: detail)
    }

    static func unreachableState(_ reason: String) -> Problem {
        Problem(
            status: 422, code: "unreachable-state", title: "Unreachable state", detail: reason)
    }
}
