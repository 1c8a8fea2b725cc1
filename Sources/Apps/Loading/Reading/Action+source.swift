extension Action {
    init(_ source: Source, name: String) throws(ManifestError) {
        try source.only(
            "label", "hint", "role", "enabled", "confirm", "checks", "calls",
            "store", "clear", "go", "goWhen", "toast", "notice", "alert",
            "always", "onFailure", "needs", "inert", "biometric", "bypass",
            "resume")
        self.name = try source.identifier(name)
        label = try source.need("label").string()
        hint = try source["hint"]?.string()
        role = try source["role"]?.string()
        enabled = try Enabled(source["enabled"])
        confirm = nil
        if let source = source["confirm"] { confirm = try Confirm(source) }
        checks = try source["checks"]?.strings()
        calls = try source["calls"]?.strings() ?? []
        store = try source["store"]?.strings() ?? []
        let cleared = try source["clear"]?.strings() ?? []
        clear = cleared.compactMap(StorageKey.Area.init)
        clearKeys = cleared.filter { StorageKey.Area(rawValue: $0) == nil }
        go = try source["go"]?.string()
        goWhen = source.rows("goWhen")
        toast = try source["toast"]?.string()
        notice = try source["notice"]?.string()
        alert = nil
        if let source = source["alert"] { alert = try Alert(source) }
        always = try source["always"]?.bool() ?? false
        onFailure = try OnFailure(source["onFailure"])
        needs = try source["needs"]?.deviceNeeds() ?? [:]
        inert = try source["inert"]?.bool() ?? false
        biometric = nil
        if let source = source["biometric"] { biometric = try Biometric(source) }
        bypass = try source["bypass"]?.bool() ?? false
        resume = [:]
        if let source = source["resume"] { resume = try source.resume(of: calls) }
        if inert, !calls.isEmpty || go != nil || !goWhen.isEmpty {
            throw source.error(
                "an inert action does something", "Take out inert, or its calls and go.")
        }
    }
}

extension Action {
    /// One of a screen's other actions.
    static func named(_ source: Source, _ name: String) throws(ManifestError) -> Action {
        guard name != submitName, name != checkName else {
            throw source.error(
                "\(name) is the form's own", "Write submit as the screen's submit, or rename it.")
        }
        return try Action(source, name: name)
    }
}

extension Action.Enabled {
    /// `always`, `valid`, or `{ filled: [fields] }`.
    init(_ source: Source?) throws(ManifestError) {
        switch source?.outline.value {
        case nil, .string("always")?: self = .always
        case .string("valid")?: self = .valid
        case .object?:
            try source?.only("filled")
            self = .filled(try source?.need("filled").strings() ?? [])
        default:
            guard let source else {
                self = .always
                return
            }
            throw source.expected("'always', 'valid' or fields", like: "{ filled: ['email'] }")
        }
    }
}

extension Action.Confirm {
    init(_ source: Source) throws(ManifestError) {
        try source.only("title", "text", "yes", "no")
        title = try source["title"]?.string()
        text = try source.need("text").string()
        yes = try source.need("yes").string()
        no = try source.need("no").string()
    }
}

extension Action.Alert {
    init(_ source: Source) throws(ManifestError) {
        try source.only("title", "text", "ok")
        title = try source["title"]?.string()
        text = try source.need("text").string()
        ok = try source["ok"]?.string() ?? "OK"
    }
}

extension Action.Biometric {
    init(_ source: Source) throws(ManifestError) {
        try source.only("reason", "failed", "fill", "missing")
        reason = try source.need("reason").string()
        failed = try source.need("failed").string()
        fill = try source["fill"]?.string()
        missing = try source["missing"]?.string()
        guard (fill == nil) == (missing == nil) else {
            throw source.error(
                "fill and missing belong together",
                "Say what the user reads when nothing was kept: missing.")
        }
    }
}

extension Action.GoRow {
    init(_ source: Source) throws(ManifestError) {
        try source.only("captured", "missing", "where", "go", "notice")
        captured = try source["captured"]?.strings() ?? []
        missing = try source["missing"]?.strings() ?? []
        `where` = [:]
        for (name, source) in try source["where"]?.members() ?? [] {
            `where`[name] = try source.scalar()
        }
        go = try source.need("go").string()
        notice = try source["notice"]?.string()
    }
}

extension Action.OnFailure {
    init(_ source: Source?) throws(ManifestError) {
        try source?.only("clear", "show", "title", "text")
        clear = try source?["clear"]?.strings() ?? []
        show = try source?["show"]?.choice() ?? .inline
        title = try source?["title"]?.string()
        text = try source?["text"]?.string()
    }
}

extension Source {
    func rows(_ name: String) -> [Action.GoRow] { list(name, Action.GoRow.init(_:)) }

    /// What the device must be for the action to show.
    fileprivate func deviceNeeds() throws(ManifestError) -> [String: String] {
        let known = [
            "build": ["debug", "release"], "biometrics": ["enrolled", "faceID", "touchID", "none"],
        ]
        let needs = try texts()
        for (name, source) in try members() {
            guard let values = known[name] else {
                throw source.error(
                    "\(name) is no fact of a device", Nearest.mend(name, Array(known.keys)))
            }
            guard let value = needs[name], values.contains(value) else {
                throw source.error(
                    "no device has such a \(name)", Nearest.mend(needs[name] ?? "", values))
            }
        }
        return needs
    }
}
