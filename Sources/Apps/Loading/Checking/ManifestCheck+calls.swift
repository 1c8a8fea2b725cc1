extension ManifestCheck {
    func checkBackends() {
        if app.backends.isEmpty {
            wrong(
                ["backends"], "there is no backend",
                "Add one: local: { base: 'http://localhost:3000' }.")
        }
        for backend in app.backends {
            if case .embedded(let contract, _) = backend.base, let contracts,
                !contracts.contains(contract)
            {
                wrong(
                    ["backends", backend.id, "base"],
                    "the embedded backend has no contract '\(contract)'",
                    Nearest.mend(contract, contracts))
            }
            let names = Set(backend.calls.keys).union(backend.lacks)
            for name in names.sorted() {
                checkCallName(name, at: ["backends", backend.id, "calls", name])
            }
            for name in backend.settings.keys.sorted()
            where !app.settings.contains(where: { $0.name == name }) {
                wrong(
                    ["backends", backend.id, "settings", name], "\(name) is no setting of this app",
                    Nearest.mend(name, app.settings.map(\.name)))
            }
        }
    }

    func checkMemoryAndStorage() {
        let everyField = fields(of: app.screens)
        let fields = Set(everyField.map(\.name))
        let names = app.memory.map(\.name)
        for memory in app.memory {
            let path = ["memory", memory.name]
            if let per = memory.per, !fields.contains(per) {
                wrong(
                    path + ["per"], "no screen has a field \(per)", Nearest.mend(per, Array(fields))
                )
            }
            if app.storage.contains(where: { $0.holds == memory.name }) {
                wrong(
                    path, "\(memory.name) is stored too",
                    "Keep it in storage or in memory, not in both.")
            }
        }
        for key in app.storage {
            for name in key.fields where !fields.contains(name) {
                wrong(
                    ["storage", key.key, "fields"], "no screen has a field \(name)",
                    Nearest.mend(name, Array(fields)))
            }
            guard let holds = key.holds else { continue }
            guard !captured.contains(holds), !fields.contains(holds) else { continue }
            unknown(
                holds, at: ["storage", key.key, "holds"],
                "no call captures \(holds) and no field is called so", among: captures + everyField)
        }
        for (path, _, call) in writtenCalls {
            for name in call.remember.keys.sorted() where !names.contains(name) {
                wrong(
                    path + ["remember", name], "memory has no \(name)", Nearest.mend(name, names))
            }
        }
    }

    func checkCalls() {
        for (path, _, call) in writtenCalls {
            for captured in call.success.capture.keys.sorted() {
                checkHeld(captured, at: path + ["success", "capture", captured])
            }
            for name in call.success.require where call.success.capture[name] == nil {
                unknown(
                    name, at: path + ["success", "require"], "\(name) is required and not captured",
                    among: call.success.capture.keys.sorted().map {
                        ($0, path + ["success", "capture", $0])
                    })
            }
            if let bearer = call.request.bearer, !captured.contains(bearer) {
                unknown(
                    bearer, at: path + ["request", "bearer"], "no call captures \(bearer)",
                    among: captures)
            }
            for (path, failure) in failures(of: call, at: path) {
                if let go = failure.go { checkScreenName(go, at: path + ["go"]) }
                if failure.session != nil, app.session.lost == nil {
                    wrong(
                        path + ["session"], "nothing says what happens when a session is lost",
                        "Add session: { lost: { go: 'login' } }.")
                }
            }
        }
    }

    /// What calls say of the fields of the screens that make them.
    func checkFieldsOfCalls() {
        for (path, name, call) in writtenCalls {
            let fields = app.screens(using: name).flatMap(\.fields).map(\.name)
            for (path, failure) in failures(of: call, at: path) {
                if let field = failure.field, !fields.contains(field) {
                    wrong(
                        path + ["field"], "no screen that makes this call has a field \(field)",
                        Nearest.mend(field, fields))
                }
            }
            for field in call.fieldMessageAt.keys.sorted() where !fields.contains(field) {
                wrong(
                    path + ["fieldMessageAt", field],
                    "no screen that makes this call has a field \(field)",
                    Nearest.mend(field, fields))
            }
        }
    }

    func checkSession() {
        let session = app.session
        if let refresh = session.refresh {
            checkCallName(refresh, at: ["session", "refresh"])
            if session.lost == nil {
                wrong(
                    ["session"], "nothing says what happens when a refresh fails",
                    "Add lost: { clear: ['keychain'], go: 'login' }.")
            }
        } else if session.refreshBefore > 0 {
            wrong(
                ["session", "refreshBefore"], "there is no call to refresh with",
                "Name it: refresh: 'refresh'.")
        }
        if let probe = session.probe { checkCallName(probe, at: ["session", "probe"]) }
        if let lost = session.lost { checkScreenName(lost.go, at: ["session", "lost", "go"]) }
    }

    func checkLaunch() {
        let kinds = ["offline", "timeout", "connection", "failed"]
        for (index, row) in app.launch.enumerated() {
            let path = ["launch", "\(index)"]
            for name in row.stored { checkStorable(name, at: path + ["stored"]) }
            for name in row.missing { checkStorable(name, at: path + ["missing"]) }
            for name in row.where.keys.sorted() { checkStorable(name, at: path + ["where", name]) }
            for name in row.calls {
                let key = row.calls.count == 1 ? "call" : "calls"
                checkCallName(name, at: path + [key])
            }
            for name in row.store { checkStorable(name, at: path + ["store"]) }
            checkScreenName(row.go, at: path + ["go"])
            if row.renew, app.session.refresh == nil {
                wrong(
                    path + ["renew"], "there is no call to refresh with",
                    "Name it: session: { refresh: 'refresh' }.")
            }
            checkRows(row.goWhen, at: path + ["goWhen"])
            let own = app.everyCall.filter { row.calls.contains($0.name) }.flatMap {
                $0.call.failures.compactMap(\.kind)
            }
            for (kind, screen) in row.otherwise.sorted(by: { $0.key < $1.key }) {
                let path = path + ["otherwise", kind]
                guard (kinds + own).contains(kind) else {
                    wrong(
                        path, "no call of this row fails with \(kind)",
                        Nearest.mend(kind, kinds + own))
                    continue
                }
                if screen != "stay" { checkScreenName(screen, at: path) }
            }
            let isLast = index == app.launch.count - 1
            if row.isUnconditional, !isLast {
                wrong(
                    path, "rows after this one are never reached",
                    "Put it last, or give it stored or missing.")
            }
        }
        if app.launch.last?.isUnconditional != true {
            wrong(
                ["launch"], "the launch table has no end",
                "Add a last row without stored and missing: { go: 'login' }.")
        }
    }
}

extension App {
    /// The screens that make the call `name`.
    func screens(using name: String) -> [Screen] {
        screens.filter { screen in
            screen.load.contains(name) || screen.allActions.contains { $0.everyCall.contains(name) }
        }
    }
}
