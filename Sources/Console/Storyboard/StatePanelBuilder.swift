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
            absoluteURL: origin + page, closeURL: query.link { $0.selected = nil },
            stepsHeading: recording?.unreachableReason == nil
                ? "Steps to reproduce" : "Steps tried", anySteps: recording?.steps.isEmpty == false,
            steps: recording?.stepModels ?? [],
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

/// The details of one state of a screen (`storyboard/panel`).
struct StatePanelModel: Encodable, Sendable {
    /// `login, Loading`.
    var panelTitle: String
    var panelState: String
    /// `Reached`, `Broken`, `Unreachable`, `Not rendered`.
    var chip: ChipModel
    var description: String
    /// From the manifest's walkthrough.
    var note: String?
    /// Why it cannot be reached or rendered.
    var problemText: String?
    /// `warn`, `bad`.
    var problemTone: String
    var openURL: String
    /// With scheme and host.
    var absoluteURL: String
    var closeURL: String
    /// `Steps to reproduce`, `Steps tried`.
    var stepsHeading: String
    var anySteps: Bool
    var steps: [PlaybackStepModel]
    /// Shown if there are no steps.
    var noStepsText: String
    var selectors: [String]
    var transitions: [Transition]
    var anyTransitions: Bool

    /// A transition from the screen to another.
    struct Transition: Encodable, Sendable {
        var transitionLabel: String
        var transitionTarget: String
        var transitionURL: String
    }
}

/// A step that reproduces a state.
struct PlaybackStepModel: Encodable, Sendable {
    var number: Int
    var instruction: String
    var detail: String
}

extension StateRecording {
    var stepModels: [PlaybackStepModel] {
        steps.enumerated().map {
            .init(
                number: $0.offset + 1, instruction: $0.element.instruction,
                detail: $0.element.detail)
        }
    }
}
