import Apps
import Storyboards

/// The details of one state of a screen (`storyboard/panel`).
struct StatePanelModel: Encodable, Sendable {
    /// `login, Loading`.
    let panelTitle: String
    let state: StoryboardState
    let status: RenderStatus
    let openURL: String
    /// With scheme and host.
    let absoluteURL: String
    let closeURL: String
    /// `Steps to reproduce`, `Steps tried`.
    let stepsHeading: String
    let steps: [StateRecording.Step]
    /// Shown if there are no steps.
    let noStepsText: String
    let selectors: [String]
    let transitions: [Transition]

    /// A transition from the screen to another.
    struct Transition: Encodable, Sendable {
        var transitionLabel: String
        var transitionTarget: String
        var transitionURL: String
    }
}

extension StatePanelModel {
    /// `recording` is nil before the state was played; `origin` is `http://127.0.0.1:7070`.
    init(
        _ state: StoryboardState, _ recording: StateRecording?, _ status: RenderStatus,
        _ board: StoryboardQuery, origin: String
    ) {
        panelTitle = state.fullTitle
        self.state = state
        self.status = status
        openURL = Links.statePage(state.id)
        absoluteURL = origin + openURL
        closeURL = board.link(selecting: nil)
        stepsHeading = recording?.unreachableReason == nil ? "Steps to reproduce" : "Steps tried"
        steps = recording?.steps ?? []
        noStepsText =
            recording == nil ? "Rendered when its tile comes into view." : "No steps needed."
        selectors = state.screen.selectors
        let edges = state.cause == .initial ? ScreenGraphEdge.all(of: state.app) : []
        transitions = edges.filter { $0.from == state.screen.id }.map { edge in
            Transition(
                transitionLabel: edge.label.isEmpty ? "automatic" : edge.label,
                transitionTarget: edge.to,
                transitionURL: board.link(
                    selecting: StateID(app: state.app.id, screen: edge.to)))
        }
    }
}

extension Screen {
    /// The `data-testid` of every element to use or read, in document order: tabs, fields, actions
    /// and links.
    var selectors: [String] {
        var names: [String] = []
        func add(_ parts: String...) {
            let name = ([id] + parts).joined(separator: ".")
            if !names.contains(name) { names.append(name) }
        }
        for tab in tabs { add("tab", tab) }
        for field in fields {
            if field.type == .choice {
                for option in field.options { add(field.name, option.value) }
            } else {
                add(field.name)
            }
            if field.type == .password { add(field.name, "reveal") }
            if field.link != nil { add(field.name, "link") }
            let isValidated =
                !field.rules.isEmpty || rules.contains { $0.fields.contains(field.name) }
            if isValidated, errorPlacement == .field { add(field.name, "error") }
        }
        if !fields.isEmpty || kind == .launch
            || allActions.contains(where: { !$0.calls.isEmpty && !$0.ignoresCallFailures })
        {
            add("error")
        }
        for action in allActions {
            add(action.name)
            if action.confirmation != nil {
                for part in ["dialog", "cancel", "confirm"] { add(action.name, part) }
            }
            if action.biometricCheck != nil {
                for part in ["prompt", "match", "noMatch", "cancel"] { add(action.name, part) }
            }
        }
        if kind == .launch {
            add("launch")
            add("retry")
        }
        let showsNotice = allActions.contains { action in
            action.notice != nil || action.navigationRules.contains { $0.notice != nil }
        }
        if showsNotice { add("notice") }
        for link in links { add(link.name) }
        if allActions.contains(where: { $0.toast != nil }) { names.append("toast") }
        let showsAlert = allActions.contains {
            $0.alert != nil || $0.onFailure.presentation == .alert
        }
        if showsAlert { names += ["alert", "alert.ok"] }
        return names
    }
}
