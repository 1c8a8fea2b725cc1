extension ManifestCheck {
    func checkBackends() {
        if app.backends.isEmpty {
            report(
                ["backends"], "No backend",
                "Add one: local: { base: 'http://localhost:3000' }.")
        }
        for backend in app.backends {
            if case .embedded(let contract, _) = backend.base, let contracts,
                !contracts.contains(contract)
            {
                report(
                    ["backends", backend.id, "base"],
                    "Unknown contract '\(contract)' of the embedded backend",
                    SpellingSuggestion.fix(contract, contracts))
            }
            let names = Set(backend.calls.keys).union(backend.missingCalls)
            for name in names.sorted() {
                checkCallName(name, at: ["backends", backend.id, "calls", name])
            }
            for name in backend.settings.keys.sorted()
            where !app.settings.contains(where: { $0.name == name }) {
                report(
                    ["backends", backend.id, "settings", name], "Unknown setting \(name)",
                    SpellingSuggestion.fix(name, app.settings.map(\.name)))
            }
        }
    }

    func checkMemoryAndStorage() {
        let allFields = fields(of: app.screens)
        let fields = Set(allFields.map(\.name))
        let names = app.memory.map(\.name)
        for memory in app.memory {
            let path = ["memory", memory.name]
            if let perField = memory.perField, !fields.contains(perField) {
                report(
                    path + ["per"], "No screen has a field \(perField)",
                    SpellingSuggestion.fix(perField, Array(fields))
                )
            }
            if app.storage.contains(where: { $0.capturedName == memory.name }) {
                report(
                    path, "Also declared in storage",
                    "Keep it in storage or in memory, not in both.")
            }
        }
        for key in app.storage {
            for name in key.fields where !fields.contains(name) {
                report(
                    ["storage", key.key, "fields"], "No screen has a field \(name)",
                    SpellingSuggestion.fix(name, Array(fields)))
            }
            guard let capturedName = key.capturedName else { continue }
            guard !capturedNames.contains(capturedName), !fields.contains(capturedName) else {
                continue
            }
            reportUnknown(
                capturedName, at: ["storage", key.key, "holds"],
                "No call captures \(capturedName) and no field has that name",
                among: capturedParts + allFields)
        }
        for (path, _, call) in declaredCalls {
            for name in call.valuesToRemember.keys.sorted() where !names.contains(name) {
                report(
                    path + ["remember", name], "Unknown memory key \(name)",
                    SpellingSuggestion.fix(name, names))
            }
        }
    }

    func checkCalls() {
        for (path, _, call) in declaredCalls {
            for captured in call.success.capturePointers.keys.sorted() {
                checkHeld(captured, at: path + ["success", "capture", captured])
            }
            for name in call.success.requiredNames where call.success.capturePointers[name] == nil {
                reportUnknown(
                    name, at: path + ["success", "require"], "Required but not captured: \(name)",
                    among: call.success.capturePointers.keys.sorted().map {
                        ($0, path + ["success", "capture", $0])
                    })
            }
            if let bearer = call.request.bearerName, !capturedNames.contains(bearer) {
                reportUnknown(
                    bearer, at: path + ["request", "bearer"], "No call captures \(bearer)",
                    among: capturedParts)
            }
            for (path, failure) in failures(of: call, at: path) {
                if let destination = failure.destination {
                    checkScreenName(destination, at: path + ["go"])
                }
                if failure.sessionEffect != nil, app.session.expired == nil {
                    report(
                        path + ["session"], "No rule for an expired session",
                        "Add session: { expired: { go: 'login' } }.")
                }
            }
        }
    }

    /// Checks the fields named in calls against the screens that make them.
    func checkFieldsOfCalls() {
        for (path, name, call) in declaredCalls {
            let fields = app.screens(using: name).flatMap(\.fields).map(\.name)
            for (path, failure) in failures(of: call, at: path) {
                if let field = failure.field, !fields.contains(field) {
                    report(
                        path + ["field"], "No screen that makes this call has a field \(field)",
                        SpellingSuggestion.fix(field, fields))
                }
            }
            for field in call.fieldMessagePointers.keys.sorted() where !fields.contains(field) {
                report(
                    path + ["fieldMessagePointers", field],
                    "No screen that makes this call has a field \(field)",
                    SpellingSuggestion.fix(field, fields))
            }
        }
    }

    func checkSession() {
        let session = app.session
        if let refresh = session.refreshCall {
            checkCallName(refresh, at: ["session", "refresh"])
            if session.expired == nil {
                report(
                    ["session"], "No rule for a failed refresh",
                    "Add expired: { clear: ['keychain'], go: 'login' }.")
            }
        } else if session.refreshLeadSeconds > 0 {
            report(
                ["session", "refreshBefore"], "No refresh call",
                "Add refresh: 'refresh'.")
        }
        if let probe = session.probeCall { checkCallName(probe, at: ["session", "probe"]) }
        if let expiry = session.expired {
            checkScreenName(expiry.destination, at: ["session", "expired", "go"])
        }
    }

    func checkLaunch() {
        let kinds = ["offline", "timeout", "connection", "failed"]
        for (index, row) in app.launch.enumerated() {
            let path = ["launch", "\(index)"]
            for name in row.requiredNames { checkStorable(name, at: path + ["stored"]) }
            for name in row.absentNames { checkStorable(name, at: path + ["missing"]) }
            for name in row.expectedValues.keys.sorted() {
                checkStorable(name, at: path + ["where", name])
            }
            for name in row.calls {
                let key = row.calls.count == 1 ? "call" : "calls"
                checkCallName(name, at: path + [key])
            }
            for name in row.namesToStore { checkStorable(name, at: path + ["store"]) }
            checkScreenName(row.destination, at: path + ["go"])
            if row.refreshesExpiredToken, app.session.refreshCall == nil {
                report(
                    path + ["refresh"], "No refresh call",
                    "Add session: { refresh: 'refresh' }.")
            }
            checkNavigationRules(row.navigationRules, at: path + ["goWhen"])
            let callKinds = app.allCalls.filter { row.calls.contains($0.name) }.flatMap {
                $0.call.failures.compactMap(\.kind)
            }
            for (kind, screen) in row.onFailure.sorted(by: { $0.key < $1.key }) {
                let path = path + ["onFailure", kind]
                guard (kinds + callKinds).contains(kind) else {
                    report(
                        path, "No call of this row fails with \(kind)",
                        SpellingSuggestion.fix(kind, kinds + callKinds))
                    continue
                }
                if screen != "stay" { checkScreenName(screen, at: path) }
            }
            let isLast = index == app.launch.count - 1
            if row.isUnconditional, !isLast {
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
}

extension App {
    /// The screens that make the call `name`.
    func screens(using name: String) -> [Screen] {
        screens.filter { screen in
            screen.callsOnLoad.contains(name)
                || screen.allActions.contains { $0.allCalls.contains(name) }
        }
    }
}
