import Apps
import Surroundings
import Traffic
import Web

extension Runner {
    /// Shows `screen`, or tells which one is shown instead; an app that was
    /// killed in between shows its splash.
    func open(_ place: Place, _ app: App, _ screen: Screen) async throws -> Opening {
        do { return try await lookAt(place, app, screen) } catch is Cupboard.Dropped {
            return .redirect(screen: app.launchScreen)
        }
    }

    private func lookAt(_ place: Place, _ app: App, _ screen: Screen) async throws -> Opening {
        var facts = try await facts(place, app)
        if Way(facts, to: screen) != .here {
            if let other = try await goElsewhere(facts, to: screen) {
                return .redirect(screen: other)
            }
            facts = try await self.facts(place, app)
        }
        if !screen.load.isEmpty, facts.lacks(screen) {
            try await load(place, app, screen, facts.shown.life)
            facts = try await self.facts(place, app)
            guard Way(facts, to: screen) == .here else {
                return .redirect(screen: facts.kept.screen)
            }
        }
        var situation = situation(facts)
        if situation.toast != nil {
            // Of two pages that ask at once, one takes it.
            situation.toast =
                cupboard.show(place) { shown in
                    defer { shown.toast = nil }
                    return shown.toast
                } ?? nil
        }
        return .show(situation)
    }

    /// Makes the calls a screen is filled with, once for all who wait.
    private func load(_ place: Place, _ app: App, _ screen: Screen, _ life: Int) async throws {
        let key = LoadKey(place: place, life: life, screen: screen.id)
        try await loads.run(key) { [self] in
            await cupboard.holding(place) {
                do { return .success(try await fill(place, app, screen, life)) } catch is Cupboard
                    .Dropped
                { return .success(()) } catch { return .failure(error) }
            }
        }.get()
    }

    private func fill(_ place: Place, _ app: App, _ screen: Screen, _ life: Int) async throws {
        let facts = try await facts(place, app)
        guard facts.lacks(screen) else { return }
        var run = Run(
            place: place, app: app, life: life, why: .load, started: facts.shown.screenEvent)
        for name in screen.load where facts.lacks(load: name) {
            switch try await perform(name, &run) {
            case .success: break
            case .lost: return
            case .failure(let trouble):
                if let go = trouble.go { return try await show(trouble, go, run) }
            }
        }
        let done = run
        try await cupboard.change(
            place, app, life: life, because: .run(exchange: run.exchange), cause: run.cause,
            held: run.captured
        ) { _, _ in
        } then: { shown in
            shown.keep(done, app, stored: [])
        }
    }

    /// A failure that leads to another screen does so whoever asked.
    func show(_ trouble: Trouble, _ go: String, _ run: Run) async throws {
        let now = cupboard.now(in: run.place)
        try await cupboard.change(run.place, run.app, life: run.life, cause: run.cause) { kept, _ in
            kept.show(go, at: now)
        } then: { shown in
            shown.leaveScreen()
            shown.failure = Situation.Failure(
                message: trouble.message, title: nil, show: .inline, exchange: trouble.exchange)
        }
        tell(
            run.place, .failed, trouble.message, subject: trouble.exchange, cause: run.cause,
            facts: ["kind": trouble.kind])
    }

    // MARK: Situations

    /// Everything a page shows of an app on a device.
    func situation(_ facts: Facts) -> Situation {
        let (app, kept, shown) = (facts.app, facts.kept, facts.shown)
        let screen = app.screen(kept.screen)
        let id = screen?.id ?? app.launchScreen
        let held = facts.shownHeld
        var values = shown.values
        for field in screen?.fields ?? [] where values[field.name] == nil {
            let known = field.prefill.flatMap { held[$0]?.text }
            values[field.name] = known ?? field.initial
        }
        return Situation(
            app: app, device: facts.device, screen: id, since: kept.since,
            launching: id == app.launchScreen && shown.failure == nil, backend: facts.backend,
            base: facts.base, values: values, fieldErrors: shown.fieldErrors,
            failure: shown.failure, toast: shown.toast, notice: shown.notice, alert: shown.alert,
            held: held,
            session: kept.session?.judged(at: cupboard.clocks.now(in: facts.device.workspace)),
            visits: kept.visits, paths: kept.paths, lastPath: kept.lastPath.map { kept.paths[$0] },
            killsNext: shown.killsNext)
    }
}

extension Facts {
    /// Whether what the screen loads is not there yet, and could be asked for.
    func lacks(_ screen: Screen) -> Bool { screen.load.contains(where: lacks(load:)) }

    /// Whether a screen's call would bring something new: it was not answered
    /// since the person signed in or the app started, and something of what
    /// it captures is not there.
    func lacks(load name: String) -> Bool {
        guard kept.accessToken(in: app) != nil, !app.lacks(name, backend: backend),
            !shown.answered.contains(name), let call = app.call(name, backend: backend)
        else { return false }
        let held = held()
        return call.success.capture.keys.contains { held[$0] == nil }
    }
}
