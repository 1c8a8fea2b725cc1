extension ManifestCheck {
    func checkBackends() throws(ManifestError) {
        guard !app.backends.isEmpty else {
            throw wrong(
                ["backends"], "there is no backend",
                "Add one: local: { base: 'http://localhost:3000' }.")
        }
        for backend in app.backends {
            let names = Set(backend.calls.keys).union(backend.lacks)
            for name in names.sorted() {
                try checkCallName(
                    name, at: ["backends", backend.id, "calls", name])
            }
            for name in backend.settings.keys.sorted()
            where !app.settings.contains(where: { $0.name == name }) {
                throw wrong(
                    ["backends", backend.id, "settings", name],
                    "\(name) is no setting of this app",
                    Nearest.mend(name, app.settings.map(\.name)))
            }
        }
    }

    func checkMemoryAndStorage() throws(ManifestError) {
        let fields = Set(app.screens.flatMap { $0.fields.map(\.name) })
        let names = app.memory.map(\.name)
        for memory in app.memory {
            let path = ["memory", memory.name]
            if let per = memory.per, !fields.contains(per) {
                throw wrong(
                    path + ["per"], "no screen has a field \(per)",
                    Nearest.mend(per, Array(fields)))
            }
            if app.storage.contains(where: { $0.holds == memory.name }) {
                throw wrong(
                    path, "\(memory.name) is stored too",
                    "Keep it in storage or in memory, not in both.")
            }
        }
        for key in app.storage {
            for name in key.fields where !fields.contains(name) {
                throw wrong(
                    ["storage", key.key, "fields"],
                    "no screen has a field \(name)",
                    Nearest.mend(name, Array(fields)))
            }
            guard let holds = key.holds else { continue }
            guard !captured.contains(holds), !fields.contains(holds) else {
                continue
            }
            throw wrong(
                ["storage", key.key, "holds"],
                "no call captures \(holds) and no field is called so",
                Nearest.mend(holds, Array(captured.union(fields))))
        }
        for (path, _, call) in app.everyCall {
            for name in call.remember.keys.sorted()
            where !names.contains(name) {
                throw wrong(
                    path + ["remember", name], "memory has no \(name)",
                    Nearest.mend(name, names))
            }
        }
    }

    func checkCalls() throws(ManifestError) {
        for (path, name, call) in app.everyCall {
            for captured in call.success.capture.keys.sorted() {
                try checkHeld(
                    captured, at: path + ["success", "capture", captured])
            }
            if let bearer = call.request.bearer {
                guard captured.contains(bearer) else {
                    throw wrong(
                        path + ["request", "bearer"],
                        "no call captures \(bearer)",
                        Nearest.mend(bearer, Array(captured)))
                }
            }
            let fields = app.screens(using: name).flatMap(\.fields)
                .map(\.name)
            for (index, failure) in call.failures.enumerated() {
                let path = path + ["failures", "\(index)"]
                if let go = failure.go {
                    try checkScreenName(go, at: path + ["go"])
                }
                if failure.session != nil, app.session.lost == nil {
                    throw wrong(
                        path + ["session"],
                        "nothing says what happens when a session is lost",
                        "Add session: { lost: { go: 'login' } }.")
                }
                if let field = failure.field, !fields.contains(field) {
                    throw wrong(
                        path + ["field"],
                        "no screen that makes this call has a field \(field)",
                        Nearest.mend(field, fields))
                }
            }
            for field in call.fieldMessageAt.keys.sorted()
            where !fields.contains(field) {
                throw wrong(
                    path + ["fieldMessageAt", field],
                    "no screen that makes this call has a field \(field)",
                    Nearest.mend(field, fields))
            }
        }
    }

    func checkSession() throws(ManifestError) {
        let session = app.session
        if let refresh = session.refresh {
            try checkCallName(refresh, at: ["session", "refresh"])
            guard session.lost != nil else {
                throw wrong(
                    ["session"],
                    "nothing says what happens when a refresh fails",
                    "Add lost: { clear: ['keychain'], go: 'login' }.")
            }
        } else if session.refreshBefore > 0 {
            throw wrong(
                ["session", "refreshBefore"],
                "there is no call to refresh with",
                "Name it: refresh: 'refresh'.")
        }
        if let probe = session.probe {
            try checkCallName(probe, at: ["session", "probe"])
        }
        if let lost = session.lost {
            try checkScreenName(lost.go, at: ["session", "lost", "go"])
        }
    }

    func checkLaunch() throws(ManifestError) {
        let kinds = ["offline", "timeout", "connection", "failed"]
        for (index, row) in app.launch.enumerated() {
            let path = ["launch", "\(index)"]
            for name in row.stored {
                try checkStorable(name, at: path + ["stored"])
            }
            for name in row.missing {
                try checkStorable(name, at: path + ["missing"])
            }
            for name in row.where.keys.sorted() {
                try checkStorable(name, at: path + ["where", name])
            }
            for name in row.calls {
                let key = row.calls.count == 1 ? "call" : "calls"
                try checkCallName(name, at: path + [key])
            }
            for name in row.store {
                try checkStorable(name, at: path + ["store"])
            }
            try checkScreenName(row.go, at: path + ["go"])
            if row.renew, app.session.refresh == nil {
                throw wrong(
                    path + ["renew"], "there is no call to refresh with",
                    "Name it: session: { refresh: 'refresh' }.")
            }
            try checkRows(row.goWhen, at: path + ["goWhen"])
            let own = app.everyCall.filter { row.calls.contains($0.name) }
                .flatMap { $0.call.failures.compactMap(\.kind) }
            for (kind, screen) in row.otherwise.sorted(by: { $0.key < $1.key })
            {
                let path = path + ["otherwise", kind]
                guard (kinds + own).contains(kind) else {
                    throw wrong(
                        path, "no call of this row fails with \(kind)",
                        Nearest.mend(kind, kinds + own))
                }
                if screen != "stay" { try checkScreenName(screen, at: path) }
            }
            let isLast = index == app.launch.count - 1
            if row.isUnconditional, !isLast {
                throw wrong(
                    path, "rows after this one are never reached",
                    "Put it last, or give it stored or missing.")
            }
        }
        guard app.launch.last?.isUnconditional == true else {
            throw wrong(
                ["launch"], "the launch table has no end",
                "Add a last row without stored and missing: { go: 'login' }.")
        }
    }
}

extension App {
    /// The screens that make the call `name`.
    func screens(using name: String) -> [Screen] {
        screens.filter { screen in
            screen.load.contains(name)
                || screen.allActions.contains { $0.everyCall.contains(name) }
        }
    }
}
