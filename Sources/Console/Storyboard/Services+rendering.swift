import Apps
import Simulator
import Templates
import Web

/// How a moment of a screen becomes a document that stands still.
extension Services {
    /// A moment as its template shows it now.
    func renderDocument(
        of capture: StateRecording.ScreenCapture, _ display: Device.Display, _ csrfToken: String
    ) throws -> [UInt8] {
        var status = capture.status
        status.device.display = display
        guard let screen = status.app.screen(status.screen) else {
            throw Problem.unknownScreen(status.screen)
        }
        var model = ScreenBuilder(
            status: status, screen: screen, csrfToken: csrfToken,
            confirmingAction: capture.confirmingAction,
            isFramed: true, isStatic: true, busyAction: capture.loadingAction
        ).build()
        model.loading = capture.loadingAction == Action.submitName
        func page() throws -> [UInt8] {
            try templates.render(
                template(of: screen, in: status.app.id), model, layout: "layouts/screen")
        }
        var drawn = try page()
        if capture.loadingAction != nil, !Self.isBusy(drawn) {
            // What is pressed within the form keeps the whole form waiting;
            // which actions stand there only the template knows.
            model.loading = true
            drawn = try page()
        }
        return Self.removingAutofocus(drawn)
    }

    private static func isBusy(_ page: [UInt8]) -> Bool {
        String(decoding: page, as: UTF8.self).contains("aria-busy=\"true\"")
    }

    /// A browser scrolls a whole sheet to the tile that takes the focus; what
    /// would take it is marked.
    private static func removingAutofocus(_ page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        return Array(
            text.replacing(" autofocus ", with: " data-autofocus ").replacing(
                " autofocus>", with: " data-autofocus>"
            ).utf8)
    }

    /// What is said of the states of an app now: templates change after they
    /// were played.
    func playbackResults<Key>(of scenes: [Key: StateRecording]) -> [Key: PlaybackResult] {
        // Nothing is drawn for it while all templates are in order.
        let isInOrder = templates.errors().isEmpty
        return scenes.mapValues { scene in
            PlaybackResult(
                recording: scene,
                renderStatus: isInOrder ? RenderStatus(scene) : renderStatus(of: scene))
        }
    }

    /// The same of one.
    func renderStatus(of scene: StateRecording) -> RenderStatus {
        guard case .reached(let capture) = scene.outcome else { return RenderStatus(scene) }
        do {
            _ = try renderDocument(of: capture, Device.Display(), "")
            return .reached
        } catch { return .broken("\(error)") }
    }
}
