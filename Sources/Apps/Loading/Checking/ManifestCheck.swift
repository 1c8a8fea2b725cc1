/// Checks what the parts of a manifest say of one another.
///
/// Each check notes what is wrong, at the line where it was written.
struct ManifestCheck {
    let app: App
    let file: String
    let outline: Outline
    let mistakes: Mistakes
    /// The contracts an embedded base may name; nil are any.
    let contracts: [String]?
    /// How often each word stands in the manifest: as a name, as a value or
    /// as a variable.
    let mentions: [String: Int]

    /// Names a captured value can be held under: stored or in memory.
    let held: Set<String>
    /// What calls capture, in any dialect.
    let captured: Set<String>
    let screenIDs: [String]
    let callNames: [String]

    init(_ app: App, file: String, outline: Outline, mistakes: Mistakes, contracts: [String]?) {
        self.app = app
        self.file = file
        self.outline = outline
        self.mistakes = mistakes
        self.contracts = contracts
        mentions = outline.words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        held = Set(app.storage.compactMap(\.holds)).union(app.memory.map(\.name))
        captured = app.everyCall.reduce(into: []) { $0.formUnion($1.call.success.capture.keys) }
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
        guard mistakes.found.isEmpty else { return }
        checkFieldsOfCalls()
        checkVariables()
    }

    // MARK: Saying so

    func wrong(_ path: [String], _ detail: String, _ mend: String) {
        mistakes.note(error(path, detail, mend))
    }

    private func error(_ path: [String], _ detail: String, _ mend: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: outline.line(at: path),
            detail: detail, mend: mend)
    }

    /// A name that the manifest gives to a part, and where.
    typealias Given = (name: String, path: [String])

    /// Nothing is called `name`, which is said at `path`. Where a name that is
    /// near stands in the manifest less often, that one is misspelt. Where no
    /// name is near, what is missing is told once, however often it is used.
    func unknown(
        _ name: String, at path: [String], _ detail: String, among given: [Given],
        mend: String? = nil
    ) {
        let near = Nearest.name(to: name, in: given.map(\.name)).flatMap { near in
            given.first { $0.name == near }
        }
        if let near, mentions[near.name, default: 0] < mentions[name, default: 0] {
            wrong(
                near.path, "nearly everywhere else this is called \(name), not " + near.name,
                "Did you mean \(name)?")
        } else if let near {
            wrong(path, detail, "Did you mean \(near.name)?")
        } else {
            let error = error(path, detail, mend ?? Nearest.mend(name, given.map(\.name)))
            mistakes.noteOnce(error)
        }
    }

    func checkScreenName(_ name: String, at path: [String]) {
        guard !screenIDs.contains(name) else { return }
        unknown(
            name, at: path, "there is no screen \(name)",
            among: screenIDs.map { ($0, ["screens", $0]) })
    }

    private func checkStep(_ step: App.Step, at path: [String]) {
        checkScreenName(step.screen, at: path + ["screen"])
        guard let screen = app.screen(step.screen) else { return }
        let known =
            screen.fields.map(\.name) + screen.allActions.map(\.name) + screen.links.map(\.name)
            + screen.tabs
        for (index, point) in step.points.enumerated() {
            guard let at = point.at, !known.contains(at) else { continue }
            wrong(
                path + ["points", "\(index)", "at"], "\(screen.id) has nothing called \(at)",
                Nearest.mend(at, known))
        }
    }

    func checkCallName(_ name: String, at path: [String]) {
        guard app.calls[name] == nil else { return }
        unknown(
            name, at: path, "there is no call \(name)",
            among: callNames.map { ($0, ["calls", $0]) })
    }

    func checkFieldName(_ name: String, on screen: Screen, at path: [String]) {
        guard !screen.fields.contains(where: { $0.name == name }) else { return }
        unknown(name, at: path, "\(screen.id) has no field \(name)", among: fields(of: [screen]))
    }

    /// A name that `store` and `stored` may speak of.
    func checkStorable(_ name: String, at path: [String]) {
        guard app.storageKey(holding: name) == nil else { return }
        unknown(name, at: path, "no storage key holds \(name)", among: storable)
    }

    func checkHeld(_ name: String, at path: [String]) {
        guard !held.contains(name) else { return }
        unknown(
            name, at: path, "nothing holds \(name)", among: names,
            mend: "Give a storage key holds: '\(name)', or name it in memory.")
    }

    // MARK: What was written

    /// Every call where it was written, and not again in the backends that
    /// speak as another does.
    var writtenCalls: [(path: [String], name: String, call: Call)] {
        app.everyCall.filter { outline.part(at: $0.path) != nil }
    }

    /// A call's failures, each with where it was written: the last are those
    /// of every call.
    func failures(of call: Call, at path: [String]) -> [(path: [String], failure: Call.Failure)] {
        let own = call.failures.indices.prefix {
            outline.part(at: path + ["failures", "\($0)"]) != nil
        }.count
        return call.failures.enumerated().map { index, failure in
            index < own
                ? (path + ["failures", "\(index)"], failure)
                : (["failures", "\(index - own)"], failure)
        }
    }

    // MARK: What is called how

    func fields(of screens: [Screen]) -> [Given] {
        screens.flatMap { screen in
            screen.fields.map { ($0.name, ["screens", screen.id, "fields", $0.name]) }
        }
    }

    /// What is stored, by the name it is stored under.
    private var storable: [Given] {
        app.storage.map { key in
            key.holds.map { ($0, ["storage", key.key, "holds"]) } ?? (
                key.key, ["storage", key.key]
            )
        }
    }

    /// What is held: stored or in memory.
    var names: [Given] {
        app.storage.compactMap { key in key.holds.map { ($0, ["storage", key.key, "holds"]) } }
            + app.memory.map { ($0.name, ["memory", $0.name]) }
    }

    /// What calls capture.
    var captures: [Given] {
        writtenCalls.flatMap { path, _, call in
            call.success.capture.keys.sorted().map { ($0, path + ["success", "capture", $0]) }
        }
    }
}

extension Outline {
    /// Every name and every text in it, and the variables of its texts.
    fileprivate var words: [String] {
        switch value {
        case .null, .bool, .int, .double: []
        case .string(let text): [text] + TextTemplate(text).names
        case .array(let elements): elements.flatMap(\.words)
        case .object(let members): members.flatMap { [$0.name] + $0.value.words }
        }
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
                (path: ["backends", backend.id, "calls", $0.key], name: $0.key, call: $0.value)
            }
        }
        return own + dialects
    }
}
