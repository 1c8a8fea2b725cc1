import Web

extension App {
    /// The navigation graph in the order of the launch table and then of the screens; each edge
    /// once.
    package var edges: [Edge] {
        var edges: [Edge] = []
        var seen: Set<Edge> = []
        let add = { (edge: Edge) in if seen.insert(edge).inserted { edges.append(edge) } }
        if let start = screens.first(where: { $0.kind == .launch }) {
            launchEdges(from: start.id).forEach(add)
        }
        for screen in screens {
            tabEdges(of: screen).forEach(add)
            for row in screen.navigationRules where row.destination != screen.id {
                let label = row.conditions.summary ?? "otherwise"
                add(Edge(from: screen.id, to: row.destination, label: label, kind: .failure))
            }
            for action in screen.allActions { actionEdges(of: action, on: screen).forEach(add) }
            for name in screen.callsOnLoad { failureEdges(of: name, from: screen.id).forEach(add) }
            for link in screen.links {
                let label = link.label ?? link.name
                add(Edge(from: screen.id, to: link.screen, label: label, kind: .link))
            }
            if let expiry = session.expired, canSessionExpire(on: screen) {
                add(
                    Edge(
                        from: screen.id, to: expiry.destination, label: "session expired",
                        kind: .sessionExpired))
            }
        }
        return edges
    }

    /// The action that stores what locks the app, with its screen: after it, a cold start leads to
    /// `screen`. Nil if the launch table has no such row.
    package func lockingAction(for screen: Screen) -> (screen: Screen, action: Action)? {
        let names = launch.filter { $0.destination == screen.id }.flatMap(\.lockedNames)
        let lockNames = names.compactMap { storageKey(holding: $0)?.lockName }
        return screens.lazy.flatMap { other in other.allActions.map { (other, $0) } }.first {
            !Set($0.1.namesToStore).isDisjoint(with: lockNames)
        }
    }

    // MARK: Edges by source

    private func launchEdges(from start: String) -> [Edge] {
        launch.flatMap { row -> [Edge] in
            let label = row.summary ?? "start"
            let destinations =
                row.navigationRules.map { ($0.destination, $0.conditions.summary ?? label) } + [
                    (row.destination, label)
                ]
            let successes = destinations.map {
                Edge(from: start, to: $0.0, label: $0.1, kind: .launch)
            }
            let failures = row.onFailure.sorted { $0.key < $1.key }.filter { $0.value != "stay" }
                .map { Edge(from: start, to: $0.value, label: $0.key, kind: .failure) }
            return successes + failures + row.calls.flatMap { failureEdges(of: $0, from: start) }
        }
    }

    private func tabEdges(of screen: Screen) -> [Edge] {
        screen.tabs.filter { $0 != screen.id }.map { tab in
            Edge(
                from: screen.id, to: tab, label: self.screen(tab)?.submitAction?.label ?? tab,
                kind: .tab)
        }
    }

    private func actionEdges(of action: Action, on screen: Screen) -> [Edge] {
        let label = action.displayLabel
        let destinations =
            action.navigationRules.map { row in
                (row.destination, row.conditions.summary.map { "\(label), \($0)" } ?? label)
            } + [action.destination].compactMap(\.self).map { ($0, label) }
        let successes = destinations.map {
            Edge(
                from: screen.id, to: $0.0, label: $0.1,
                kind: action.name == Action.submitName ? .submit : .action)
        }
        let failures =
            action.ignoresCallFailures
            ? [] : action.allCalls.flatMap { failureEdges(of: $0, from: screen.id) }
        return successes + failures
    }

    private func failureEdges(of name: String, from screen: String) -> [Edge] {
        let variants = ([calls[name]] + backends.map { $0.calls[name] }).compactMap(\.self)
        return variants.filter { !$0.isBestEffort }.flatMap(\.failures).compactMap { failure in
            failure.destination.map {
                Edge(from: screen, to: $0, label: failure.title, kind: .failure)
            }
        }
    }

    /// Whether a call with a bearer is made from `screen`, so that a 401 can end the session.
    private func canSessionExpire(on screen: Screen) -> Bool {
        let launchCalls = screen.kind == .launch ? launch.flatMap(\.calls) : []
        let names = screen.callsOnLoad + screen.allActions.flatMap(\.allCalls) + launchCalls
        return names.contains { name in
            calls[name].map {
                ($0.request.bearerName != nil || $0.request.carries("accessToken"))
                    && !$0.isBestEffort
            } ?? false
        }
    }
}

extension Call.Failure {
    /// A short name for maps and lists.
    var title: String {
        if let kind { return kind }
        let code = expectedValues.sorted { $0.key < $1.key }.map(\.value)
        if !code.isEmpty { return code.joined(separator: ", ") }
        switch status.count {
        case 0: return "failure"
        case 1...3: return status.map(String.init).joined(separator: ", ")
        default: return "\(status[0] / 100)xx"
        }
    }
}

extension Action {
    /// The label without device values: a variable shows the last part of its name, `Sign in with
    /// biometrics`.
    package var displayLabel: String {
        TextTemplate(label).parts.map { part in
            switch part {
            case .plain(let text): text
            case .variable(let name): name.split(separator: ".").last.map(String.init) ?? name
            }
        }.joined()
    }
}

/// A transition from one screen to another, as the manifest declares it.
package struct Edge: Sendable, Hashable {
    package var from: String
    package var to: String
    /// What triggers it, in the user's words: `Login`, `unverified`.
    package var label: String
    package var kind: Kind

    package init(from: String, to: String, label: String, kind: Kind) {
        self.from = from
        self.to = to
        self.label = label
        self.kind = kind
    }

    /// What leads from one screen to the other.
    package enum Kind: String, Sendable, CaseIterable {
        case launch, submit, action, link, tab, failure
        case sessionExpired
    }
}

extension App {
    /// The call that checks whether `backend` accepts the access token.
    ///
    /// The manifest's `probe`, else the first GET that carries the token, launch calls first. Nil
    /// if the app has no such call.
    package func probeCall(for backend: String) -> String? {
        let launchCalls = launch.flatMap(\.calls)
        let names = [session.probeCall].compactMap(\.self) + launchCalls + calls.keys.sorted()
        return names.first { name in
            guard !isCallMissing(name, backend: backend),
                let request = call(name, backend: backend)?.request
            else { return false }
            return request.carries("accessToken")
                && (name == session.probeCall || request.method == .get)
        }
    }

    /// Every text of the manifest that users see, with the screens that may show it.
    package var texts: [ManifestText] {
        writtenTexts.map { text in
            var text = text
            text.screens = screens.filter { shows(text.path, on: $0) }.map(\.id)
            return text
        }
    }

    /// Whether `screen` may show the text at `path`.
    private func shows(_ path: [String], on screen: Screen) -> Bool {
        switch path[0] {
        case "screens": return screen.id == path[1]
        case "session": return screen.id == session.expired?.destination
        case "launch": return screen.kind == .launch
        case "failures", "settings", "network":
            return screen.kind == .launch || screen.allActions.contains { !$0.calls.isEmpty }
        default:
            guard let call = path.calledName else { return true }
            return screen.callsOnLoad.contains(call)
                || screen.kind == .launch && launch.contains { $0.calls.contains(call) }
                || screen.allActions.contains { $0.allCalls.contains(call) }
        }
    }
}
