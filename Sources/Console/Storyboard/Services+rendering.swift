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

/// Whether a state was reached, cannot be reached, or has a template that fails to render.
struct RenderStatus: Encodable, Sendable {
    var kind: Kind
    /// Why there is no screen: a sentence, or the template error `file:line:column: detail`.
    var reason: String?
    var chip: ChipModel

    enum Kind: String, Encodable, Sendable { case notPlayed, reached, unreachable, broken }

    private init(_ kind: Kind, _ chip: ChipModel, reason: String? = nil) {
        self.kind = kind
        self.chip = chip
        self.reason = reason
    }

    static let notPlayed = RenderStatus(.notPlayed, ChipModel(text: "Not rendered", tone: .neutral))
    static let reached = RenderStatus(
        .reached, ChipModel(text: "Reached", tone: .ok, chipIcon: "check"))

    static func unreachable(_ reason: String) -> RenderStatus {
        RenderStatus(
            .unreachable, ChipModel(text: "Unreachable", tone: .warn, chipIcon: "warn"),
            reason: reason)
    }

    static func broken(_ error: any Error) -> RenderStatus {
        RenderStatus(
            .broken, ChipModel(text: "Broken", tone: .bad, chipIcon: "cross"), reason: "\(error)")
    }

    /// Nil if a screen can be shown, or may be once the state is played.
    var failure: RenderStatus? { reason == nil ? nil : self }
}
