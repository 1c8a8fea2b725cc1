/// Checks the cross-references between the parts of a manifest.
///
/// Each error is recorded with the line of its cause.
struct ManifestCheck {
    let app: App
    let file: String
    let document: JSON5Document
    let diagnostics: ManifestDiagnostics
    /// The contracts an embedded base may name; nil allows any.
    let contracts: [String]?
    /// How often each word occurs in the manifest as a name, a value or a variable.
    let occurrenceCounts: [String: Int]

    /// Names of captured values that are stored or in memory.
    let heldNames: Set<String>
    /// Names that calls capture, in any dialect.
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
        // These checks need valid references: they resolve which screen makes a call.
        guard diagnostics.errors.isEmpty else { return }
        checkFieldsOfCalls()
        checkVariables()
    }

    // MARK: Reporting

    func report(_ path: [String], _ detail: String, _ fix: String) {
        diagnostics.record(error(path, detail, fix))
    }

    private func error(_ path: [String], _ detail: String, _ fix: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: document.line(at: path),
            detail: detail, fix: fix)
    }

    /// The name of a part of the manifest and the part's path.
    typealias NamedPart = (name: String, path: [String])

    /// Reports that no part is called `name`, which is used at `path`.
    ///
    /// If a similar name occurs less often in the manifest, that one is reported as misspelled. If
    /// there is no similar name, the missing part is reported once, however often it is used.
    func reportUnknown(
        _ name: String, at path: [String], _ detail: String, among candidates: [NamedPart],
        fix: String? = nil
    ) {
        let nearest = SpellingSuggestion.nearestName(to: name, in: candidates.map(\.name)).flatMap {
            nearest in
            candidates.first { $0.name == nearest }
        }
        if let nearest,
            occurrenceCounts[nearest.name, default: 0] < occurrenceCounts[name, default: 0]
        {
            report(
                nearest.path, "Other parts call this \(name), not \(nearest.name)",
                "Did you mean \(name)?")
        } else if let nearest {
            report(path, detail, "Did you mean \(nearest.name)?")
        } else {
            let error = error(
                path, detail, fix ?? SpellingSuggestion.fix(name, candidates.map(\.name)))
            diagnostics.recordOnce(error)
        }
    }

    func checkScreenName(_ name: String, at path: [String]) {
        guard !screenIDs.contains(name) else { return }
        reportUnknown(
            name, at: path, "Unknown screen \(name)",
            among: screenIDs.map { ($0, ["screens", $0]) })
    }

    private func checkStep(_ step: App.WalkthroughEntry, at path: [String]) {
        checkScreenName(step.screen, at: path + ["screen"])
        guard let screen = app.screen(step.screen) else { return }
        let targetNames =
            screen.fields.map(\.name) + screen.allActions.map(\.name) + screen.links.map(\.name)
            + screen.tabs
        for (index, point) in step.points.enumerated() {
            guard let target = point.target, !targetNames.contains(target) else { continue }
            report(
                path + ["points", "\(index)", "at"], "Screen \(screen.id) has no \(target)",
                SpellingSuggestion.fix(target, targetNames))
        }
    }

    func checkCallName(_ name: String, at path: [String]) {
        guard app.calls[name] == nil else { return }
        reportUnknown(
            name, at: path, "Unknown call \(name)",
            among: callNames.map { ($0, ["calls", $0]) })
    }

    func checkFieldName(_ name: String, on screen: Screen, at path: [String]) {
        guard !screen.fields.contains(where: { $0.name == name }) else { return }
        reportUnknown(
            name, at: path, "Screen \(screen.id) has no field \(name)", among: fields(of: [screen]))
    }

    /// Checks a name used in `store` or `stored`.
    func checkStorable(_ name: String, at path: [String]) {
        guard app.storageKey(holding: name) == nil else { return }
        reportUnknown(name, at: path, "No storage key holds \(name)", among: storableParts)
    }

    func checkHeld(_ name: String, at path: [String]) {
        guard !heldNames.contains(name) else { return }
        reportUnknown(
            name, at: path, "No storage key or memory holds \(name)", among: heldParts,
            fix: "Add holds: '\(name)' to a storage key, or add \(name) to memory.")
    }

    // MARK: Declared parts

    /// Every call at the path of its declaration, without those a backend inherits with `like`.
    var declaredCalls: [(path: [String], name: String, call: Call)] {
        app.allCalls.filter { document.node(at: $0.path) != nil }
    }

    /// A call's failures with their paths; the last ones are the shared failures of all calls.
    func failures(of call: Call, at path: [String]) -> [(path: [String], failure: Call.Failure)] {
        let ownCount = call.failures.indices.prefix {
            document.node(at: path + ["failures", "\($0)"]) != nil
        }.count
        return call.failures.enumerated().map { index, failure in
            index < ownCount
                ? (path + ["failures", "\(index)"], failure)
                : (["failures", "\(index - ownCount)"], failure)
        }
    }

    // MARK: Named parts

    func fields(of screens: [Screen]) -> [NamedPart] {
        screens.flatMap { screen in
            screen.fields.map { ($0.name, ["screens", screen.id, "fields", $0.name]) }
        }
    }

    /// What is stored, by its captured name or its key.
    private var storableParts: [NamedPart] {
        app.storage.map { key in
            key.capturedName.map { ($0, ["storage", key.key, "holds"]) } ?? (
                key.key, ["storage", key.key]
            )
        }
    }

    /// What is stored or in memory under a captured name.
    var heldParts: [NamedPart] {
        app.storage.compactMap { key in
            key.capturedName.map { ($0, ["storage", key.key, "holds"]) }
        }
            + app.memory.map { ($0.name, ["memory", $0.name]) }
    }

    var capturedParts: [NamedPart] {
        declaredCalls.flatMap { path, _, call in
            call.success.capturePointers.keys.sorted().map {
                ($0, path + ["success", "capture", $0])
            }
        }
    }
}

extension JSON5Document {
    /// Every name and string in the document, and the variables in its strings.
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
    /// Every call of the app and of its backends' dialects, with its path.
    var allCalls: [(path: [String], name: String, call: Call)] {
        let appCalls = calls.sorted { $0.key < $1.key }.map {
            (path: ["calls", $0.key], name: $0.key, call: $0.value)
        }
        let dialectCalls = backends.flatMap { backend in
            backend.calls.sorted { $0.key < $1.key }.map {
                (path: ["backends", backend.id, "calls", $0.key], name: $0.key, call: $0.value)
            }
        }
        return appCalls + dialectCalls
    }
}
