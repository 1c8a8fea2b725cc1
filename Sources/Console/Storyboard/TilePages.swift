import Apps
import Simulator
import Storyboards
import Templates
import Web

/// `/storyboard/{app}/{screen}/{state}/frame`: one state as a document.
struct TilePages: Sendable {
    let services: Services
    let stateCache: StateCache

    var routes: [Route] {
        [Route(.get, Links.tile, handler: frame)]
    }

    /// A static rendering of the screen with its current template, or the reason if the state
    /// cannot be reached or rendered.
    @Sendable func frame(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["size", "appearance", "text"])
        let display = try Self.display(from: query)
        let state = try services.screenState(of: context)
        switch try await stateCache.recording(of: state).outcome {
        case .unreachable(let reason): return try renderFailure(.unreachable(reason), state)
        case .reached(let capture):
            do {
                return .screen(
                    try services.renderDocument(of: capture, display, context.csrfToken),
                    for: context, ScreenLinks(app: state.app.id))
            } catch let error as TemplateError { return try renderFailure(.broken(error), state) }
        }
    }

    /// Renders a tile that shows the failure instead of a screen.
    private func renderFailure(_ failure: RenderStatus, _ state: StoryboardState) throws -> Response
    {
        .html(
            try services.templates.render(
                "storyboard/tileerror",
                TileErrorModel(pageTitle: "\(state.screen.id), \(state.name)", failure: failure),
                layout: "layouts/tile"), status: failure.kind == .broken ? 500 : 200)
    }

    static func display(from query: [String: String]) throws(Problem) -> Device.Display {
        let parameters = [
            .size, .appearance(Device.Display.Appearance.allCases.map(\.rawValue)),
            StoryboardQuery.Parameter.textSize,
        ]
        for parameter in parameters {
            guard let value = query[parameter.name], let choices = parameter.choices,
                !choices.contains(value)
            else { continue }
            throw Problem(
                status: 400, code: "bad-query", title: "Invalid \(parameter.name)",
                detail: "Valid values of \(parameter.name): \(choices.joined(separator: ", ")).")
        }
        return Device.Display(
            size: query["size"] ?? DeviceSizes.all[0].id,
            appearance: query["appearance"].flatMap(Device.Display.Appearance.init) ?? .system,
            textSize: query["text"].flatMap(Device.Display.TextSize.init) ?? .default)
    }
}

extension Services {
    /// The state that a storyboard URL names.
    func screenState(of context: RequestContext) throws -> StoryboardState {
        let app = try app(of: context)
        let name = context.parameters["screen"] ?? ""
        guard let screen = app.screen(name) else { throw Problem.unknownScreen(name) }
        let wanted = context.parameters["state"] ?? ""
        guard let state = app.storyboardState(name, wanted) else {
            throw Problem(
                status: 404, code: "unknown-state", title: "Unknown state",
                detail: """
                    Valid states of \(screen.id): \(app.states(of: screen)
                        .joined(separator: ", ")).
                    """)
        }
        return state
    }
}

/// A tile without a screen (`storyboard/tileerror`): its state cannot be reached, or its template
/// fails to render.
struct TileErrorModel: Encodable, Sendable {
    var pageTitle: String
    var failure: RenderStatus
}
