import Apps
import Simulator
import Storyboards
import Templates
import Web

/// Renders captured screens as static documents.
extension Services {
    /// Renders the capture with the current template.
    func renderDocument(
        of capture: ScreenCapture, _ display: Device.Display = .init(), _ csrfToken: String = ""
    ) throws -> [UInt8] {
        var status = capture.status
        status.device.display = display
        guard let screen = status.app.screen(status.screen) else {
            throw Problem.unknownScreen(status.screen)
        }
        var model = ScreenBuilder(
            status: status, screen: screen, csrf: csrfToken,
            confirmingAction: capture.confirmingAction, isFramed: true, isStatic: true,
            busyAction: capture.loadingAction, screenLinks: ScreenLinks(app: status.app.id)
        ).build()
        model.loading = capture.loadingAction == Action.submitName
        func page() throws -> String {
            let bytes = try templates.render(
                template(of: screen, in: status.app.id), model, layout: "layouts/screen")
            return String(decoding: bytes, as: UTF8.self)
        }
        var document = try page()
        if capture.loadingAction != nil, !document.contains("aria-busy=\"true\"") {
            // An action inside the form puts the form into its busy state, and only the template
            // knows which actions are inside.
            model.loading = true
            document = try page()
        }
        // A browser would scroll the board to the focused tile.
        return Array(
            document.replacing(" autofocus ", with: " data-autofocus ").replacing(
                " autofocus>", with: " data-autofocus>"
            ).utf8)
    }

    /// The current status of a recording: a template may have changed since playback. Without
    /// `rendersAgain` that is assumed not to be so.
    func renderStatus(of recording: StateRecording, rendersAgain: Bool = true) -> RenderStatus {
        switch recording.outcome {
        case .unreachable(let reason): return .unreachable(reason)
        case .reached(let capture):
            guard rendersAgain else { return .reached }
            do { _ = try renderDocument(of: capture) } catch { return .broken(error) }
            return .reached
        }
    }
}
