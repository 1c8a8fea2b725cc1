/// Checks a screen's references to other parts of the manifest.
extension ManifestCheck {
    func checkScreen(_ screen: Screen) {
        let path = ["screens", screen.id]
        checkKinds(screen, at: path)
        checkTabs(screen, at: path + ["tabs"])
        checkNavigationRules(screen.navigationRules, at: path + ["goWhen"])
        for (index, rule) in screen.navigationRules.enumerated()
        where leadsToRedirectingScreen(from: screen, to: rule) {
            report(
                path + ["goWhen", "\(index)", "go"],
                "\(rule.destination) redirects too, which can cause a redirect loop",
                "Go to a screen without goWhen.")
        }
        for link in screen.links { checkScreenName(link.screen, at: path + ["links", link.name]) }
        for name in screen.callsOnLoad { checkCallName(name, at: path + ["load"]) }
        for field in screen.fields {
            checkField(field, on: screen, at: path + ["fields", field.name])
        }
        for (index, rule) in screen.rules.enumerated() {
            let path = path + ["rules", "\(index)"]
            for name in rule.fields { checkFieldName(name, on: screen, at: path + ["fields"]) }
            checkRule(rule.rule, on: screen, at: path)
        }
        if let submit = screen.submitAction {
            checkAction(submit, on: screen, at: path + ["submit"])
        }
        for action in screen.actions {
            checkAction(action, on: screen, at: path + ["actions", action.name])
        }
    }

    /// Whether `rule` leads from `screen` to a screen that redirects in turn. A cycle is reported
    /// at the screen declared first.
    private func leadsToRedirectingScreen(from screen: Screen, to rule: Action.NavigationRule)
        -> Bool
    {
        guard rule.destination != screen.id, let next = app.screen(rule.destination),
            !next.navigationRules.isEmpty
        else {
            return false
        }
        let leadsBack = next.navigationRules.contains { $0.destination == screen.id }
        let order = [screen.id, next.id].map { screenIDs.firstIndex(of: $0) }
        return !leadsBack || (order[0] ?? 0) < (order[1] ?? 0)
    }

    private func checkKinds(_ screen: Screen, at path: [String]) {
        let launchScreens = app.screens.filter { $0.kind == .launch }
        if launchScreens.count != 1 {
            report(
                launchScreens.count > 1 ? ["screens", launchScreens[1].id, "kind"] : ["screens"],
                "Expected one screen of kind launch, got \(launchScreens.count)",
                "Keep one: splash: { kind: 'launch', title: '…' }.")
        }
        if screen.requirement == .session, !heldNames.contains("accessToken") {
            reportUnknown(
                "accessToken", at: path + ["needs"],
                "No storage key or memory holds the session's accessToken", among: heldParts,
                fix: "Capture accessToken, and add holds: 'accessToken' to a storage key.")
        }
        if screen.fallbackText != nil, screen.text == nil {
            report(
                path + ["textOtherwise"], "Fallback text without text",
                "Add text, or rename it to text.")
        }
        for (index, name) in screen.textRequiredNames.enumerated() {
            guard screen.fallbackText != nil else {
                report(
                    path + ["textNeeds"], "No fallback text for a missing \(name)",
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
            report(path, "The screen is not among its own tabs", "Add '\(screen.id)'.")
        }
    }

    private func checkField(_ field: Field, on screen: Screen, at path: [String]) {
        for (index, rule) in field.rules.enumerated() {
            checkRule(rule, on: screen, at: path + ["rules", "\(index)"])
        }
        if let name = field.prefillName, !heldNames.contains(name) {
            report(
                path + ["prefill"], "No storage key or memory holds \(name)",
                "Add it to memory: \(name): {}.")
        }
    }

    private func checkRule(_ rule: Rule, on screen: Screen, at path: [String]) {
        if case .same(let name) = rule.test {
            checkFieldName(name, on: screen, at: path + ["same"])
        }
    }

    private func checkAction(_ action: Action, on screen: Screen, at path: [String]) {
        for name in action.calls { checkCallName(name, at: path + ["calls"]) }
        for name in action.namesToStore { checkStorable(name, at: path + ["store"]) }
        for name in action.keysToClear {
            let keys = app.storage.map(\.key)
            guard !keys.contains(name) else { continue }
            report(
                path + ["clear"], "Unknown area or storage key \(name)",
                SpellingSuggestion.fix(name, StorageKey.Area.allCases.map(\.rawValue) + keys))
        }
        if let destination = action.destination { checkScreenName(destination, at: path + ["go"]) }
        checkNavigationRules(action.navigationRules, at: path + ["goWhen"])
        for name in action.checkedFields ?? [] {
            checkFieldName(name, on: screen, at: path + ["checks"])
        }
        if case .filled(let names) = action.enabledRule {
            for name in names {
                checkFieldName(name, on: screen, at: path + ["enabled", "filled"])
            }
        }
        for name in action.onFailure.fieldsToClear {
            checkFieldName(name, on: screen, at: path + ["onFailure", "clear"])
        }
        if action.biometricCheck != nil, action.confirmation != nil {
            report(
                path + ["confirm"], "The biometric prompt already asks for confirmation",
                "Remove confirm or biometric.")
        }
        if let storageKey = action.biometricCheck?.storageKey {
            let fieldKeys = app.storage.filter { !$0.fields.isEmpty }.map(\.key)
            if !fieldKeys.contains(storageKey) {
                report(
                    path + ["biometric", "fill"], "No storage key \(storageKey) holds fields",
                    SpellingSuggestion.fix(storageKey, fieldKeys))
            }
        }
        for (call, rule) in action.resumeRules.sorted(by: { $0.key < $1.key }) {
            checkResume(rule, on: screen, at: path + ["resume", call])
        }
    }

    private func checkResume(_ rule: Action.ResumeRule, on screen: Screen, at path: [String]) {
        for name in rule.unchangedFields + rule.callsOnChange.keys.sorted() {
            checkFieldName(name, on: screen, at: path)
        }
        for (field, call) in rule.callsOnChange.sorted(by: { $0.key < $1.key }) {
            checkCallName(call, at: path + ["changed", field])
        }
    }

    func checkNavigationRules(_ rules: [Action.NavigationRule], at path: [String]) {
        for (index, rule) in rules.enumerated() {
            let path = path + ["\(index)"]
            checkScreenName(rule.destination, at: path + ["go"])
            for name in rule.requiredNames { checkHeld(name, at: path + ["captured"]) }
            for name in rule.absentNames { checkHeld(name, at: path + ["missing"]) }
            for name in rule.expectedValues.keys.sorted() {
                checkHeld(name, at: path + ["where", name])
            }
        }
    }
}
