import Apps
import Storyboards
import Web

/// Builds the panel with the details of one state.
struct StatePanelBuilder {
    let state: StoryboardState
    let query: BoardQuery
    /// The recording of its playback; nil before that.
    let recording: StateRecording?
    let renderStatus: RenderStatus
    /// `http://127.0.0.1:7070`.
    let origin: String

    private var app: App { state.app }
    private var screen: Screen { state.screen }

    func build() -> StatePanelModel {
        let page = Links.storyboardState(state.id)
        let transitions = state.cause == .initial ? self.transitions(from: screen.id) : []
        return StatePanelModel(
            panelTitle: "\(screen.id), \(state.title)", panelState: state.name,
            chip: ChipModel(renderStatus), description: state.description, note: state.note,
            problemText: renderStatus.failureReason,
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
