import Apps
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Templates
import Web

/// `/storyboard/{app}/export`: the storyboard as one self-contained file, for viewing, printing or
/// download.
struct ExportPages: Sendable {
    let services: Services
    let stateCache: StateCache
    let assets: AssetPages

    var routes: [Route] { [Route(.get, "/storyboard/{app}/export", handler: export)] }

    /// Rendering takes about a second per hundred states.
    private static let queue = BackgroundQueue("export")

    /// For all states together, in bytes.
    private static let sizeLimit = 64 << 20

    /// The number of states played concurrently.
    private static let playbackLimit = 4

    @Sendable private func export(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["size", "appearance", "text", "download"])
        let display = try TilePages.display(from: query)
        let app = try services.app(of: context)
        let recordings = try await playAllStates(of: app)
        var response = try await Self.queue.run {
            Response.html(Array(try renderExport(app, recordings, display).utf8))
        }
        response.headers["Content-Security-Policy"] = Self.contentSecurityPolicy
        if query["download"] != nil {
            response.headers["Content-Disposition"] =
                "attachment; filename=\"\(app.id)-storyboard.html\""
        }
        return response
    }

    private func renderExport(
        _ app: App, _ recordings: [StateID: StateRecording], _ display: Device.Display
    )
        throws -> String
    {
        let inliner = Inliner { address in assets.bytes(at: address) }
        let budget = Inliner.ByteBudget(Self.sizeLimit)
        let model = try ExportBuilder(
            app: app, recordings: recordings, size: display.size, now: services.world.now()
        ) { capture in
            let html = inliner.makeSelfContained(
                String(
                    decoding: try services.renderDocument(of: capture, display, ""), as: UTF8.self))
            guard budget.consume(html.utf8.count) else { throw Problem.storyboardTooLarge }
            return html
        }.build()
        let page = try services.templates.render(
            "storyboard/export", model, layout: "layouts/standalone")
        return inliner.makeSelfContained(String(decoding: page, as: UTF8.self))
    }

    /// The file loads nothing and runs no scripts.
    private static let contentSecurityPolicy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
        font-src data:; frame-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'self'
        """

    private func playAllStates(of app: App) async throws -> [StateID: StateRecording] {
        return try await withThrowingTaskGroup(of: (StateID, StateRecording).self) {
            group in
            var recordings: [StateID: StateRecording] = [:]
            var iterator = app.storyboardStates.makeIterator()
            func addNext() {
                guard let state = iterator.next() else { return }
                group.addTask { [stateCache] in
                    (state.id, try await stateCache.recording(of: state))
                }
            }
            for _ in 0..<Self.playbackLimit { addNext() }
            while let (key, recording) = try await group.next() {
                recordings[key] = recording
                addNext()
            }
            return recordings
        }
    }
}

extension Problem {
    fileprivate static let storyboardTooLarge = Problem(
        status: 422, code: "large-storyboard", title: "Storyboard too large",
        detail: """
            Its states exceed 64 MB with their images and fonts. \
            Reduce the size of those.
            """)
}
