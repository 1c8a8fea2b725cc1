extension Action {
    init(_ node: ManifestNode, name: String) throws(ManifestError) {
        try node.allowOnly(
            "label", "hint", "role", "enabled", "confirm", "checks", "calls",
            "store", "clear", "go", "goWhen", "toast", "notice", "alert",
            "always", "onFailure", "needs", "inert", "biometric", "bypass",
            "resume")
        self.name = try node.identifier(name)
        label = try node.require("label").string()
        hint = try node["hint"]?.string()
        role = try node["role"]?.string()
        enabledRule = try EnabledRule(node["enabled"])
        confirmation = nil
        if let node = node["confirm"] { confirmation = try Confirmation(node) }
        checkedFields = try node["checks"]?.strings()
        calls = try node["calls"]?.strings() ?? []
        namesToStore = try node["store"]?.strings() ?? []
        let cleared = try node["clear"]?.strings() ?? []
        areasToClear = cleared.compactMap(StorageKey.Area.init)
        keysToClear = cleared.filter { StorageKey.Area(rawValue: $0) == nil }
        destination = try node["go"]?.string()
        navigationRules = node.navigationRules("goWhen")
        toast = try node["toast"]?.string()
        notice = try node["notice"]?.string()
        alert = nil
        if let node = node["alert"] { alert = try Alert(node) }
        ignoresCallFailures = try node["always"]?.bool() ?? false
        onFailure = try FailureHandling(node["onFailure"])
        deviceRequirements = try node["needs"]?.deviceRequirements() ?? [:]
        isInert = try node["inert"]?.bool() ?? false
        biometricCheck = nil
        if let node = node["biometric"] { biometricCheck = try BiometricCheck(node) }
        bypassesSession = try node["bypass"]?.bool() ?? false
        resumeRules = [:]
        if let node = node["resume"] { resumeRules = try node.resumeRules(for: calls) }
        if isInert, !calls.isEmpty || destination != nil || !navigationRules.isEmpty {
            throw node.error(
                "An inert action cannot have calls or go", "Remove inert, or its calls and go.")
        }
    }
}

extension Action {
    /// A named action of a screen, other than `submit`.
    static func makeAction(_ node: ManifestNode, _ name: String) throws(ManifestError) -> Action {
        guard name != submitName, name != checkName else {
            throw node.error(
                "Reserved action name \(name)",
                "Write submit as the screen's submit, or rename the action.")
        }
        return try Action(node, name: name)
    }
}

extension Action.EnabledRule {
    /// `always`, `valid`, or `{ filled: [fields] }`.
    init(_ node: ManifestNode?) throws(ManifestError) {
        switch node?.document.value {
        case nil, .string("always")?: self = .always
        case .string("valid")?: self = .valid
        case .object?:
            try node?.allowOnly("filled")
            self = .filled(try node?.require("filled").strings() ?? [])
        default:
            guard let node else {
                self = .always
                return
            }
            throw node.typeError("'always', 'valid' or fields", example: "{ filled: ['email'] }")
        }
    }
}

extension Action.Confirmation {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("title", "text", "yes", "no")
        title = try node["title"]?.string()
        text = try node.require("text").string()
        confirmLabel = try node.require("yes").string()
        cancelLabel = try node.require("no").string()
    }
}

extension Action.Alert {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("title", "text", "ok")
        title = try node["title"]?.string()
        text = try node.require("text").string()
        buttonLabel = try node["ok"]?.string() ?? "OK"
    }
}

extension Action.BiometricCheck {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("reason", "failed", "fill", "missing")
        reason = try node.require("reason").string()
        failureMessage = try node.require("failed").string()
        storageKey = try node["fill"]?.string()
        missingMessage = try node["missing"]?.string()
        guard (storageKey == nil) == (missingMessage == nil) else {
            throw node.error(
                "Only one of fill and missing",
                "Add both: missing is the message when nothing is stored.")
        }
    }
}

extension Action.NavigationRule {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("captured", "missing", "where", "go", "notice")
        requiredNames = try node["captured"]?.strings() ?? []
        absentNames = try node["missing"]?.strings() ?? []
        `expectedValues` = [:]
        for (name, node) in try node["where"]?.members() ?? [] {
            `expectedValues`[name] = try node.scalarText()
        }
        destination = try node.require("go").string()
        notice = try node["notice"]?.string()
    }
}

extension Action.FailureHandling {
    init(_ node: ManifestNode?) throws(ManifestError) {
        try node?.allowOnly("clear", "show", "title", "text")
        fieldsToClear = try node?["clear"]?.strings() ?? []
        presentation = try node?["show"]?.choice() ?? .inline
        title = try node?["title"]?.string()
        text = try node?["text"]?.string()
    }
}

extension ManifestNode {
    func navigationRules(_ name: String) -> [Action.NavigationRule] {
        list(name, Action.NavigationRule.init(_:))
    }

    /// The device properties required for the action to be shown.
    fileprivate func deviceRequirements() throws(ManifestError) -> [String: String] {
        let allowed = [
            "build": ["debug", "release"], "biometrics": ["enrolled", "faceID", "touchID", "none"],
        ]
        let requirements = try stringMembers()
        for (name, node) in try members() {
            guard let values = allowed[name] else {
                throw node.error(
                    "Unknown device property \(name)",
                    SpellingSuggestion.fix(name, Array(allowed.keys)))
            }
            guard let value = requirements[name], values.contains(value) else {
                throw node.error(
                    "Invalid value of \(name)",
                    SpellingSuggestion.fix(requirements[name] ?? "", values))
            }
        }
        return requirements
    }
}
