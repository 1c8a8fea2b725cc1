import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Templates
import Web

/// `/storyboard/{app}/export`: the storyboard in one file that needs nothing
/// else, to be looked at, printed, or taken away.
struct ExportPages: Sendable {
    let services: Services
    let stage: Stage
    let assets: AssetPages

    var routes: [Route] { [Route(.get, "/storyboard/{app}/export", handler: export)] }

    /// A hundred states are drawn in about a second.
    private static let bench = Workbench("export")

    /// All states together, in bytes.
    private static let most = 64 << 20

    /// So many states are played at once.
    private static let atOnce = 4

    @Sendable private func export(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["size", "appearance", "text", "download"])
        let display = try TilePages.display(asked)
        let app = try services.app(of: visit)
        let scenes = try await play(app)
        var response = try await Self.bench.run {
            Response.html(Array(try document(app, scenes, display).utf8))
        }
        response.headers["Content-Security-Policy"] = Self.policy
        if asked["download"] != nil {
            response.headers["Content-Disposition"] =
                "attachment; filename=\"\(app.id)-storyboard.html\""
        }
        return response
    }

    private func document(_ app: App, _ scenes: [Scene.Key: Scene], _ display: Device.Display)
        throws -> String
    {
        let inliner = Inliner { address in assets.bytes(at: address) }
        let room = Inliner.Room(Self.most)
        let model = try ExportBuilder(
            app: app, scenes: scenes, size: display.size, now: services.world.now()
        ) { shot in
            let alone = inliner.alone(
                String(decoding: try services.document(of: shot, display, ""), as: UTF8.self))
            guard room.take(alone.utf8.count) else { throw Problem.largeStoryboard }
            return alone
        }.build()
        let page = try services.templates.render(
            "storyboard/export", model, layout: "layouts/alone")
        return inliner.alone(String(decoding: page, as: UTF8.self))
    }

    /// Everything is in the file; nothing of it runs.
    private static let policy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
        font-src data:; frame-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'self'
        """

    private func play(_ app: App) async throws -> [Scene.Key: Scene] {
        let all = app.screens.flatMap { screen in app.screenStates(of: screen).map { (screen, $0) }
        }
        return try await withThrowingTaskGroup(of: (Scene.Key, Scene).self) { group in
            var scenes: [Scene.Key: Scene] = [:]
            var next = all.makeIterator()
            func add() {
                guard let (screen, state) = next.next() else { return }
                group.addTask { [stage] in
                    let scene = try await stage.scene(app, screen, state)
                    return (Scene.Key(screen: screen.id, state: state.name), scene)
                }
            }
            for _ in 0..<Self.atOnce { add() }
            while let (key, scene) = try await group.next() {
                scenes[key] = scene
                add()
            }
            return scenes
        }
    }
}

extension Problem {
    fileprivate static let largeStoryboard = Problem(
        status: 422, code: "large-storyboard", title: "This storyboard is too large for one file",
        detail: """
            Its states come to more than 64 MB with their images and fonts. \
            Make those smaller.
            """)
}
