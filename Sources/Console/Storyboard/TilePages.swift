import Apps
import Simulator
import Templates
import Web

/// `/storyboard/{app}/{screen}/{state}/frame`: one state as a document.
struct TilePages: Sendable {
    let services: Services
    let stage: Stage

    var routes: [Route] {
        [Route(.get, "/storyboard/{app}/{screen}/{state}/frame", handler: frame)]
    }

    /// The screen as its template shows it now, standing still; of a state
    /// that cannot be reached or drawn, why.
    @Sendable func frame(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["size", "appearance", "text"])
        let display = try Self.display(asked)
        let (app, screen, state) = try services.state(of: visit)
        let scene = try await stage.scene(app, screen, state)
        switch scene.ending {
        case .unreachable(let reason): return try none(.unreachable(reason), screen, state)
        case .reached(let shot):
            do {
                return .screen(
                    try services.document(of: shot, display, visit.csrf), for: visit,
                    ScreenLinks(app: app.id))
            } catch let error as TemplateError {
                return try none(.broken("\(error)"), screen, state)
            }
        }
    }

    /// A tile that shows no screen, and says why.
    private func none(_ showing: Showing, _ screen: Screen, _ state: ScreenState) throws -> Response
    {
        guard let lost = showing.lost else { return .html([]) }
        return .html(
            try services.templates.render(
                "storyboard/unreachable",
                UnreachableModel(pageTitle: "\(screen.id), \(state.name)", lost: lost),
                layout: "layouts/tile"), status: lost.kind == .broken ? 500 : 200)
    }

    static func display(_ asked: [String: String]) throws -> Device.Display {
        var display = Device.Display()
        if let size = asked["size"] {
            guard DeviceSizes.named(size) != nil else {
                throw Problem.badChoice("size", DeviceSizes.all.map(\.id))
            }
            display.size = size
        }
        if let name = asked["appearance"] {
            guard let appearance = Device.Display.Appearance(rawValue: name) else {
                throw Problem.badChoice(
                    "appearance", Device.Display.Appearance.allCases.map(\.rawValue))
            }
            display.appearance = appearance
        }
        if let name = asked["text"] {
            guard let text = Device.Display.TextSize(rawValue: name) else {
                throw Problem.badChoice("text", Device.Display.TextSize.allCases.map(\.rawValue))
            }
            display.textSize = text
        }
        return display
    }
}

extension Services {
    /// The state that an address of the storyboard names.
    func state(of visit: Visit) throws -> (App, Screen, ScreenState) {
        let app = try app(of: visit)
        let name = visit.parameters["screen"] ?? ""
        guard let screen = app.screen(name) else { throw Problem.unknownScreen(name) }
        let wanted = visit.parameters["state"] ?? ""
        guard let state = app.screenStates(of: screen).first(where: { $0.name == wanted }) else {
            throw Problem(
                status: 404, code: "unknown-state", title: "This screen has no such state",
                detail: """
                    \(screen.id) has \(app.states(of: screen)
                        .joined(separator: ", ")).
                    """)
        }
        return (app, screen, state)
    }
}

extension Problem {
    fileprivate static func badChoice(_ name: String, _ choices: [String]) -> Problem {
        Problem(
            status: 400, code: "bad-query", title: "This is no \(name)",
            detail: "\(name) can be \(choices.joined(separator: ", ")).")
    }
}
