import Apps
import Storyboards
import Web

/// Builds the panel with the details of one state.
struct StatePanelBuilder {
    let app: App
    let query: BoardQuery
    /// The recording of its playback; nil before that.
    let recording: StateRecording?
    let renderStatus: RenderStatus
    /// `http://127.0.0.1:7070`.
    let origin: String

    /// Throws a `Problem` if the app has no such state.
    func build(_ tile: BoardQuery.TileID) throws -> StatePanelModel {
        guard let screen = app.screen(tile.screen),
            let state = app.screenStates(of: screen).first(where: { $0.name == tile.state })
        else { throw Problem.unknownState("\(tile.screen)/\(tile.state)") }
        let titles = StateTitles(app, screen)
        let descriptions = StateDescriptions(titles: titles)
        let page = Links.storyboardState(app.id, .init(screen: screen.id, state: state.name))
        let transitions = state.cause == .initial ? self.transitions(from: screen.id) : []
        return StatePanelModel(
            panelTitle: "\(screen.id), \(titles.title(of: state))", panelState: state.name,
            chip: ChipModel(renderStatus), description: descriptions.description(of: state),
            note: descriptions.note(of: state), problemText: renderStatus.failureReason,
            problemTone: renderStatus.isBroken ? "bad" : "warn", openURL: page,
            absoluteURL: origin + page,
            closeURL: query.link { $0.selected = nil },
            stepsHeading: recording?.unreachableReason == nil
                ? "Steps to reproduce" : "Steps tried",
            anySteps: recording?.steps.isEmpty == false,
            steps: (recording?.steps ?? []).enumerated().map {
                .init(
                    number: $0.offset + 1, instruction: $0.element.instruction,
                    detail: $0.element.detail)
            },
            noStepsText: recording == nil
                ? "Rendered when its tile comes into view." : "No steps needed.",
            selectors: screen.selectors, transitions: transitions,
            anyTransitions: !transitions.isEmpty)
    }

    private func transitions(from screen: String) -> [StatePanelModel.Transition] {
        ScreenGraphEdge.all(of: app).filter { $0.from == screen }.map { edge in
            .init(
                transitionLabel: edge.label.isEmpty ? "automatic" : edge.label,
                transitionTarget: edge.to,
                transitionURL: query.link {
                    $0.selected = .init(app: app.id, screen: edge.to, state: "default")
                })
        }
    }
}
