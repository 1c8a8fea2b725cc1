import Web

/// Checks the references between the parts of a manifest, and what a single part cannot know.
///
/// Each error is recorded with the line of its cause.
struct ManifestCheck {
    let app: App
    let record: ManifestRecord
    /// How often each word occurs in the manifest as a name, a value or a variable.
    private let occurrenceCounts: [String: Int]

    /// Variables that every device provides.
    private static let deviceVariables = ["device.uuid", "device.build", "device.biometrics"]

    init(_ app: App, _ record: ManifestRecord) {
        self.app = app
        self.record = record
        occurrenceCounts = record.document.json.namesAndTexts.reduce(into: [:]) {
            $0[$1, default: 0] += 1
        }
    }

    func run() {
        for reference in record.references where !reference.kind.dependsOnCallers {
            check(reference)
        }
        checkMemory()
        checkScreens()
        checkLaunch()
        checkWalkthrough()
        guard record.errors.isEmpty else { return }
        for reference in record.references where reference.kind.dependsOnCallers {
            check(reference)
        }
    }

    // MARK: Reporting

    private func report(_ path: [String], _ detail: String, _ fix: String) {
        record.add(record.error(at: path, detail, fix))
    }

    /// The name of a part of the manifest and the part's path.
    typealias NamedPart = (name: String, path: [String])

    /// Reports that none of `parts` has the reference's name.
    ///
    /// If a similar name occurs less often in the manifest, that one is reported as misspelled. If
    /// there is no similar name, the missing part is reported once, however often it is used.
    private func reportUnknown(
        _ reference: Reference, among parts: [NamedPart], _ detail: String, fix: String?
    ) {
        let name = reference.name
        let nearest = SpellingSuggestion.nearestName(to: name, in: parts.map(\.name))
        if let nearest = parts.first(where: { $0.name == nearest }) {
            if occurrenceCounts[nearest.name, default: 0] < occurrenceCounts[name, default: 0] {
                report(
                    nearest.path, "Other parts call this \(name), not \(nearest.name)",
                    "Did you mean \(name)?")
            } else {
                report(reference.path, detail, "Did you mean \(nearest.name)?")
            }
        } else {
            guard !record.errors.contains(where: { $0.detail == detail }) else { return }
            report(reference.path, detail, fix ?? SpellingSuggestion.fix(name, parts.map(\.name)))
        }
    }

    // MARK: References

    private func check(_ reference: Reference) {
        func expect(_ parts: [NamedPart], _ detail: String, fix: String? = nil) {
            guard !parts.contains(where: { $0.name == reference.name }) else { return }
            reportUnknown(reference, among: parts, detail, fix: fix)
        }
        let name = reference.name
        switch reference.kind {
        case .screen: expect(parts("screens", app.screens.map(\.id)), "Unknown screen \(name)")
        case .call: expect(parts("calls", app.calls.keys.sorted()), "Unknown call \(name)")
        case .setting: expect(settings, "Unknown setting \(name)")
        case .memory: expect(parts("memory", app.memory.map(\.name)), "Unknown memory key \(name)")
        case .field:
            let screen = reference.path[1]
            let fields = fields(of: app.screens.filter { $0.id == screen })
            expect(fields, "Screen \(screen) has no field \(name)")
        case .anyField: expect(fields(of: app.screens), "No screen has a field \(name)")
        case .fieldOfCallers:
            let calls = reference.path.calledName.map { [$0] } ?? app.calls.keys.sorted()
            for call in calls {
                expect(
                    fields(of: app.screens(using: call)),
                    "No screen that makes this call has a field \(name)")
            }
        case .captured: expect(capturedParts, "No call captures \(name)")
        case .capturedByCall(let captures): expect(captures, "Required but not captured: \(name)")
        case .capturedOrField:
            expect(
                capturedParts + fields(of: app.screens),
                "No call captures \(name) and no field has that name")
        case .stored: expect(storedParts, "No storage key holds \(name)")
        case .held:
            expect(
                heldParts, "No storage key or memory holds \(name)",
                fix: "Add holds: '\(name)' to a storage key, or add \(name) to memory.")
        case .session:
            expect(
                heldParts, "No storage key or memory holds the session's accessToken",
                fix: "Capture accessToken, and add holds: 'accessToken' to a storage key.")
        case .prefill:
            expect(
                heldParts, "No storage key or memory holds \(name)",
                fix: "Add it to memory: \(name): {}.")
        case .clearable:
            let areas = StorageKey.Area.allCases.map { ($0.rawValue, reference.path) }
            expect(
                areas + parts("storage", app.storage.map(\.key)),
                "Unknown area or storage key \(name)")
        case .credentials:
            let keys = app.storage.filter { !$0.fields.isEmpty }.map(\.key)
            expect(parts("storage", keys), "No storage key \(name) holds fields")
        case .expiryRules:
            guard app.session.expired == nil else { return }
            expect(
                [], "No rule for an expired session",
                fix: "Add session: { expired: { go: 'login' } }.")
        case .variable(let otherNames):
            checkVariable(reference, among: fields(of: app.screens), also: otherNames)
        case .requestVariable: checkRequestVariable(reference)
        }
    }

    /// A call may only use fields that every screen making it has.
    private func checkRequestVariable(_ reference: Reference) {
        guard let call = reference.path.calledName else { return }
        let callingScreens = app.screens(using: call)
        let isMadeWithoutScreen =
            app.launch.contains { $0.calls.contains(call) } || app.session.refreshCall == call
            || app.session.probeCall == call
        if callingScreens.isEmpty || isMadeWithoutScreen { checkVariable(reference, among: []) }
        for screen in callingScreens { checkVariable(reference, among: fields(of: [screen])) }
    }

    /// A text may use any field of the app, because it may be shown after the field was filled in.
    private func checkVariable(
        _ reference: Reference, among fields: [NamedPart], also otherNames: [String] = []
    ) {
        let root = reference.name.split(separator: ".").first.map(String.init) ?? ""
        let parts = fields + settings + heldParts
        let others = (otherNames + Self.deviceVariables).map { ($0, reference.path) }
        guard !(parts + others).contains(where: { $0.name == reference.name }),
            !heldParts.contains(where: { $0.name == root })
        else { return }
        reportUnknown(
            reference, among: parts + others, "Unknown variable {\(reference.name)}", fix: nil)
    }

    // MARK: Named parts

    private func parts(_ section: String, _ names: [String]) -> [NamedPart] {
        names.map { ($0, [section, $0]) }
    }

    private var settings: [NamedPart] { parts("settings", app.settings.map(\.name)) }

    private func fields(of screens: [Screen]) -> [NamedPart] {
        screens.flatMap { screen in
            screen.fields.map { ($0.name, ["screens", screen.id, "fields", $0.name]) }
        }
    }

    /// What is stored, by its captured name or its key.
    private var storedParts: [NamedPart] {
        app.storage.map { key in
            key.capturedName.map { ($0, ["storage", key.key, "holds"]) } ?? (
                key.key, ["storage", key.key]
            )
        }
    }

    /// What is stored or in memory under a captured name.
    private var heldParts: [NamedPart] {
        app.storage.compactMap { key in
            key.capturedName.map { ($0, ["storage", key.key, "holds"]) }
        } + parts("memory", app.memory.map(\.name))
    }

    /// What calls capture, in any dialect.
    private var capturedParts: [NamedPart] {
        func captures(_ calls: [String: Call], at path: [String]) -> [NamedPart] {
            calls.sorted { $0.key < $1.key }.flatMap { name, call in
                call.success.capturePointers.keys.sorted().map {
                    ($0, path + ["calls", name, "success", "capture", $0])
                }
            }
        }
        return captures(app.calls, at: [])
            + app.backends.flatMap { captures($0.calls, at: ["backends", $0.id]) }
    }

    // MARK: Single parts

    private func checkMemory() {
        for memory in app.memory
        where app.storage.contains(where: { $0.capturedName == memory.name }) {
            report(
                ["memory", memory.name], "Also declared in storage",
                "Keep it in storage or in memory, not in both.")
        }
    }

    private func checkScreens() {
        let launchScreens = app.screens.filter { $0.kind == .launch }
        if launchScreens.count != 1 {
            report(
                launchScreens.count > 1 ? ["screens", launchScreens[1].id, "kind"] : ["screens"],
                "Expected one screen of kind launch, got \(launchScreens.count)",
                "Keep one: splash: { kind: 'launch', title: '…' }.")
        }
        for screen in app.screens {
            let path = ["screens", screen.id]
            if !screen.tabs.isEmpty, !screen.tabs.contains(screen.id),
                screen.tabs.allSatisfy({ app.screen($0) != nil })
            {
                report(
                    path + ["tabs"], "The screen is not among its own tabs", "Add '\(screen.id)'.")
            }
            for (index, rule) in screen.navigationRules.enumerated()
            where leadsToRedirectingScreen(from: screen, to: rule) {
                report(
                    path + ["goWhen", "\(index)", "go"],
                    "\(rule.destination) redirects too, which can cause a redirect loop",
                    "Go to a screen without goWhen.")
            }
        }
    }

    /// Whether `rule` leads from `screen` to a screen that redirects in turn. A cycle is reported
    /// at the screen declared first.
    private func leadsToRedirectingScreen(from screen: Screen, to rule: Action.NavigationRule)
        -> Bool
    {
        guard rule.destination != screen.id, let next = app.screen(rule.destination),
            !next.navigationRules.isEmpty
        else { return false }
        let leadsBack = next.navigationRules.contains { $0.destination == screen.id }
        return !leadsBack || app.screens.first { [screen.id, next.id].contains($0.id) } == screen
    }

    private func checkLaunch() {
        let kinds = ["offline", "timeout", "connection", "failed"]
        for (index, row) in app.launch.enumerated() {
            let path = ["launch", "\(index)"]
            if row.refreshesExpiredToken, app.session.refreshCall == nil {
                report(
                    path + ["refresh"], "No refresh call", "Add session: { refresh: 'refresh' }.")
            }
            let calls = app.allCalls.filter { row.calls.contains($0.name) }.map(\.call)
            let knownKinds = kinds + calls.flatMap(\.failures).compactMap(\.kind)
            for kind in row.onFailure.keys.sorted() where !knownKinds.contains(kind) {
                report(
                    path + ["onFailure", kind], "No call of this row fails with \(kind)",
                    SpellingSuggestion.fix(kind, knownKinds))
            }
            if row.isUnconditional, index < app.launch.count - 1 {
                report(
                    path, "Rows after this one are unreachable",
                    "Move it to the end, or add stored or missing.")
            }
        }
        if app.launch.last?.isUnconditional != true {
            report(
                ["launch"], "Launch table needs a fallback row",
                "Add a last row without stored and missing: { go: 'login' }.")
        }
    }

    private func checkWalkthrough() {
        for (stepIndex, step) in app.walkthrough.enumerated() {
            guard let screen = app.screen(step.screen) else { continue }
            let targetNames =
                screen.fields.map(\.name) + screen.allActions.map(\.name) + screen.links.map(\.name)
                + screen.tabs
            for (index, point) in step.points.enumerated() {
                guard let target = point.target, !targetNames.contains(target) else { continue }
                report(
                    ["walkthrough", "\(stepIndex)", "points", "\(index)", "at"],
                    "Screen \(screen.id) has no \(target)",
                    SpellingSuggestion.fix(target, targetNames))
            }
        }
    }
}

extension JSON {
    /// Every name and string in the document, and the variables in its strings.
    fileprivate var namesAndTexts: [String] {
        switch self {
        case .null, .bool, .int, .double: []
        case .string(let text): [text] + TextTemplate(text).variableNames
        case .array(let elements): elements.flatMap(\.namesAndTexts)
        case .object(let members): members.flatMap { [$0.name] + $0.value.namesAndTexts }
        }
    }
}

extension App {
    /// Reads and checks a manifest.
    ///
    /// `file` is the name used in errors; `contracts` are those an embedded base may name, any if
    /// nil. Throws every error found, each with its line and fix.
    package convenience init(id: String, file: String, text: String, contracts: [String]? = nil)
        throws(ManifestError)
    { try self.init(id: id, file: file, bytes: Array(text.utf8), contracts: contracts) }

    convenience init(id: String, file: String, bytes: [UInt8], contracts: [String]? = nil)
        throws(ManifestError)
    {
        let document: JSON5Document
        do throws(JSON5Parser.Failure) { document = try JSON5Parser.parse(bytes) } catch {
            throw ManifestError(
                file: file, path: "", line: error.line, detail: error.detail, fix: error.fix)
        }
        let record = ManifestRecord(file: file, document: document, contracts: contracts)
        let node = ManifestNode(path: [], value: document.json, record: record)
        guard case .object = document.json else {
            throw node.typeError("object", example: "{ name: … }")
        }
        self.init(id: id, node)
        if !record.hasUnreadablePart { ManifestCheck(self, record).run() }
        if let error = record.combinedError { throw error }
    }
}
