import Web

/// Checks the references between the parts of a manifest, and what a single part cannot know.
///
/// Each error is recorded with the line of its cause.
struct ManifestCheck {
    let app: App
    let record: ManifestRecord
    /// How often each word occurs in the manifest as a name, a value or a variable.
    private let occurrenceCounts: [String: Int]
    /// The parts that a name can refer to, those that cannot be read included.
    private let parts: ManifestParts
    /// The screens that make each call.
    private let callingScreens: [String: Set<String>]

    /// Variables that the device and the pages of actions provide.
    private let providedVariables: [String]

    init(_ app: App, _ record: ManifestRecord) {
        self.app = app
        self.record = record
        occurrenceCounts = record.document.json.namesAndTexts.reduce(into: [:]) {
            $0[$1, default: 0] += 1
        }
        parts = ManifestParts(record)
        providedVariables =
            ["device.uuid", "device.build", "device.biometrics"] + app.browserVariables
        callingScreens = record.references.reduce(into: [:]) { screens, reference in
            guard case .call = reference.kind, reference.path.first == "screens" else { return }
            screens[reference.name, default: []].insert(reference.path[1])
        }
    }

    func run() {
        for reference in record.references where !reference.kind.isCheckedLast {
            check(reference)
        }
        checkMemory()
        checkScreens()
        checkLaunch()
        checkWalkthrough()
        for reference in record.references where reference.kind.isCheckedLast {
            check(reference)
        }
    }

    // MARK: Reporting

    private func report(_ path: [String], _ detail: String, _ fix: String) {
        record.add(record.error(at: path, detail, fix))
    }

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
        case .screen: if !parts.screens.isEmpty { expect(parts.screens, "Unknown screen \(name)") }
        case .call: expect(parts.calls, "Unknown call \(name)")
        case .setting: expect(parts.settings, "Unknown setting \(name)")
        case .memory: expect(parts.memory, "Unknown memory key \(name)")
        case .field:
            let screen = reference.path[1]
            expect(parts.fields(of: [screen]), "Screen \(screen) has no field \(name)")
        case .anyField: expect(parts.allFields, "No screen has a field \(name)")
        case .fieldOfCallers:
            for call in reference.path.calledName.map({ [$0] }) ?? parts.calls.map(\.name).sorted()
            {
                expect(
                    fieldsOfCallers(call) ?? parts.allFields,
                    "No screen that makes this call has a field \(name)")
            }
        case .captured:
            // The storage key that holds it has the same error.
            guard !parts.uncapturedKeys.contains(where: { $0.name == name }) else { return }
            expect(parts.captured, "No call captures \(name)")
        case .capturedByCall(let captures): expect(captures, "\(name) is not captured by this call")
        case .capturedOrField:
            expect(
                parts.captured + parts.allFields,
                "No call captures \(name) and no field has that name",
                fix: parts.capturedNameMeant(by: name).map {
                    "Did you mean \($0), which is captured and not stored?"
                })
        case .stored: expectHeld(reference, parts.stored, "No storage key holds \(name)")
        case .held:
            expectHeld(
                reference, parts.held, "No storage key or memory holds \(name)",
                fix: "Add holds: '\(name)' to a storage key, or add \(name) to memory.")
        case .session:
            expectHeld(
                reference, parts.held, "No storage key or memory holds the session's accessToken",
                fix: "Capture accessToken, and add holds: 'accessToken' to a storage key.")
        case .prefill:
            expectHeld(
                reference, parts.held, "No storage key or memory holds \(name)",
                fix: "Add it to memory: \(name): {}.")
        case .clearable:
            let areas = StorageKey.Area.allCases.map { NamedPart($0.rawValue, reference.path) }
            expect(areas + parts.storage, "Unknown area or storage key \(name)")
        case .credentials:
            let keys = app.storage.filter { !$0.fields.isEmpty }.map(\.key)
            expect(
                parts.storage.filter { keys.contains($0.name) },
                "No storage key \(name) holds fields")
        case .lockable:
            let names = app.storage.filter { $0.lockName != nil }.map(\.capturedName)
            expect(
                parts.stored.filter { names.contains($0.name) }, "No cold start locks \(name)",
                fix: "Add biometric: '<stored name>' to the storage key that holds it.")
        case .locks:
            guard app.storage.allSatisfy({ $0.lockName == nil }), record.isReadable("storage")
            else { return }
            expect(
                [], "No storage key is locked",
                fix: "Add biometric: '<stored name>' to a storage key.")
        case .expiryRules:
            guard app.session.expired == nil, record.isReadable("session") else { return }
            expect(
                [], "No rule for an expired session",
                fix: "Add session: { expired: { go: 'login' } }.")
        case .variable(let otherNames):
            checkVariable(reference, among: parts.allFields, also: otherNames)
        case .requestVariable: checkRequestVariable(reference)
        }
    }

    /// A value that is captured and not held is an error of its storage key if one has another
    /// name for it, else of its first use.
    private func expectHeld(
        _ reference: Reference, _ parts: [NamedPart], _ detail: String, fix: String? = nil
    ) {
        guard !parts.contains(where: { $0.name == reference.name }), !isReported(reference.name)
        else { return }
        reportUnknown(reference, among: parts, detail, fix: fix)
    }

    /// Whether the missing value `name` has already been reported, elsewhere.
    private func isReported(_ name: String) -> Bool {
        parts.uncapturedKeys.contains { parts.capturedNameMeant(by: $0.name) == name }
            || record.errors.contains {
                [
                    "No storage key holds \(name)", "No storage key or memory holds \(name)",
                    "Other parts call this \(name)",
                ].contains($0.detail.split(separator: ",").first.map(String.init))
            }
    }

    /// The fields of every screen that makes `call`; nil if those are not known, because a screen
    /// or a call's name in it is invalid.
    private func fieldsOfCallers(_ call: String) -> [NamedPart]? {
        if let screens = callingScreens[call] { return parts.fields(of: screens.sorted()) }
        let isKnown =
            record.isReadable("screens") && !parts.screens.isEmpty
            && callingScreens.keys.allSatisfy { name in
                parts.calls.contains { $0.name == name }
            }
        return isKnown ? [] : nil
    }

    /// A call may only use fields that every screen making it has.
    private func checkRequestVariable(_ reference: Reference) {
        guard let call = reference.path.calledName else { return }
        let isMadeWithoutScreen =
            app.launch.contains { $0.calls.contains(call) } || app.session.refreshCall == call
            || app.session.probeCall == call
        let screens = callingScreens[call] ?? []
        if screens.isEmpty || isMadeWithoutScreen {
            checkVariable(
                reference,
                among: isMadeWithoutScreen ? [] : fieldsOfCallers(call) ?? parts.allFields)
        }
        for screen in screens.sorted() {
            checkVariable(
                reference,
                among: parts.fields(of: [screen]) + fieldsToFinish(with: call, on: screen))
        }
    }

    /// The stored fields that `screen` completes with `call`.
    private func fieldsToFinish(with call: String, on screen: String) -> [NamedPart] {
        let finishes = app.screen(screen)?.allActions.compactMap(\.finish) ?? []
        let keys = finishes.filter { $0.calls.contains(call) }.map(\.storageKey)
        let names = app.storage.filter { keys.contains($0.key) }.flatMap(\.fields)
        return parts.allFields.filter { names.contains($0.name) }
    }

    /// A text may use any field of the app, because it may be shown after the field was filled in.
    private func checkVariable(
        _ reference: Reference, among fields: [NamedPart], also otherNames: [String] = []
    ) {
        let root = reference.name.split(separator: ".").first.map(String.init) ?? ""
        let parts = fields + parts.settings + parts.held
        let others = (otherNames + providedVariables).map { NamedPart($0, reference.path) }
        guard !(parts + others).contains(where: { $0.name == reference.name }),
            !self.parts.held.contains(where: { $0.name == root }), !isReported(root)
        else { return }
        reportUnknown(
            reference, among: parts + others, "Unknown variable {\(reference.name)}", fix: nil)
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
        if launchScreens.count > 1
            || launchScreens.isEmpty && record.isReadable("screens") && !parts.screens.isEmpty
        {
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
            where record.isReadable("screens.\(screen.id)")
                && beginsRedirectLoop(from: screen, to: rule)
            {
                report(
                    path + ["goWhen", "\(index)", "go"],
                    "\(rule.destination) redirects back, which can cause a redirect loop",
                    "Go to a screen whose goWhen does not lead back.")
            }
        }
    }

    /// Whether `rule` begins a way of redirects that leads back to `screen`. A cycle is reported at
    /// the screen declared first.
    private func beginsRedirectLoop(from screen: Screen, to rule: Action.NavigationRule) -> Bool {
        guard rule.destination != screen.id else { return false }
        let loop = redirects(from: rule.destination).filter {
            redirects(from: $0).contains(screen.id)
        }
        return loop.contains(rule.destination)
            && app.screens.first { loop.contains($0.id) } == screen
    }

    /// The screens that redirects from `screen` can lead to, with itself.
    private func redirects(from screen: String) -> Set<String> {
        var reached: Set = [screen]
        var pending = [screen]
        while let next = pending.popLast().flatMap(app.screen) {
            for rule in next.navigationRules where reached.insert(rule.destination).inserted {
                pending.append(rule.destination)
            }
        }
        return reached
    }

    private func checkLaunch() {
        guard record.isReadable("launch"), record.document.json["launch"] != nil else { return }
        let kinds = ["offline", "timeout", "connection", "failed"]
        let areCallsReadable = record.isReadable("calls") && record.isReadable("backends")
        for (index, row) in app.launch.enumerated() {
            let path = ["launch", "\(index)"]
            if row.refreshesExpiredToken, app.session.refreshCall == nil,
                record.isReadable("session")
            {
                report(
                    path + ["refresh"], "No refresh call", "Add session: { refresh: 'refresh' }.")
            }
            let calls = app.allCalls.filter { row.calls.contains($0.name) }.map(\.call)
            let knownKinds = kinds + calls.flatMap(\.failures).compactMap(\.kind)
            for kind in row.onFailure.keys.sorted()
            where !knownKinds.contains(kind) && areCallsReadable {
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
        guard record.isReadable("walkthrough"), record.isReadable("screens") else { return }
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
        let (document, isComplete, failures) = JSON5Parser.parseAll(bytes)
        let record = ManifestRecord(file: file, document: document, contracts: contracts)
        record.add(failures)
        if !isComplete, let error = record.combinedError { throw error }
        let node = ManifestNode(path: [], value: document.json, record: record)
        guard case .object = document.json else {
            throw node.typeError("object", example: "{ name: … }")
        }
        self.init(id: id, node)
        ManifestCheck(self, record).run()
        if let error = record.combinedError { throw error }
    }
}
