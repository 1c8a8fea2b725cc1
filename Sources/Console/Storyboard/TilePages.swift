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
        [Route(.get, "/storyboard/{app}/{screen}/{state}/frame", handler: frame)]
    }

    /// A static rendering of the screen with its current template, or the reason if the state
    /// cannot be reached or rendered.
    @Sendable func frame(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["size", "appearance", "text"])
        let display = try Self.display(from: query)
        let state = try services.screenState(of: context)
        let recording = try await stateCache.recording(of: state)
        switch recording.outcome {
        case .unreachable(let reason): return try renderFailure(.unreachable(reason), state)
        case .reached(let capture):
            do {
                return .screen(
                    try services.renderDocument(of: capture, display, context.csrfToken),
                    for: context,
                    ScreenLinks(app: state.app.id))
            } catch let error as TemplateError {
                return try renderFailure(.broken("\(error)"), state)
            }
        }
    }

    /// Renders a tile that shows the failure instead of a screen.
    private func renderFailure(_ status: RenderStatus, _ state: StoryboardState)
        throws -> Response
    {
        guard let failure = status.failure else { return .html([]) }
        return .html(
            try services.templates.render(
                "storyboard/tileerror",
                TileErrorModel(pageTitle: "\(state.screen.id), \(state.name)", failure: failure),
                layout: "layouts/tile"), status: failure.kind == .broken ? 500 : 200)
    }

    static func display(from query: [String: String]) throws -> Device.Display {
        var display = Device.Display()
        if let size = query["size"] {
            guard DeviceSizes.size(size) != nil else {
                throw Problem.invalidChoice("size", DeviceSizes.all.map(\.id))
            }
            display.size = size
        }
        if let name = query["appearance"] {
            guard let appearance = Device.Display.Appearance(rawValue: name) else {
                throw Problem.invalidChoice(
                    "appearance", Device.Display.Appearance.allCases.map(\.rawValue))
            }
            display.appearance = appearance
        }
        if let name = query["text"] {
            guard let text = Device.Display.TextSize(rawValue: name) else {
                throw Problem.invalidChoice(
                    "text", Device.Display.TextSize.allCases.map(\.rawValue))
            }
            display.textSize = text
        }
        return display
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

extension Problem {
    fileprivate static func invalidChoice(_ name: String, _ choices: [String]) -> Problem {
        Problem(
            status: 400, code: "bad-query", title: "Invalid \(name)",
            detail: "Valid values of \(name): \(choices.joined(separator: ", ")).")
    }
}

/// A tile without a screen (`storyboard/tileerror`): its state cannot be reached, or its template
/// fails to render.
struct TileErrorModel: Encodable, Sendable {
    var pageTitle: String
    var failure: RenderStatus.Failure
}
