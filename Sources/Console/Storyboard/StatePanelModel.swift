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
    var steps: [Step]
    /// Shown if there are no steps.
    var noStepsText: String
    var selectors: [String]
    var transitions: [Transition]
    var anyTransitions: Bool

    struct Step: Encodable, Sendable {
        var number: Int
        var instruction: String
        var detail: String
    }

    /// A transition from the screen to another.
    struct Transition: Encodable, Sendable {
        var transitionLabel: String
        var transitionTarget: String
        var transitionURL: String
    }
}
