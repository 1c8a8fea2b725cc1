import Apps
import Simulator
import Templates
import Web

/// How a moment of a screen becomes a document that stands still.
extension Services {
    /// A moment as its template shows it now.
    func document(of shot: Scene.Shot, _ display: Device.Display, _ csrf: String) throws -> [UInt8]
    {
        var situation = shot.situation
        situation.device.display = display
        guard let screen = situation.app.screen(situation.screen) else {
            throw Problem.unknownScreen(situation.screen)
        }
        var model = ScreenBuilder(
            situation: situation, screen: screen, csrf: csrf, confirming: shot.confirming,
            framed: true, still: true, busy: shot.loading
        ).build()
        model.loading = shot.loading == Action.submitName
        func page() throws -> [UInt8] {
            try templates.render(
                template(of: screen, in: situation.app.id), model, layout: "layouts/screen")
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
            text.replacing(" autofocus ", with: " data-autofocus ").replacing(
                " autofocus>", with: " data-autofocus>"
            ).utf8)
    }

    /// What is said of the states of an app now: templates change after they
    /// were played.
    func played<Key>(_ scenes: [Key: Scene]) -> [Key: Played] {
        // Nothing is drawn for it while all templates are in order.
        let isInOrder = templates.problems().isEmpty
        return scenes.mapValues { scene in
            Played(scene: scene, showing: isInOrder ? Showing(scene) : showing(of: scene))
        }
    }

    /// The same of one.
    func showing(of scene: Scene) -> Showing {
        guard case .reached(let shot) = scene.ending else { return Showing(scene) }
        do {
            _ = try document(of: shot, Device.Display(), "")
            return .reached
        } catch { return .broken("\(error)") }
    }
}
