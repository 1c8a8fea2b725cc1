import Apps
import Storyboards
import Templates

extension StoryboardState {
    /// What templates show of it.
    var model: TemplateModel {
        [
            "stateName": name, "stateTitle": title, "description": description, "note": note,
            "isInitial": cause == .initial,
        ]
    }

    /// The details of the state (`storyboard/panel`); `result` is nil before it was played, and
    /// `origin` is `http://127.0.0.1:7070`.
    func panel(
        _ result: PlaybackResult?, _ graph: ScreenGraph, _ board: StoryboardQuery, origin: String
    ) -> TemplateModel {
        let recording = result?.recording
        let openURL = Links.statePage(id)
        let edges = cause == .initial ? graph.edges : []
        return [
            "panelTitle": fullTitle, "state": model, "status": result?.status ?? .notPlayed,
            "openURL": openURL, "pictureURL": Links.statePicture(id, board.displayItems(for: app)),
            "absoluteURL": origin + openURL, "closeURL": board.link(selecting: nil),
            "stepsHeading": recording?.unreachableReason == nil
                ? "Steps to reproduce" : "Steps tried",
            "steps": recording?.steps ?? [],
            "noStepsText": recording == nil
                ? "Rendered when its tile comes into view." : "No steps needed.",
            "selectors": screen.selectors,
            "transitions": edges.filter { $0.from == screen.id }.map { edge -> TemplateModel in
                [
                    "transitionLabel": edge.label.isEmpty ? "automatic" : edge.label,
                    "transitionTarget": edge.to,
                    "transitionURL": board.link(selecting: StateID(app: app.id, screen: edge.to)),
                ]
            },
        ]
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
            if action.browserPage != nil {
                for part in ["prompt", "continue", "cancel", "return"] { add(action.name, part) }
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
