/// What a screen promises is held against the rest of the manifest.
extension ManifestCheck {
    func checkScreen(_ screen: Screen) throws(ManifestError) {
        let path = ["screens", screen.id]
        try checkKinds(screen, at: path)
        try checkTabs(screen, at: path + ["tabs"])
        try checkRows(screen.goWhen, at: path + ["goWhen"])
        for (index, row) in screen.goWhen.enumerated()
        where row.go != screen.id && app.screen(row.go)?.goWhen != [] {
            throw wrong(
                path + ["goWhen", "\(index)", "go"],
                "\(row.go) leads on in turn, and two could lead in a circle",
                "Lead to a screen without goWhen.")
        }
        for link in screen.links {
            try checkScreenName(
                link.screen, at: path + ["links", link.name])
        }
        for name in screen.load {
            try checkCallName(name, at: path + ["load"])
        }
        for field in screen.fields {
            try checkField(
                field, on: screen, at: path + ["fields", field.name])
        }
        for (index, rule) in screen.rules.enumerated() {
            let path = path + ["rules", "\(index)"]
            for name in rule.fields {
                try checkFieldName(name, on: screen, at: path + ["fields"])
            }
            try checkRule(rule.rule, on: screen, at: path)
        }
        if let submit = screen.submit {
            try checkAction(submit, on: screen, at: path + ["submit"])
        }
        for action in screen.actions {
            try checkAction(
                action, on: screen, at: path + ["actions", action.name])
        }
    }

    private func checkKinds(
        _ screen: Screen, at path: [String]
    ) throws(ManifestError) {
        let starts = app.screens.filter { $0.kind == .launch }
        guard starts.count == 1 else {
            throw wrong(
                starts.count > 1
                    ? ["screens", starts[1].id, "kind"] : ["screens"],
                "an app has one screen of kind launch and this has"
                    + " \(starts.count)",
                "Keep one: splash: { kind: 'launch', title: '…' }.")
        }
        if screen.needs == .session, !held.contains("accessToken") {
            throw wrong(
                path + ["needs"],
                "a session is an accessToken, and nothing holds one",
                "Capture accessToken, and give a storage key"
                    + " holds: 'accessToken'.")
        }
        if screen.textOtherwise != nil, screen.text == nil {
            throw wrong(
                path + ["textOtherwise"], "there is no text to stand in for",
                "Add text, or rename it to text.")
        }
    }

    private func checkTabs(
        _ screen: Screen, at path: [String]
    ) throws(ManifestError) {
        for (index, tab) in screen.tabs.enumerated() {
            try checkScreenName(tab, at: path + ["\(index)"])
        }
        guard screen.tabs.isEmpty || screen.tabs.contains(screen.id) else {
            throw wrong(
                path, "\(screen.id) is not among its own tabs",
                "Add '\(screen.id)'.")
        }
    }

    private func checkField(
        _ field: Field, on screen: Screen, at path: [String]
    ) throws(ManifestError) {
        for (index, rule) in field.rules.enumerated() {
            try checkRule(rule, on: screen, at: path + ["rules", "\(index)"])
        }
        if let name = field.prefill, !held.contains(name) {
            throw wrong(
                path + ["prefill"], "nothing holds \(name)",
                "Name it in memory: \(name): {}.")
        }
    }

    private func checkRule(
        _ rule: Rule, on screen: Screen, at path: [String]
    ) throws(ManifestError) {
        if case .same(let name) = rule.test {
            try checkFieldName(name, on: screen, at: path + ["same"])
        }
    }

    private func checkAction(
        _ action: Action, on screen: Screen, at path: [String]
    ) throws(ManifestError) {
        for name in action.calls {
            try checkCallName(name, at: path + ["calls"])
        }
        for name in action.store {
            try checkStorable(name, at: path + ["store"])
        }
        if let go = action.go { try checkScreenName(go, at: path + ["go"]) }
        try checkRows(action.goWhen, at: path + ["goWhen"])
        for name in action.checks ?? [] {
            try checkFieldName(name, on: screen, at: path + ["checks"])
        }
        if case .filled(let names) = action.enabled {
            for name in names {
                try checkFieldName(
                    name, on: screen, at: path + ["enabled", "filled"])
            }
        }
        for name in action.onFailure.clear {
            try checkFieldName(
                name, on: screen, at: path + ["onFailure", "clear"])
        }
        if action.biometric != nil, action.confirm != nil {
            throw wrong(
                path + ["confirm"],
                "the sensor's prompt is this action's question already",
                "Leave out confirm or biometric.")
        }
        if let fill = action.biometric?.fill {
            let known = app.storage.filter { !$0.fields.isEmpty }.map(\.key)
            guard known.contains(fill) else {
                throw wrong(
                    path + ["biometric", "fill"],
                    "no storage key \(fill) holds fields",
                    Nearest.mend(fill, known))
            }
        }
        for (call, resume) in action.resume.sorted(by: { $0.key < $1.key }) {
            try checkResume(resume, on: screen, at: path + ["resume", call])
        }
    }

    private func checkResume(
        _ resume: Action.Resume, on screen: Screen, at path: [String]
    ) throws(ManifestError) {
        for name in resume.fields + resume.changed.keys.sorted() {
            try checkFieldName(name, on: screen, at: path)
        }
        for (field, call) in resume.changed.sorted(by: { $0.key < $1.key }) {
            try checkCallName(call, at: path + ["changed", field])
        }
    }

    func checkRows(
        _ rows: [Action.GoRow], at path: [String]
    ) throws(ManifestError) {
        for (index, row) in rows.enumerated() {
            let path = path + ["\(index)"]
            try checkScreenName(row.go, at: path + ["go"])
            for name in row.captured {
                try checkHeld(name, at: path + ["captured"])
            }
            for name in row.missing {
                try checkHeld(name, at: path + ["missing"])
            }
            for name in row.where.keys.sorted() {
                try checkHeld(name, at: path + ["where", name])
            }
        }
    }
}
