/// A state of a screen in full (`storyboard/panel`).
struct PanelModel: Encodable, Sendable {
    /// `login, loading`.
    var panelTitle: String
    var panelState: String
    /// `reached`, `broken`, `not reachable`, `not run yet`.
    var chip: ChipModel
    var sentence: String
    /// The walkthrough's.
    var note: String?
    /// Why it cannot be reached or drawn.
    var why: String?
    /// `warn`, `bad`.
    var whyTone: String
    var openURL: String
    /// With scheme and host.
    var address: String
    var closeURL: String
    /// `How it is reached`, or what was tried.
    var stepsHead: String
    var anySteps: Bool
    var steps: [Step]
    /// Why there are none.
    var noSteps: String
    var selectors: [String]
    var ways: [Way]
    var anyWays: Bool

    struct Step: Encodable, Sendable {
        var number: Int
        var what: String
        var detail: String
    }

    /// Where the screen leads.
    struct Way: Encodable, Sendable {
        var wayLabel: String
        var wayTo: String
        var wayURL: String
    }
}
