/// A state of a screen in full (`storyboard/panel`).
struct StatePanelModel: Encodable, Sendable {
    /// `login, loading`.
    var panelTitle: String
    var panelState: String
    /// `reached`, `broken`, `not reachable`, `not run yet`.
    var chip: ChipModel
    var description: String
    /// The walkthrough's.
    var note: String?
    /// Why it cannot be reached or drawn.
    var problemText: String?
    /// `warn`, `bad`.
    var problemTone: String
    var openURL: String
    /// With scheme and host.
    var absoluteURL: String
    var closeURL: String
    /// `How it is reached`, or what was tried.
    var stepsHeading: String
    var anySteps: Bool
    var steps: [Step]
    /// Why there are none.
    var noStepsText: String
    var selectors: [String]
    var transitions: [Transition]
    var anyTransitions: Bool

    struct Step: Encodable, Sendable {
        var number: Int
        var instruction: String
        var detail: String
    }

    /// Where the screen leads.
    struct Transition: Encodable, Sendable {
        var transitionLabel: String
        var transitionTarget: String
        var transitionURL: String
    }
}
