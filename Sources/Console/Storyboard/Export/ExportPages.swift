import Apps
import Core
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

    var routes: [Route] { [Route(.get, Links.exportStoryboard, handler: export)] }

    /// Rendering takes about a second per hundred states.
    private static let queue = BackgroundQueue("export")

    /// For all states together, in bytes.
    private static let sizeLimit = 64 << 20

    /// The number of states played concurrently.
    private static let playbackLimit = 4

    @Sendable private func export(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["size", "appearance", "text", "download"])
        let display = try StoryboardQuery(context.target.path, .display, query).display
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
    ) throws -> String {
        let inliner = Inliner { address in assets.bytes(at: address) }
        let budget = Inliner.ByteBudget(Self.sizeLimit)
        var failures: [RenderStatus] = []
        func makeTile(_ state: StoryboardState) throws -> TemplateModel {
            var document: String?
            var failure: RenderStatus?
            switch recordings[state.id]?.outcome {
            case .reached(let capture):
                do {
                    document = inliner.makeSelfContained(
                        String(
                            decoding: try services.renderDocument(of: capture, display),
                            as: UTF8.self))
                } catch let error as TemplateError {
                    // One broken template does not fail the export.
                    failure = .broken(error)
                }
            case .unreachable(let reason): failure = .unreachable(reason)
            case nil: failure = .unreachable("")
            }
            guard budget.consume(document?.utf8.count ?? 0) else {
                throw Problem(
                    status: 422, code: "large-storyboard", title: "Storyboard too large",
                    detail: "Its states exceed 64 MB with their images and fonts. "
                        + "Reduce the size of those.")
            }
            if let failure { failures.append(failure) }
            return ["state": state.model, "document": document, "failure": failure]
        }
        let allStates = services.storyboardStates(of: app)
        let byScreen = Dictionary(grouping: allStates, by: \.screen.id)
        let sections = try app.screens.map { screen -> TemplateModel in
            let states = byScreen[screen.id] ?? []
            return [
                "screenName": screen.id, "screenTitle": screen.title, "note": states.first?.note,
                "tiles": try states.map(makeTile), "selectors": screen.selectors,
            ]
        }
        let failureTexts = [RenderStatus.Kind.unreachable, .broken].compactMap { kind in
            let count = failures.count { $0.kind == kind }
            return count > 0 ? ", \(count) \(kind.rawValue)" : nil
        }
        let size = DeviceSizes.size(display.size) ?? DeviceSizes.all[0]
        let now = services.world.now()
        let names = app.screens.map(\.id)
        let model: TemplateModel = [
            "pageTitle": "\(app.name) storyboard", "appName": app.name,
            "countText": Format.count(names.count, "screen") + ", "
                + Format.count(allStates.count, "state") + failureTexts.joined(),
            "createdAt": now.iso8601, "createdText": Format.dateTime(now), "sizeID": size.id,
            "width": size.width, "height": size.height, "sections": sections,
            "edgeDescriptions": BoardEdge.all(
                of: services.screenGraph(of: app), between: names
            ).map { $0.description(columns: names) },
        ]
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
        try await withThrowingTaskGroup(of: (StateID, StateRecording).self) { group in
            var recordings: [StateID: StateRecording] = [:]
            for (index, state) in services.storyboardStates(of: app).enumerated() {
                if index >= Self.playbackLimit, let (id, recording) = try await group.next() {
                    recordings[id] = recording
                }
                group.addTask { [stateCache] in
                    (state.id, try await stateCache.recording(of: state))
                }
            }
            for try await (id, recording) in group { recordings[id] = recording }
            return recordings
        }
    }
}
