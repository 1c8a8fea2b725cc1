import Apps
import FoundationEssentials
import Surroundings
import Web

extension Runner {
    /// Clears, stores and goes, and says so.
    func succeed(_ run: Run, _ screen: Screen, _ action: Action) async throws -> Outcome {
        let app = run.app
        let now = cupboard.now(in: run.place)
        let facts = try await facts(run.place, app)
        let variables = facts.variables(captured: run.captured, fields: run.fields)
        var held = facts.held(fields: run.fields).merging(run.captured) { $1 }
        // What the calls just left in memory counts as held.
        for (name, _, value) in run.remembered { held[name] = value }
        let row = action.goWhen.first { $0.fits(held) }
        let target = row?.go ?? action.go
        var waits = action.alert != nil
        let kept = try await cupboard.change(
            run.place, app, life: run.life, because: .run(exchange: run.exchange), cause: run.cause,
            held: run.captured
        ) { kept, shown in
            kept.clear(action.clear, keys: action.clearKeys, of: app)
            kept.store(action.store, of: run, shown, variables, facts, at: now)
            // An alert's button leads on; until then the screen stays, unless
            // the action itself has shut it.
            if screen.needs == .session, kept.accessToken(in: app) == nil { waits = false }
            if !waits, let target, target != kept.screen { kept.show(target, at: now) }
        } then: { shown in
            if !action.clear.isEmpty { shown.forgetPerson() }
            if run.signsIn(storing: action.store) { shown.forgetEarlier(than: run.fields) }
            shown.keep(run, app, stored: action.store)
            shown.resumable = nil
            let isLeft = !waits && target != nil && target != screen.id
            if isLeft { shown.leaveScreen() } else { shown.clearMessages() }
            shown.toast = action.toast.map(variables.fill)
            shown.notice = (row?.notice ?? action.notice).map(variables.fill)
            shown.alert = action.alert.map {
                Situation.Alert(
                    title: $0.title, text: variables.fill($0.text), ok: $0.ok,
                    go: waits ? target : nil)
            }
            if action.bypass { shown.bypass = true }
        }
        return Outcome(screen: kept.screen, succeeded: true)
    }

    /// Shows why an action came to nothing; what was typed stays, but for
    /// what the manifest empties.
    func fail(
        _ trouble: Trouble, _ done: [String: Shown.Resumable.Made], _ run: inout Run,
        _ screen: Screen, _ action: Action, _ typed: Typed
    ) async throws -> Outcome {
        let app = run.app
        let facts = try await facts(run.place, app)
        let variables = facts.variables(captured: run.captured, fields: run.fields)
        let message = app.frame(trouble.message, action: action, variables: variables)
        let failure = Situation.Failure(
            message: message, title: action.onFailure.title, show: action.onFailure.show,
            exchange: trouble.exchange)
        // A field of another screen that makes the same call is not here.
        let fieldErrors = trouble.fields.filter { name, _ in
            screen.fields.contains { $0.name == name }
        }.mapValues { app.frame($0, action: action, variables: variables) }
        let now = cupboard.now(in: run.place)
        let remembered = run.remembered
        let kept = try await cupboard.change(
            run.place, app, life: run.life, because: .run(exchange: run.exchange), cause: run.cause
        ) { kept, _ in
            if let go = trouble.go, go != kept.screen { kept.show(go, at: now) }
        } then: { shown in
            if let go = trouble.go, go != screen.id {
                shown.leaveScreen()
                shown.failure = failure
            } else {
                shown.values = typed.values
                for name in action.onFailure.clear { shown.values[name] = "" }
                shown.fieldErrors = fieldErrors
                if fieldErrors.isEmpty { shown.failure = failure }
            }
            for (name, key, value) in remembered { shown.remember(name, for: key, value) }
            shown.resumable =
                action.resume.isEmpty || done.isEmpty
                ? nil : Shown.Resumable(screen: screen.id, action: action.name, calls: done)
        }
        tell(
            run.place, .failed, message, subject: trouble.exchange, cause: run.cause,
            facts: ["kind": trouble.kind])
        return Outcome(screen: kept.screen, succeeded: false, row: trouble.row)
    }
}

extension Run {
    /// Whether somebody is signed in by what is stored of it.
    func signsIn(storing names: [String]) -> Bool {
        names.contains(App.accessToken) && captured[App.accessToken] != nil
    }
}

extension Kept {
    /// Stores what an action or a launch row names.
    ///
    /// A sign-in replaces the session as a whole: a name it did not bring is
    /// not left over from the one before.
    mutating func store(
        _ names: [String], of run: Run, _ shown: Shown, _ variables: Variables, _ facts: Facts,
        at now: Date
    ) {
        let app = facts.app
        let signsIn = run.signsIn(storing: names)
        for name in names {
            guard let key = app.storageKey(holding: name) else { continue }
            if key.biometric, !facts.device.biometrics.isReady { continue }
            if !key.fields.isEmpty {
                if let json = run.typed(key.fields) { items[key.key] = Item(key, json, at: now) }
            } else if let template = key.value {
                items[key.key] = Item(key, .string(variables.fill(template)), at: now)
            } else if let value = run.captured[name] ?? run.fields[name] ?? shown.held[name],
                value != .null
            {
                items[key.key] = Item(key, value, at: now)
            } else if signsIn {
                items[key.key] = nil
            }
        }
    }
}

extension Shown {
    /// Keeps in memory what calls captured and nobody stored.
    mutating func keep(_ run: Run, _ app: App, stored: [String]) {
        answered.formUnion(run.answered)
        for (name, value) in run.captured {
            let isStored = stored.contains(name) && app.storageKey(holding: name) != nil
            // Not `isStored ? nil : value`: that nil would be JSON's null.
            if isStored { held.removeValue(forKey: name) } else { held[name] = value }
        }
        for (name, key, value) in run.remembered {
            if app.memory.first(where: { $0.name == name })?.per == nil {
                held[name] = value
            } else {
                remember(name, for: key, value)
            }
        }
    }
}
