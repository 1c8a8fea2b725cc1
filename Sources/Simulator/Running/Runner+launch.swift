import Apps
import Surroundings
import Traffic
import Web

extension Runner {
    /// How often a launch begins anew by itself, because what it found was
    /// wiped on the way.
    private static let rounds = 3

    /// Runs the launch table, if the app stands at its splash.
    func launch(_ place: Place, _ app: App) async throws -> Outcome {
        let life = try await facts(place, app).shown.life
        let key = ActionKey(place: place, life: life, screen: app.launchScreen, action: "launch")
        return try await actions.run(key) { [self] in
            await cupboard.holding(place) {
                do { return .success(try await playLaunch(place, app, life)) } catch is Cupboard
                    .Dropped
                { return .success(Outcome(screen: app.launchScreen, succeeded: false)) } catch {
                    return .failure(error)
                }
            }
        }.get()
    }

    private func playLaunch(_ place: Place, _ app: App, _ life: Int) async throws -> Outcome {
        let facts = try await facts(place, app)
        guard facts.kept.screen == app.launchScreen || app.screen(facts.kept.screen) == nil else {
            return Outcome(screen: facts.kept.screen, succeeded: true)
        }
        let started =
            facts.shown.started
            ?? (facts.shown.failure == nil
                ? tell(place, .launched, "\(app.name) started")
                : tell(
                    place, .submitted, "\(app.name) tries again", subject: app.launchScreen,
                    facts: ["screen": app.launchScreen, "action": "retry", "label": "Retry"]))
        cupboard.show(place, life: life) { shown in
            shown.clearMessages()
            shown.started = nil
        }
        if facts.kept.visits.isEmpty {
            let now = cupboard.now(in: place)
            try await cupboard.change(place, app, life: life, cause: started) { kept, _ in
                kept.show(app.launchScreen, at: now)
            }
        }
        for _ in 0..<Self.rounds {
            var run = Run(place: place, app: app, life: life, why: .launch, started: started)
            do { if let outcome = try await take(&run) { return outcome } } catch let dropped
                as Cupboard.Dropped
            {
                drop(run, "the launch")
                throw dropped
            }
        }
        let run = Run(place: place, app: app, life: life, why: .launch, started: started)
        return stay(Trouble(message: app.network.messages.invalidResponse), run)
    }

    /// Takes the row that fits; nil if the session was lost and the launch
    /// begins anew.
    private func take(_ run: inout Run) async throws -> Outcome? {
        let app = run.app
        let facts = try await facts(run.place, app)
        guard let row = app.launch.first(where: { $0.fits(facts) }) else {
            return stay(Trouble(message: app.network.messages.invalidResponse), run)
        }
        if !row.clear.isEmpty {
            try await cupboard.change(
                run.place, app, life: run.life, because: .run(exchange: nil), cause: run.cause
            ) { kept, _ in kept.clear(row.clear, of: app) }
        }
        if row.renew, let bearer = dying(facts) {
            switch try await renew(run, bearer, after: nil) {
            case .renewed: break
            case .lost: return try await lost(run)
            case .unavailable(let trouble): return try await follow(trouble, row, run)
            }
        }
        for name in row.calls where !app.lacks(name, backend: facts.backend) {
            let isBestEffort = app.call(name, backend: facts.backend)?.bestEffort ?? false
            switch try await perform(name, &run) {
            case .success: break
            case .lost: return try await lost(run)
            case .failure(let trouble):
                if isBestEffort { break }
                return try await follow(trouble, row, run)
            }
        }
        return try await finish(row, run)
    }

    /// Where a lost session led; nil begins anew.
    private func lost(_ run: Run) async throws -> Outcome? {
        let screen = try await facts(run.place, run.app).kept.screen
        if screen == run.app.launchScreen { return nil }
        return Outcome(screen: screen, succeeded: false)
    }

    /// Stores what the row stores and leaves the splash.
    func finish(_ row: LaunchRow, _ run: Run) async throws -> Outcome {
        let app = run.app
        let now = cupboard.now(in: run.place)
        let facts = try await facts(run.place, app)
        let variables = facts.variables(captured: run.captured)
        let held = facts.held().merging(run.captured) { $1 }
        let target = row.goWhen.first { $0.fits(held) }?.go ?? row.go
        var isShut = false
        let kept = try await cupboard.change(
            run.place, app, life: run.life, because: .run(exchange: run.exchange), cause: run.cause,
            held: run.captured
        ) { kept, shown in
            kept.store(row.store, of: run, shown, variables, facts, at: now)
            // A screen nobody may see would lead back here for ever.
            isShut = app.screen(target)?.needs == .session && kept.accessToken(in: app) == nil
            if !isShut { kept.show(target, at: now) }
        } then: { shown in
            shown.leaveScreen()
            shown.keep(run, app, stored: row.store)
        }
        guard !isShut else {
            return stay(Trouble(message: app.network.messages.invalidResponse), run)
        }
        return Outcome(screen: kept.screen, succeeded: true)
    }

    /// What the table does about a failure.
    private func follow(_ trouble: Trouble, _ row: LaunchRow, _ run: Run) async throws -> Outcome {
        let target = row.otherwise[trouble.kind] ?? trouble.go ?? row.otherwise["failed"] ?? "stay"
        guard target != "stay", target != run.app.launchScreen else {
            guard cupboard.isAlive(run.place, run.life) else { throw Cupboard.Dropped() }
            return stay(trouble, run)
        }
        let now = cupboard.now(in: run.place)
        let failure = Situation.Failure(
            message: trouble.message, title: nil, show: .inline, exchange: trouble.exchange)
        try await cupboard.change(run.place, run.app, life: run.life, cause: run.cause) { kept, _ in
            kept.show(target, at: now)
        } then: { shown in
            shown.leaveScreen()
            shown.failure = failure
        }
        tellFailure(trouble, run)
        return Outcome(screen: target, succeeded: false, row: trouble.row)
    }

    /// The splash shows the error and Retry.
    private func stay(_ trouble: Trouble, _ run: Run) -> Outcome {
        cupboard.show(run.place, life: run.life) { shown in
            shown.failure = Situation.Failure(
                message: trouble.message, title: nil, show: .inline, exchange: trouble.exchange)
        }
        tellFailure(trouble, run)
        return Outcome(screen: run.app.launchScreen, succeeded: false, row: trouble.row)
    }

    private func tellFailure(_ trouble: Trouble, _ run: Run) {
        tell(
            run.place, .failed, trouble.message, subject: trouble.exchange, cause: run.cause,
            facts: ["kind": trouble.kind])
    }

    // MARK: Cold starts

    /// Forgets what is not stored and shows the splash; what is under way
    /// belongs to a dead app from now on.
    func coldStart(_ place: Place, _ app: App, kills: Bool) async throws {
        let now = cupboard.now(in: place)
        let life = cupboard.newLife()
        // Who hears of the start asks at once, before it is written.
        cupboard.show(place) { $0.killsNext = false }
        let killed = kills ? tell(place, .killed, "\(app.name) was killed") : nil
        let started = tell(place, .launched, "\(app.name) started", cause: killed)
        try await cupboard.change(place, app, cause: started) { kept, _ in
            kept.show(app.launchScreen, at: now)
        } then: { shown in
            shown = Shown(life: life)
            shown.started = started
        }
    }
}
