import Apps
import BrowserCapture
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// Taking pictures for the console's pages and the API.
extension PictureTaker {
    /// The stored sets.
    var sets: PictureSets {
        get throws(Problem) {
            guard let setsFolder else {
                throw Problem(
                    status: 503, code: "no-pictures", title: "No picture sets",
                    detail: "This Foyer has no folder for picture sets.")
            }
            return PictureSets(folder: setsFolder)
        }
    }

    /// A PNG of a state; throws a `Problem` if there is none.
    func picture(of state: StoryboardState, _ variant: PictureVariant, isFullLength: Bool)
        async throws -> [UInt8]
    {
        let outcome = try await printing {
            try await picture(
                of: state.id, variant, scale: PictureOptions().scale, isFullLength: isFullLength)
        }
        switch outcome {
        case .taken(let picture): return picture
        case .unreachable(let reason): throw Problem.unreachableState(reason)
        case .failed(let reason):
            throw Problem(
                status: 502, code: "chromium-failed", title: "Couldn't take the picture",
                detail: reason.capitalizedFirst + ".")
        }
    }

    /// Starts taking a new set of pictures of an app.
    func takeSet(_ text: String, of app: App, _ options: PictureOptions) async throws {
        let name = text.whitespaceCollapsed
        if let error = PictureSets.errorOfName(name) {
            throw Problem(errors: [.init(pointer: "/name", detail: error)], note: "")
        }
        if try sets.set(name) != nil {
            throw Problem(
                status: 409, code: "name-in-use", title: "Name in use",
                detail: "There is a picture set \(name). Use another name, or delete it first.")
        }
        try await start("Taking pictures for “\(name)”", of: app, options, in: sets.path(name))
    }

    /// Starts taking pictures of the current screens, with the options of a set.
    func takeCurrent(for name: String, of app: App) async throws {
        let sets = try sets
        let set = try sets.existing(name)
        var options = set.options
        options.apps = [app.id]
        let path = sets.currentPath(for: name, app.id)
        try await start("Taking pictures of the current screens", of: app, options, in: path)
    }

    /// Starts a job that takes pictures, and moves them to a folder when all are taken.
    private func start(_ title: String, of app: App, _ options: PictureOptions, in path: String)
        async throws
    {
        guard browser.isInstalled else { throw Problem.noChromium }
        let states = try catalog.states(of: app.id)
        let job = PictureJobs.Job(
            app: app.id, title: title, total: states.count * options.variants.count)
        try await jobs.start(job) { progress in
            do {
                let files = FileManager.default
                let folder = try PictureFolder(try sets.newFolder)
                let run = PictureRun(self, options, folder) { _ in progress() }
                let summary = try await run.run(states)
                try? files.removeItem(atPath: path)
                _ = try PictureFolder(path)
                try files.removeItem(atPath: path)
                try files.moveItem(atPath: folder.path, toPath: path)
                return (
                    (summary.unreachable + summary.failed).map {
                        "\($0.state.screen) \($0.state.state): \($0.reason)"
                    }, !summary.failed.isEmpty
                )
            } catch { return ([explain(error)], true) }
        }
    }

    /// Waits for the app's job; throws a `Problem` if it took no pictures.
    func waitForJob(of app: App) async throws {
        guard let job = await jobs.result(of: app.id), job.hasFailed, job.done == 0 else { return }
        throw Problem(
            status: 502, code: "chromium-failed", title: "Couldn't take the pictures",
            detail: job.notes.first ?? "")
    }

    private func explain(_ error: any Error) -> String {
        switch error {
        case let failure as PictureRun.Failure: Problem.noPicture(failure.error).detail
        case .notWritten(let file) as PictureFolder.WriteError:
            "\(file) cannot be written. Free some space."
        case let error as PictureFolder.WriteError: "The folder cannot be written: \(error)"
        default:
            (error as? Problem ?? problemForError(error)).map { "\($0.title): \($0.detail)" }
                ?? "Internal error."
        }
    }
}

extension PictureOptions {
    /// The choices of the form: a size or `all`, an appearance or `both`. Throws a `Problem` that
    /// names an invalid choice.
    init(of app: App, size: String?, appearance: String?, text: String?, isFullLength: Bool)
        throws(Problem)
    {
        self.init()
        apps = [app.id]
        self.isFullLength = isFullLength
        if let size = size?.nonEmpty {
            _ = try Form.choice(size, named: "size", of: StoryboardCatalog.sizes + ["all"])
            sizes = size == "all" ? StoryboardCatalog.sizes : [size]
        }
        if let appearance = appearance?.nonEmpty {
            _ = try Form.choice(
                appearance, named: "appearance", of: StoryboardCatalog.appearances + ["both"])
            appearances = appearance == "both" ? StoryboardCatalog.appearances : [appearance]
        }
        if let text = text?.nonEmpty {
            _ = try Form.choice(text, named: "text", of: StoryboardCatalog.textSizes)
            textSizes = [text]
        }
    }

    /// `iPhone 15, dark; full length`.
    var label: String {
        let labels = variants.map(\.label)
        return
            (labels.count > 3
            ? Format.count(labels.count, "display") : labels.joined(separator: "; "))
            + (isFullLength ? "; full length" : "")
    }
}
