/// What a screen promises is held against the rest of the manifest.
extension ManifestCheck {
    func checkScreen(_ screen: Screen) {
        let path = ["screens", screen.id]
        checkKinds(screen, at: path)
        checkTabs(screen, at: path + ["tabs"])
        checkRows(screen.goWhen, at: path + ["goWhen"])
        for (index, row) in screen.goWhen.enumerated() where leadsOn(from: screen, to: row) {
            wrong(
                path + ["goWhen", "\(index)", "go"],
                "\(row.go) leads on in turn, and two could lead in a circle",
                "Lead to a screen without goWhen.")
        }
        for link in screen.links { checkScreenName(link.screen, at: path + ["links", link.name]) }
        for name in screen.load { checkCallName(name, at: path + ["load"]) }
        for field in screen.fields {
            checkField(field, on: screen, at: path + ["fields", field.name])
        }
        for (index, rule) in screen.rules.enumerated() {
            let path = path + ["rules", "\(index)"]
            for name in rule.fields { checkFieldName(name, on: screen, at: path + ["fields"]) }
            checkRule(rule.rule, on: screen, at: path)
        }
        if let submit = screen.submit { checkAction(submit, on: screen, at: path + ["submit"]) }
        for action in screen.actions {
            checkAction(action, on: screen, at: path + ["actions", action.name])
        }
    }

    /// Whether `row` leads from `screen` to one that leads on. A circle is
    /// told at the screen that comes first.
    private func leadsOn(from screen: Screen, to row: Action.GoRow) -> Bool {
        guard row.go != screen.id, let next = app.screen(row.go), !next.goWhen.isEmpty else {
            return false
        }
        let leadsBack = next.goWhen.contains { $0.go == screen.id }
        let order = [screen.id, next.id].map { screenIDs.firstIndex(of: $0) }
        return !leadsBack || (order[0] ?? 0) < (order[1] ?? 0)
    }

    private func checkKinds(_ screen: Screen, at path: [String]) {
        let starts = app.screens.filter { $0.kind == .launch }
        if starts.count != 1 {
            wrong(
                starts.count > 1 ? ["screens", starts[1].id, "kind"] : ["screens"],
                "an app has one screen of kind launch and this has \(starts.count)",
                "Keep one: splash: { kind: 'launch', title: '…' }.")
        }
        if screen.needs == .session, !held.contains("accessToken") {
            unknown(
                "accessToken", at: path + ["needs"],
                "a session is an accessToken, and nothing holds one", among: names,
                mend: "Capture accessToken, and give a storage key holds: 'accessToken'.")
        }
        if screen.textOtherwise != nil, screen.text == nil {
            wrong(
                path + ["textOtherwise"], "there is no text to stand in for",
                "Add text, or rename it to text.")
        }
        for (index, name) in screen.textNeeds.enumerated() {
            guard screen.textOtherwise != nil else {
                wrong(
                    path + ["textNeeds"], "there is no text for where \(name) is not known",
                    "Add textOtherwise.")
                continue
            }
            checkHeld(name, at: path + ["textNeeds", "\(index)"])
        }
    }

    private func checkTabs(_ screen: Screen, at path: [String]) {
        for (index, tab) in screen.tabs.enumerated() {
            checkScreenName(tab, at: path + ["\(index)"])
        }
        if !screen.tabs.isEmpty, !screen.tabs.contains(screen.id),
            screen.tabs.allSatisfy(screenIDs.contains)
        {
            wrong(path, "\(screen.id) is not among its own tabs", "Add '\(screen.id)'.")
        }
    }

    private func checkField(_ field: Field, on screen: Screen, at path: [String]) {
        for (index, rule) in field.rules.enumerated() {
            checkRule(rule, on: screen, at: path + ["rules", "\(index)"])
        }
        if let name = field.prefill, !held.contains(name) {
            wrong(path + ["prefill"], "nothing holds \(name)", "Name it in memory: \(name): {}.")
        }
    }

    private func checkRule(_ rule: Rule, on screen: Screen, at path: [String]) {
        if case .same(let name) = rule.test {
            checkFieldName(name, on: screen, at: path + ["same"])
        }
    }

    private func checkAction(_ action: Action, on screen: Screen, at path: [String]) {
        for name in action.calls { checkCallName(name, at: path + ["calls"]) }
        for name in action.store { checkStorable(name, at: path + ["store"]) }
        for name in action.clearKeys {
            let keys = app.storage.map(\.key)
            guard !keys.contains(name) else { continue }
            wrong(
                path + ["clear"], "there is no area or storage key \(name)",
                Nearest.mend(name, StorageKey.Area.allCases.map(\.rawValue) + keys))
        }
        if let go = action.go { checkScreenName(go, at: path + ["go"]) }
        checkRows(action.goWhen, at: path + ["goWhen"])
        for name in action.checks ?? [] { checkFieldName(name, on: screen, at: path + ["checks"]) }
        if case .filled(let names) = action.enabled {
            for name in names {
                checkFieldName(name, on: screen, at: path + ["enabled", "filled"])
            }
        }
        for name in action.onFailure.clear {
            checkFieldName(name, on: screen, at: path + ["onFailure", "clear"])
        }
        if action.biometric != nil, action.confirm != nil {
            wrong(
                path + ["confirm"], "the sensor's prompt is this action's question already",
                "Leave out confirm or biometric.")
        }
        if let fill = action.biometric?.fill {
            let known = app.storage.filter { !$0.fields.isEmpty }.map(\.key)
            if !known.contains(fill) {
                wrong(
                    path + ["biometric", "fill"], "no storage key \(fill) holds fields",
                    Nearest.mend(fill, known))
            }
        }
        for (call, resume) in action.resume.sorted(by: { $0.key < $1.key }) {
            checkResume(resume, on: screen, at: path + ["resume", call])
        }
    }

    private func checkResume(_ resume: Action.Resume, on screen: Screen, at path: [String]) {
        for name in resume.fields + resume.changed.keys.sorted() {
            checkFieldName(name, on: screen, at: path)
        }
        for (field, call) in resume.changed.sorted(by: { $0.key < $1.key }) {
            checkCallName(call, at: path + ["changed", field])
        }
    }

    func checkRows(_ rows: [Action.GoRow], at path: [String]) {
        for (index, row) in rows.enumerated() {
            let path = path + ["\(index)"]
            checkScreenName(row.go, at: path + ["go"])
            for name in row.captured { checkHeld(name, at: path + ["captured"]) }
            for name in row.missing { checkHeld(name, at: path + ["missing"]) }
            for name in row.where.keys.sorted() { checkHeld(name, at: path + ["where", name]) }
        }
    }
}
