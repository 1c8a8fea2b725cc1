import Console
import Darkroom
import HTTPServer
import Surroundings
import Web

/// `foyer storyboard`: a house of its own, a Chromium, pictures, and nothing
/// left of either.
struct StoryboardCommand {
    let options: StoryboardOptions

    /// A picture takes a tenth of a second; a busy machine gets its time.
    private static let bound = Duration.seconds(30)

    private enum Ending: Sendable {
        case yielded(PictureRun.Yield)
        case failed(StartError)
        case interrupted
    }

    /// The exit code: 0 if every state that can be reached has its pictures.
    func run(until signals: Signals) async throws -> Int32 {
        let chromium = try chromium()
        let scratch = try ThrowAwayFolder(in: options.temporary)
        let work = Work()
        let (endings, tell) = AsyncStream.makeStream(of: Ending.self)
        let working = Task {
            do { tell.yield(.yielded(try await pictures(chromium, scratch, work))) } catch {
                tell.yield(.failed(StartError(error)))
            }
        }
        let waiting = Task {
            await signals.first()
            tell.yield(.interrupted)
        }
        var ending = Ending.interrupted
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
        case .yielded(let yield): return report(yield)
        case .failed(let error): throw error
        case .interrupted: return 130
        }
    }

    private func pictures(_ chromium: String, _ scratch: ThrowAwayFolder, _ work: Work) async throws
        -> PictureRun.Yield
    {
        var served = Options(data: scratch.path + "/data")
        served.port = 0
        served.backendPort = 0
        served.apps = options.userApps
        served.root = options.root
        // Of people who are gone when this ends.
        served.passwordCost = 1
        let house = try await House.build(served)
        try await work.keep(house.close)
        let gallery = house.site.gallery
        var broken: [String] = []
        let pieces = try pieces(gallery, &broken)
        let folder = try PictureFolder(options.out)
        let camera = try await Camera(
            chromium: chromium, folder: scratch.path, world: .live(), bound: Self.bound)
        try await work.keep(camera.close)
        var yield = try await PictureRun(
            options: options, gallery: gallery, camera: camera, folder: folder,
            base: "http://127.0.0.1:\(house.console.port)", key: house.key ?? "",
            tell: StandardOutput.remark
        ).run(pieces)
        yield.broken = broken
        return yield
    }

    /// What `broken` names has no pieces.
    private func pieces(_ gallery: Gallery, _ broken: inout [String]) throws -> [Gallery.Piece] {
        let there = gallery.apps
        let asked = options.apps.isEmpty ? there : options.apps
        return try asked.flatMap { app -> [Gallery.Piece] in
            guard there.contains(app) else {
                throw StartError(
                    "there is no app \(app.prefix(60)); there are " + there.joined(separator: ", ")
                        + ".")
            }
            do { return try gallery.pieces(of: app) } catch let problem as Problem {
                for line in problem.detail.split(separator: "\n") {
                    StandardOutput.complain(String(line))
                }
                guard options.apps.isEmpty else { throw StartError(problem.title + ".") }
                // One that is broken is no harm to the others.
                broken.append(problem.title + ".")
                return []
            }
        }
    }

    private func chromium() throws -> String {
        guard let file = options.chromium else {
            guard let file = Chromium.find(path: options.path) else { throw StartError.noChromium }
            return file
        }
        guard Chromium.isExecutable(file) else {
            throw StartError(
                "\(file) is no program; give --chromium the file of a "
                    + "Chromium, or leave it out.")
        }
        return file
    }

    private func report(_ yield: PictureRun.Yield) -> Int32 {
        let count = yield.pictures == 1 ? "1 picture" : "\(yield.pictures) pictures"
        StandardOutput.say("\(count) in \(options.out), of \(yield.states) states")
        for (title, list) in [("not reachable", yield.unreachable), ("failed", yield.failed)]
        where !list.isEmpty {
            StandardOutput.say("\(title), \(list.count):")
            for (piece, reason) in list {
                StandardOutput.say("  \(piece.app) \(piece.screen) \(piece.state): \(reason)")
            }
        }
        for line in yield.broken { StandardOutput.say(line) }
        return yield.failed.isEmpty && yield.broken.isEmpty ? 0 : 1
    }
}
