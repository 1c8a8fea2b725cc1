import Apps
import Core
import FoundationEssentials
import Simulator
import Templates
import Web

/// `/storyboard/{app}/export`: the storyboard in one file that needs nothing
/// else, to be looked at, printed, or taken away.
struct ExportPages: Sendable {
    let services: Services
    let stateCache: StateCache
    let assets: AssetPages

    var routes: [Route] { [Route(.get, "/storyboard/{app}/export", handler: export)] }

    /// A hundred states are drawn in about a second.
    private static let queue = BackgroundQueue("export")

    /// All states together, in bytes.
    private static let sizeLimit = 64 << 20

    /// So many states are played at once.
    private static let playbackLimit = 4

    @Sendable private func export(_ context: RequestContext) async throws -> Response {
        let asked = try context.query(allowing: ["size", "appearance", "text", "download"])
        let display = try TilePages.display(from: asked)
        let app = try services.app(of: context)
        let scenes = try await playAllStates(of: app)
        var response = try await Self.queue.run {
            Response.html(Array(try renderExport(app, scenes, display).utf8))
        }
        response.headers["Content-Security-Policy"] = Self.contentSecurityPolicy
        if asked["download"] != nil {
            response.headers["Content-Disposition"] =
                "attachment; filename=\"\(app.id)-storyboard.html\""
        }
        return response
    }

    private func renderExport(
        _ app: App, _ scenes: [StateRecording.Key: StateRecording], _ display: Device.Display
    )
        throws -> String
    {
        let inliner = Inliner { address in assets.bytes(at: address) }
        let room = Inliner.ByteBudget(Self.sizeLimit)
        let model = try ExportBuilder(
            app: app, recordings: scenes, size: display.size, now: services.world.now()
        ) { capture in
            let alone = inliner.makeSelfContained(
                String(
                    decoding: try services.renderDocument(of: capture, display, ""), as: UTF8.self))
            guard room.consume(alone.utf8.count) else { throw Problem.storyboardTooLarge }
            return alone
        }.build()
        let page = try services.templates.render(
            "storyboard/export", model, layout: "layouts/alone")
        return inliner.makeSelfContained(String(decoding: page, as: UTF8.self))
    }

    /// Everything is in the file; nothing of it runs.
    private static let contentSecurityPolicy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
        font-src data:; frame-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'self'
        """

    private func playAllStates(of app: App) async throws -> [StateRecording.Key: StateRecording] {
        let all = app.screens.flatMap { screen in app.screenStates(of: screen).map { (screen, $0) }
        }
        return try await withThrowingTaskGroup(of: (StateRecording.Key, StateRecording).self) {
            group in
            var scenes: [StateRecording.Key: StateRecording] = [:]
            var next = all.makeIterator()
            func add() {
                guard let (screen, state) = next.next() else { return }
                group.addTask { [stage = stateCache] in
                    let scene = try await stage.recording(app, screen, state)
                    return (StateRecording.Key(screen: screen.id, state: state.name), scene)
                }
            }
            for _ in 0..<Self.playbackLimit { add() }
            while let (key, scene) = try await group.next() {
                scenes[key] = scene
                add()
            }
            return scenes
        }
    }
}

extension Problem {
    fileprivate static let storyboardTooLarge = Problem(
        status: 422, code: "large-storyboard", title: "This storyboard is too large for one file",
        detail: """
            Its states come to more than 64 MB with their images and fonts. \
            Make those smaller.
            """)
}
