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
        let display = try StoryboardQuery(context.target.path, .display, query).display
        let state = try services.screenState(of: context)
        switch try await stateCache.recording(of: state).outcome {
        case .unreachable(let reason): return try renderFailure(.unreachable(reason), state)
        case .reached(let capture):
            if let page = capture.page { return .browserPage(page) }
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
        let model: TemplateModel = [
            "pageTitle": "\(state.screen.id), \(state.name)", "failure": failure,
        ]
        return .html(
            try services.templates.render(
                "storyboard/tileerror", model, layout: "layouts/tile"),
            status: failure.kind == .broken ? 500 : 200)
    }
}

extension Response {
    /// A page of another site, as recorded: it sends nothing and, without an allowed source, runs
    /// no script.
    fileprivate static func browserPage(_ page: [UInt8]) -> Response {
        var response = Response.html(page)
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-scripts"
        return response
    }
}

// MARK: Rendering

extension Services {
    /// Renders the capture with the current template.
    func renderDocument(
        of capture: ScreenCapture, _ display: Device.Display = .init(), _ csrfToken: String = ""
    ) throws -> [UInt8] {
        if let page = capture.page { return page }
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

    /// The state that a storyboard URL names.
    func screenState(of context: RequestContext) throws -> StoryboardState {
        let app = try app(of: context)
        let name = context.parameters["screen"] ?? ""
        guard let screen = app.screen(name) else { throw Problem.unknownScreen(name) }
        let states = app.storyboardStates(of: screen)
        let wanted = context.parameters["state"] ?? ""
        guard let state = states.first(where: { $0.name == wanted }) else {
            throw Problem.unknown(
                "state", "Valid states of \(name): ", available: states.map(\.name))
        }
        return state
    }
}

/// Whether a state was reached, cannot be reached, or has a template that fails to render.
struct RenderStatus: Encodable, Sendable {
    var kind: Kind
    /// Why there is no screen: a sentence, or the template error `file:line:column: detail`.
    var reason: String?
    var chip: ChipModel

    enum Kind: String, Encodable, Sendable, CaseIterable {
        case notPlayed, reached, unreachable, broken
    }

    static let notPlayed = Self(kind: .notPlayed, chip: .init(text: "Not rendered", tone: .neutral))
    static let reached = Self(
        kind: .reached, chip: .init(text: "Reached", tone: .ok, chipIcon: "check"))

    static func unreachable(_ reason: String) -> Self {
        Self(
            kind: .unreachable, reason: reason,
            chip: .init(text: "Unreachable", tone: .warn, chipIcon: "warn"))
    }

    static func broken(_ error: any Error) -> Self {
        Self(
            kind: .broken, reason: "\(error)",
            chip: .init(text: "Broken", tone: .bad, chipIcon: "cross"))
    }

    /// Nil if a screen can be shown, or may be once the state is played.
    var failure: RenderStatus? { reason == nil ? nil : self }
}
