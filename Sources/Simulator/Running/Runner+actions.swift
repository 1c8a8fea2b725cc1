import Apps
import Surroundings
import Traffic
import Web

extension Runner {
    /// Does an action; a second one of the same name joins the first.
    func act(
        _ place: Place, _ app: App, _ screen: Screen, _ action: Action, form: [String: String],
        sensor: Device.Biometrics.Result? = nil
    ) async throws -> Outcome {
        let life = try await facts(place, app).shown.life
        let key = ActionKey(place: place, life: life, screen: screen.id, action: action.name)
        return try await actions.run(key) { [self] in
            await cupboard.holding(place) {
                do {
                    return .success(try await play(place, app, screen, action, form, sensor, life))
                } catch is Cupboard.Dropped {
                    return .success(Outcome(screen: app.launchScreen, succeeded: false))
                } catch { return .failure(error) }
            }
        }.get()
    }

    /// Rules, calls in order, capture, store, go: the engine's order.
    private func play(
        _ place: Place, _ app: App, _ screen: Screen, _ action: Action, _ form: [String: String],
        _ sensor: Device.Biometrics.Result?, _ life: Int
    ) async throws -> Outcome {
        let facts = try await facts(place, app)
        try facts.check(action, of: screen)
        if let other = try await goElsewhere(facts, to: screen) {
            return Outcome(screen: other, succeeded: false)
        }
        guard !action.inert else { return Outcome(screen: screen.id, succeeded: true) }
        let typed = Typed(form, of: action, on: screen, facts.shown.values)
        let label = facts.variables().fill(action.label)
        let submitted = tell(
            place, .submitted, "\(label) on \(screen.id)", subject: screen.id,
            facts: ["screen": screen.id, "action": action.name, "label": action.label])
        try begin(place, app, screen, typed, life)
        let errors = screen.check(typed.values, for: action)
        guard errors.isEmpty else {
            refuse(place, screen, typed, errors, life, cause: submitted)
            return Outcome(screen: screen.id, succeeded: false)
        }
        guard screen.isEnabled(action, typed.values) else {
            refuse(
                place, screen, typed, screen.waits(typed.values, for: action), life,
                cause: submitted)
            return Outcome(screen: screen.id, succeeded: false)
        }
        var run = Run(place: place, app: app, life: life, why: .submit, started: submitted)
        run.fields = screen.variables(typed.values)
        run.passwords = typed.passwords
        if let biometric = action.biometric {
            switch ask(biometric, sensor, facts, &run) {
            case .passed: break
            case .cancelled: return Outcome(screen: screen.id, succeeded: false)
            case .stopped(let trouble):
                return try await fail(trouble, [:], &run, screen, action, typed)
            }
        }
        // What shall go wrong on purpose comes in with the recorder's
        // transport, so an action need not know of it.
        if action.name == Action.submitName, cupboard.show(place, { $0.killsNext }) == true {
            try await coldStart(place, app, kills: true)
        }
        return try await make(&run, screen, action, typed)
    }

    /// Makes the calls and follows how they end.
    private func make(_ run: inout Run, _ screen: Screen, _ action: Action, _ typed: Typed)
        async throws -> Outcome
    {
        let facts = try await facts(run.place, run.app)
        var made = facts.shown.resumable?.made(by: action, on: screen) ?? [:]
        var trouble: Trouble?
        calls: for name in action.calls where !run.app.lacks(name, backend: facts.backend) {
            let (before, instead) = run.app.resume(
                name, made[name], action, typed, backend: facts.backend)
            run.captured.merge(before.captured) { $1 }
            var after = before
            for call in instead {
                let isBestEffort = run.app.call(call, backend: facts.backend)?.bestEffort ?? false
                do {
                    switch try await perform(call, &run) {
                    case .success(let captured): after.captured.merge(captured) { $1 }
                    case .failure(let why):
                        if isBestEffort { continue calls }
                        trouble = why
                        break calls
                    case .lost:
                        if isBestEffort { continue calls }
                        let now = try await self.facts(run.place, run.app)
                        return Outcome(screen: now.kept.screen, succeeded: false)
                    }
                } catch let dropped as Cupboard.Dropped {
                    drop(run, call)
                    throw dropped
                }
            }
            after.fields = action.resume[name]?.deciding(typed.values) ?? [:]
            made[name] = after
        }
        do {
            if let trouble, !action.always {
                return try await fail(trouble, made, &run, screen, action, typed)
            }
            return try await succeed(run, screen, action)
        } catch let dropped as Cupboard.Dropped {
            drop(run, action.calls.last ?? action.name)
            throw dropped
        }
    }

    /// Leaves what was said last time behind, and remembers what the app
    /// remembers of its fields.
    private func begin(_ place: Place, _ app: App, _ screen: Screen, _ typed: Typed, _ life: Int)
        throws
    {
        let fields = screen.variables(typed.values)
        let isAlive: Void? = cupboard.show(place, life: life) { shown in
            shown.clearMessages()
            shown.toast = nil
            shown.values = typed.harmless
            for memory in app.memory where memory.per == nil {
                if let value = fields[memory.name] { shown.held[memory.name] = value }
            }
        }
        if isAlive == nil { throw Cupboard.Dropped() }
    }

    /// Shows the rules' errors below the fields; nothing is sent.
    private func refuse(
        _ place: Place, _ screen: Screen, _ typed: Typed, _ errors: [String: String], _ life: Int,
        cause: Int64
    ) {
        cupboard.show(place, life: life) { shown in
            shown.values = typed.values
            shown.fieldErrors = errors
        }
        for field in screen.fields {
            guard let message = errors[field.name] else { continue }
            tell(
                place, .ruleFailed, "\(field.label): \(message)", subject: screen.id, cause: cause,
                facts: ["field": field.name])
        }
    }

    /// Leads to another screen if the app would not show `screen` now.
    func goElsewhere(_ facts: Facts, to screen: Screen) async throws -> String? {
        let app = facts.app
        let place = Place(workspace: facts.device.workspace, device: facts.device.id, app: app.id)
        switch Way(facts, to: screen) {
        case .here: return nil
        case .move:
            try await go(place, app, to: screen, life: facts.shown.life)
            return nil
        case .elsewhere(let other):
            if other == app.launchScreen, facts.kept.screen != other, let start = app.screen(other)
            {
                try await go(place, app, to: start, life: facts.shown.life)
            }
            return other
        }
    }

    /// Another tab: what was typed beside it, passwords apart, goes along.
    func turn(_ place: Place, _ app: App, to screen: Screen, _ form: [String: String]) async throws
        -> String
    {
        let facts = try await facts(place, app)
        if let from = app.screen(facts.kept.screen), from.id != screen.id,
            screen.tabs.contains(from.id)
        {
            cupboard.show(place, life: facts.shown.life) { shown in
                for field in from.fields where field.type != .password {
                    shown.values[field.name] = form[field.name]
                }
            }
        }
        return try await goElsewhere(facts, to: screen) ?? screen.id
    }

    /// Another screen by link: what was said about the one before is gone,
    /// and what was typed, but for what a tab beside it has a field for.
    func go(_ place: Place, _ app: App, to screen: Screen, life: Int) async throws {
        let now = cupboard.now(in: place)
        var from = ""
        try await cupboard.change(place, app, life: life) { kept, _ in
            from = kept.screen
            if from != screen.id { kept.show(screen.id, at: now) }
        } then: { shown in
            guard from != screen.id else { return }
            var values: [String: String] = [:]
            if screen.tabs.contains(from) {
                for field in screen.fields where field.type != .password {
                    values[field.name] = shown.values[field.name]
                }
            }
            shown.leaveScreen()
            shown.values = values
        }
    }
}
