/// Checks what the parts of a manifest say of one another.
///
/// Each check throws the first thing wrong, at the line where it was written.
struct ManifestCheck {
    let app: App
    let file: String
    let outline: Outline

    /// Names a captured value can be held under: stored or in memory.
    let held: Set<String>
    /// What calls capture, in any dialect.
    let captured: Set<String>
    let screenIDs: [String]
    let callNames: [String]

    init(_ app: App, file: String, outline: Outline) {
        self.app = app
        self.file = file
        self.outline = outline
        held = Set(app.storage.compactMap(\.holds))
            .union(app.memory.map(\.name))
        captured = app.everyCall.reduce(into: []) {
            $0.formUnion($1.call.success.capture.keys)
        }
        screenIDs = app.screens.map(\.id)
        callNames = app.calls.keys.sorted()
    }

    func run() throws(ManifestError) {
        try checkBackends()
        for screen in app.screens { try checkScreen(screen) }
        try checkMemoryAndStorage()
        try checkCalls()
        try checkSession()
        try checkLaunch()
        try checkVariables()
        for (index, step) in app.walkthrough.enumerated() {
            try checkStep(step, at: ["walkthrough", "\(index)"])
        }
    }

    // MARK: Saying so

    func wrong(
        _ path: [String], _ detail: String, _ mend: String
    ) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."),
            line: outline.line(at: path), detail: detail, mend: mend)
    }

    func checkScreenName(
        _ name: String, at path: [String]
    ) throws(ManifestError) {
        guard !screenIDs.contains(name) else { return }
        throw wrong(
            path, "there is no screen \(name)", Nearest.mend(name, screenIDs))
    }

    private func checkStep(
        _ step: App.Step, at path: [String]
    ) throws(ManifestError) {
        try checkScreenName(step.screen, at: path + ["screen"])
        guard let screen = app.screen(step.screen) else { return }
        let known =
            screen.fields.map(\.name) + screen.allActions.map(\.name)
            + screen.links.map(\.name) + screen.tabs
        for (index, point) in step.points.enumerated() {
            guard let at = point.at, !known.contains(at) else { continue }
            throw wrong(
                path + ["points", "\(index)", "at"],
                "\(screen.id) has nothing called \(at)",
                Nearest.mend(at, known))
        }
    }

    func checkCallName(
        _ name: String, at path: [String]
    ) throws(ManifestError) {
        guard app.calls[name] == nil else { return }
        throw wrong(
            path, "there is no call \(name)", Nearest.mend(name, callNames))
    }

    func checkFieldName(
        _ name: String, on screen: Screen, at path: [String]
    ) throws(ManifestError) {
        let known = screen.fields.map(\.name)
        guard !known.contains(name) else { return }
        throw wrong(
            path, "\(screen.id) has no field \(name)",
            Nearest.mend(name, known))
    }

    /// A name that `store` and `stored` may speak of.
    func checkStorable(
        _ name: String, at path: [String]
    ) throws(ManifestError) {
        guard app.storageKey(holding: name) == nil else { return }
        let known =
            app.storage.map { $0.holds ?? $0.key }
        throw wrong(
            path, "no storage key holds \(name)", Nearest.mend(name, known))
    }

    func checkHeld(_ name: String, at path: [String]) throws(ManifestError) {
        guard !held.contains(name) else { return }
        throw wrong(
            path, "nothing holds \(name)",
            Nearest.name(to: name, in: Array(held)).map {
                "Did you mean \($0)?"
            }
                ?? "Give a storage key holds: '\(name)', or name it in memory.")
    }
}

extension App {
    /// Every call of the app and of its dialects, with where it stands.
    var everyCall: [(path: [String], name: String, call: Call)] {
        let own = calls.sorted { $0.key < $1.key }.map {
            (path: ["calls", $0.key], name: $0.key, call: $0.value)
        }
        let dialects = backends.flatMap { backend in
            backend.calls.sorted { $0.key < $1.key }.map {
                (
                    path: ["backends", backend.id, "calls", $0.key],
                    name: $0.key, call: $0.value
                )
            }
        }
        return own + dialects
    }
}
