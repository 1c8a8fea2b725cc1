/// Checks what the parts of a manifest say of one another.
///
/// Each check notes what is wrong, at the line where it was written.
struct ManifestCheck {
    let app: App
    let file: String
    let document: JSON5Document
    let diagnostics: ManifestDiagnostics
    /// The contracts an embedded base may name; nil are any.
    let contracts: [String]?
    /// How often each word stands in the manifest: as a name, as a value or
    /// as a variable.
    let occurrenceCounts: [String: Int]

    /// Names a captured value can be held under: stored or in memory.
    let heldNames: Set<String>
    /// What calls capture, in any dialect.
    let capturedNames: Set<String>
    let screenIDs: [String]
    let callNames: [String]

    init(
        _ app: App, file: String, document: JSON5Document, diagnostics: ManifestDiagnostics,
        contracts: [String]?
    ) {
        self.app = app
        self.file = file
        self.document = document
        self.diagnostics = diagnostics
        self.contracts = contracts
        occurrenceCounts = document.namesAndTexts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        heldNames = Set(app.storage.compactMap(\.capturedName)).union(app.memory.map(\.name))
        capturedNames = app.allCalls.reduce(into: []) {
            $0.formUnion($1.call.success.capturePointers.keys)
        }
        screenIDs = app.screens.map(\.id)
        callNames = app.calls.keys.sorted()
    }

    func run() {
        checkBackends()
        checkMemoryAndStorage()
        for screen in app.screens { checkScreen(screen) }
        checkCalls()
        checkSession()
        checkLaunch()
        for (index, step) in app.walkthrough.enumerated() {
            checkStep(step, at: ["walkthrough", "\(index)"])
        }
        // Which screen makes a call is only known where every name is right.
        guard diagnostics.errors.isEmpty else { return }
        checkFieldsOfCalls()
        checkVariables()
    }

    // MARK: Saying so

    func report(_ path: [String], _ detail: String, _ fix: String) {
        diagnostics.record(error(path, detail, fix))
    }

    private func error(_ path: [String], _ detail: String, _ fix: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: document.line(at: path),
            detail: detail, fix: fix)
    }

    /// A name that the manifest gives to a part, and where.
    typealias NamedPart = (name: String, path: [String])

    /// Nothing is called `name`, which is said at `path`. Where a name that is
    /// near stands in the manifest less often, that one is misspelt. Where no
    /// name is near, what is missing is told once, however often it is used.
    func reportUnknown(
        _ name: String, at path: [String], _ detail: String, among given: [NamedPart],
        fix: String? = nil
    ) {
        let near = SpellingSuggestion.nearestName(to: name, in: given.map(\.name)).flatMap { near in
            given.first { $0.name == near }
        }
        if let near, occurrenceCounts[near.name, default: 0] < occurrenceCounts[name, default: 0] {
            report(
                near.path, "nearly everywhere else this is called \(name), not " + near.name,
                "Did you mean \(name)?")
        } else if let near {
            report(path, detail, "Did you mean \(near.name)?")
        } else {
            let error = error(path, detail, fix ?? SpellingSuggestion.fix(name, given.map(\.name)))
            diagnostics.recordOnce(error)
        }
    }

    func checkScreenName(_ name: String, at path: [String]) {
        guard !screenIDs.contains(name) else { return }
        reportUnknown(
            name, at: path, "there is no screen \(name)",
            among: screenIDs.map { ($0, ["screens", $0]) })
    }

    private func checkStep(_ step: App.WalkthroughEntry, at path: [String]) {
        checkScreenName(step.screen, at: path + ["screen"])
        guard let screen = app.screen(step.screen) else { return }
        let known =
            screen.fields.map(\.name) + screen.allActions.map(\.name) + screen.links.map(\.name)
            + screen.tabs
        for (index, point) in step.points.enumerated() {
            guard let at = point.target, !known.contains(at) else { continue }
            report(
                path + ["points", "\(index)", "at"], "\(screen.id) has nothing called \(at)",
                SpellingSuggestion.fix(at, known))
        }
    }

    func checkCallName(_ name: String, at path: [String]) {
        guard app.calls[name] == nil else { return }
        reportUnknown(
            name, at: path, "there is no call \(name)",
            among: callNames.map { ($0, ["calls", $0]) })
    }

    func checkFieldName(_ name: String, on screen: Screen, at path: [String]) {
        guard !screen.fields.contains(where: { $0.name == name }) else { return }
        reportUnknown(
            name, at: path, "\(screen.id) has no field \(name)", among: fields(of: [screen]))
    }

    /// A name that `store` and `stored` may speak of.
    func checkStorable(_ name: String, at path: [String]) {
        guard app.storageKey(holding: name) == nil else { return }
        reportUnknown(name, at: path, "no storage key holds \(name)", among: storableParts)
    }

    func checkHeld(_ name: String, at path: [String]) {
        guard !heldNames.contains(name) else { return }
        reportUnknown(
            name, at: path, "nothing holds \(name)", among: heldParts,
            fix: "Give a storage key holds: '\(name)', or name it in memory.")
    }

    // MARK: What was written

    /// Every call where it was written, and not again in the backends that
    /// speak as another does.
    var declaredCalls: [(path: [String], name: String, call: Call)] {
        app.allCalls.filter { document.node(at: $0.path) != nil }
    }

    /// A call's failures, each with where it was written: the last are those
    /// of every call.
    func failures(of call: Call, at path: [String]) -> [(path: [String], failure: Call.Failure)] {
        let own = call.failures.indices.prefix {
            document.node(at: path + ["failures", "\($0)"]) != nil
        }.count
        return call.failures.enumerated().map { index, failure in
            index < own
                ? (path + ["failures", "\(index)"], failure)
                : (["failures", "\(index - own)"], failure)
        }
    }

    // MARK: What is called how

    func fields(of screens: [Screen]) -> [NamedPart] {
        screens.flatMap { screen in
            screen.fields.map { ($0.name, ["screens", screen.id, "fields", $0.name]) }
        }
    }

    /// What is stored, by the name it is stored under.
    private var storableParts: [NamedPart] {
        app.storage.map { key in
            key.capturedName.map { ($0, ["storage", key.key, "holds"]) } ?? (
                key.key, ["storage", key.key]
            )
        }
    }

    /// What is held: stored or in memory.
    var heldParts: [NamedPart] {
        app.storage.compactMap { key in
            key.capturedName.map { ($0, ["storage", key.key, "holds"]) }
        }
            + app.memory.map { ($0.name, ["memory", $0.name]) }
    }

    /// What calls capture.
    var capturedParts: [NamedPart] {
        declaredCalls.flatMap { path, _, call in
            call.success.capturePointers.keys.sorted().map {
                ($0, path + ["success", "capture", $0])
            }
        }
    }
}

extension JSON5Document {
    /// Every name and every text in it, and the variables of its texts.
    fileprivate var namesAndTexts: [String] {
        switch value {
        case .null, .bool, .int, .double: []
        case .string(let text): [text] + TextTemplate(text).variableNames
        case .array(let elements): elements.flatMap(\.namesAndTexts)
        case .object(let members): members.flatMap { [$0.name] + $0.value.namesAndTexts }
        }
    }
}

extension App {
    /// Every call of the app and of its dialects, with where it stands.
    var allCalls: [(path: [String], name: String, call: Call)] {
        let own = calls.sorted { $0.key < $1.key }.map {
            (path: ["calls", $0.key], name: $0.key, call: $0.value)
        }
        let dialects = backends.flatMap { backend in
            backend.calls.sorted { $0.key < $1.key }.map {
                (path: ["backends", backend.id, "calls", $0.key], name: $0.key, call: $0.value)
            }
        }
        return own + dialects
    }
}
