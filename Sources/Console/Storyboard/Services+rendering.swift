import Apps
import Simulator
import Storyboards
import Templates
import Web

/// Renders captured screens as static documents.
extension Services {
    /// Renders the capture with the current template.
    func renderDocument(
        of capture: ScreenCapture, _ display: Device.Display, _ csrfToken: String
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
        var document = try page()
        if capture.loadingAction != nil, !Self.isBusy(document) {
            // An action inside the form puts the form into its busy state, and only the template
            // knows which actions are inside.
            model.loading = true
            document = try page()
        }
        return Self.removingAutofocus(document)
    }

    private static func isBusy(_ page: [UInt8]) -> Bool {
        String(decoding: page, as: UTF8.self).contains("aria-busy=\"true\"")
    }

    /// Replaces `autofocus` with `data-autofocus`: a browser would scroll the board to the focused
    /// tile.
    private static func removingAutofocus(_ page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        return Array(
            text.replacing(" autofocus ", with: " data-autofocus ").replacing(
                " autofocus>", with: " data-autofocus>"
            ).utf8)
    }

    /// Computes the current render status of the recordings: templates may have changed since
    /// playback.
    func playbackResults<Key>(of recordings: [Key: StateRecording]) -> [Key: PlaybackResult] {
        // Rendering is only needed if a template has an error.
        let areTemplatesValid = templates.errors().isEmpty
        return recordings.mapValues { recording in
            PlaybackResult(
                recording: recording,
                renderStatus: areTemplatesValid
                    ? RenderStatus(recording) : renderStatus(of: recording))
        }
    }

    func renderStatus(of recording: StateRecording) -> RenderStatus {
        guard case .reached(let capture) = recording.outcome else { return RenderStatus(recording) }
        do {
            _ = try renderDocument(of: capture, Device.Display(), "")
            return .reached
        } catch { return .broken("\(error)") }
    }
}
