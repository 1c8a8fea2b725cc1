import Apps
import Simulator
import Templates
import Web

/// `/storyboard/{app}/{screen}/{state}/frame`: one state as a document.
struct TilePages: Sendable {
    let services: Services
    let stage: Stage

    var routes: [Route] {
        [
            Route(
                .get, "/storyboard/{app}/{screen}/{state}/frame",
                handler: frame)
        ]
    }

    /// The screen as its template shows it now, standing still; of a state
    /// that cannot be reached, why.
    @Sendable func frame(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(
            allowing: ["size", "appearance", "text"])
        let display = try Self.display(asked)
        let (app, screen, state) = try services.state(of: visit)
        let scene = try await stage.scene(app, screen, state)
        switch scene.ending {
        case .unreachable(let reason):
            let model = UnreachableModel(
                pageTitle: "\(screen.id), \(state.name)", reason: reason)
            return .html(
                try services.templates.render(
                    "storyboard/unreachable", model, layout: "layouts/tile"))
        case .reached(let shot):
            return .html(try document(of: shot, display, visit.csrf))
        }
    }

    func document(
        of shot: Scene.Shot, _ display: Device.Display, _ csrf: String
    ) throws -> [UInt8] {
        var situation = shot.situation
        situation.device.display = display
        guard let screen = situation.app.screen(situation.screen) else {
            throw Problem.unknownScreen(situation.screen)
        }
        var model = ScreenBuilder(
            situation: situation, screen: screen, csrf: csrf,
            confirming: shot.confirming, framed: true, still: true,
            busy: shot.loading
        ).build()
        model.loading = shot.loading == Action.submitName
        func page() throws -> [UInt8] {
            try services.templates.render(
                services.template(of: screen, in: situation.app.id), model,
                layout: "layouts/screen")
        }
        var drawn = try page()
        if shot.loading != nil, !Self.isBusy(drawn) {
            // What is pressed within the form keeps the whole form waiting;
            // which actions stand there only the template knows.
            model.loading = true
            drawn = try page()
        }
        return Self.withoutFocus(drawn)
    }

    private static func isBusy(_ page: [UInt8]) -> Bool {
        String(decoding: page, as: UTF8.self).contains("aria-busy=\"true\"")
    }

    /// A browser scrolls a whole sheet to the tile that takes the focus; what
    /// would take it is marked.
    private static func withoutFocus(_ page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        return Array(
            text.replacing(" autofocus ", with: " data-autofocus ")
                .replacing(" autofocus>", with: " data-autofocus>").utf8)
    }

    static func display(
        _ asked: [String: String]
    ) throws -> Device.Display {
        var display = Device.Display()
        if let size = asked["size"] {
            guard DeviceSizes.named(size) != nil else {
                throw Problem.badChoice(
                    "size", DeviceSizes.all.map(\.id))
            }
            display.size = size
        }
        if let name = asked["appearance"] {
            guard let appearance = Device.Display.Appearance(rawValue: name)
            else {
                throw Problem.badChoice(
                    "appearance",
                    Device.Display.Appearance.allCases.map(\.rawValue))
            }
            display.appearance = appearance
        }
        if let name = asked["text"] {
            guard let text = Device.Display.TextSize(rawValue: name) else {
                throw Problem.badChoice(
                    "text", Device.Display.TextSize.allCases.map(\.rawValue))
            }
            display.textSize = text
        }
        return display
    }
}

extension Services {
    /// The state that an address of the storyboard names.
    func state(
        of visit: Visit
    ) throws -> (App, Screen, ScreenState) {
        let app = try app(of: visit)
        let name = visit.parameters["screen"] ?? ""
        guard let screen = app.screen(name) else {
            throw Problem.unknownScreen(name)
        }
        let wanted = visit.parameters["state"] ?? ""
        guard
            let state = app.screenStates(of: screen)
                .first(where: { $0.name == wanted })
        else {
            throw Problem(
                status: 404, code: "unknown-state",
                title: "This screen has no such state",
                detail: """
                    \(screen.id) has \(app.states(of: screen)
                        .joined(separator: ", ")).
                    """)
        }
        return (app, screen, state)
    }
}

extension Problem {
    fileprivate static func badChoice(
        _ name: String, _ choices: [String]
    ) -> Problem {
        Problem(
            status: 400, code: "bad-query",
            title: "This is no \(name)",
            detail: "\(name) can be \(choices.joined(separator: ", ")).")
    }
}
