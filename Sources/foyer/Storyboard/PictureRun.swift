import Console
import Darkroom
import Synchronization
import Web

/// Plays every state that is asked for, and takes its pictures.
struct PictureRun: Sendable {
    let options: StoryboardOptions
    let gallery: Gallery
    let camera: Camera
    let folder: PictureFolder
    /// Where the console is, `http://127.0.0.1:7070`.
    let base: String
    let key: String
    /// Hears of each picture.
    let tell: @Sendable (String) -> Void

    /// So many states are played and drawn at once.
    private static let atOnce = 3

    /// What came of it.
    struct Yield: Sendable {
        var pictures = 0
        var states = 0
        /// States with why they have no picture, in the order of the apps.
        var unreachable: [(piece: Gallery.Piece, reason: String)] = []
        var failed: [(piece: Gallery.Piece, reason: String)] = []
        /// Apps of which nothing can be shown, a line each.
        var broken: [String] = []
    }

    private enum Result: Sendable {
        case taken(Int)
        case unreachable(String)
        case failed(String)
    }

    /// Throws where going on makes no sense: Chromium is gone, or the disk is
    /// full.
    func run(_ pieces: [Gallery.Piece]) async throws -> Yield {
        let pile = Pile(pieces.count)
        let results = try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
            for _ in 0..<min(Self.atOnce, pieces.count) {
                group.addTask {
                    let page = try await camera.page(headers: ["Authorization": "Bearer \(key)"])
                    var results: [(Int, Result)] = []
                    while let index = pile.next() {
                        try Task.checkCancellation()
                        let result = try await take(pieces[index], on: page)
                        results.append((index, result))
                    }
                    return results
                }
            }
            var results: [(Int, Result)] = []
            for try await some in group { results += some }
            return results.sorted { $0.0 < $1.0 }
        }
        var yield = Yield(states: pieces.count)
        for (index, result) in results {
            switch result {
            case .taken(let count): yield.pictures += count
            case .unreachable(let reason): yield.unreachable.append((pieces[index], reason))
            case .failed(let reason): yield.failed.append((pieces[index], reason))
            }
        }
        return yield
    }

    private func take(_ piece: Gallery.Piece, on page: CameraPage) async throws -> Result {
        let name = "\(piece.app) \(piece.screen) \(piece.state)"
        // A picture of an earlier run is none of this one's.
        for look in options.looks { folder.forget(options.file(piece, look)) }
        do {
            if let reason = try await gallery.play(piece) {
                tell("\(name): not reachable")
                return .unreachable(reason)
            }
        } catch {
            try Task.checkCancellation()
            let reason = Self.words(error)
            tell("\(name): \(reason)")
            return .failed(reason)
        }
        for look in options.looks {
            guard let points = Gallery.points(of: look.size) else { continue }
            let picture: [UInt8]
            do throws(CameraError) {
                picture = try await page.picture(
                    of: base + gallery.address(of: piece, look),
                    .init(width: points.width, height: points.height, scale: options.scale))
            } catch {
                guard let reason = error.ofOnePicture else {
                    throw StartError.chromium(error, at: name)
                }
                tell("\(name): \(reason)")
                return .failed(reason)
            }
            let file = options.file(piece, look)
            try folder.put(picture, file)
            tell("\(folder.path)/\(file)")
        }
        return .taken(options.looks.count)
    }

    /// Of whatever a state has against being played.
    private static func words(_ error: any Error) -> String {
        let problem = error as? Problem ?? House.explain(error)
        return problem.map { "\($0.title): \($0.detail)" } ?? StartError(error).line
    }
}

/// Numbers to take, each once.
private final class Pile: Sendable {
    private let taken = Atomic(0)
    private let count: Int

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
        let number = taken.add(1, ordering: .relaxed).oldValue
        return number < count ? number : nil
    }
}
