import Apps
import Surroundings
import Traffic
import Web

/// What an answer to a real app's call means to the device it is shown on:
/// the same that it would mean to the simulated app.
extension Runner {
    /// `answer` is nil if none came, or more than can be read.
    func follow(_ known: Recognised, _ answer: Answer?, _ sent: Recorder.Sent, _ run: Run)
        async throws
    {
        let facts = try await facts(run.place, run.app)
        let bearer = known.bearer
        let stored = bearer.flatMap { facts.held()[$0.name]?.text }
        // A call of another session than the one shown is its own business.
        if let bearer, let stored, bearer.token != stored { return }
        var run = run
        guard let answer else { return try await leave(known, facts, run) }
        let reading = known.call.read(answer)
        if let bearer, stored != nil, !known.call.bestEffort {
            hear(reading, bearer, known.name, sent, run.place, facts)
        }
        switch reading {
        case .success(let captured):
            run.answered.insert(known.name)
            run.captured = captured
            run.remembered = remembered(known.call, facts, run)
            try await succeed(known, facts, run, bearer)
            guard let bearer, stored == nil, !known.call.bestEffort else { return }
            // A session that was adopted by it.
            let after = try await self.facts(run.place, run.app)
            if after.held()[bearer.name]?.text == bearer.token {
                hear(reading, bearer, known.name, sent, run.place, after)
            }
        case .failure(let failure, let message, let status):
            try await fail(known, facts, run, bearer, failure, message, status)
        case .invalid: break
        }
    }

    // MARK: Success

    private func succeed(_ known: Recognised, _ facts: Facts, _ run: Run, _ bearer: Bearer?)
        async throws
    {
        if known.name == run.app.session.refresh {
            let shown = known.variables[App.refreshToken]?.text
            let mine = facts.kept.refreshToken(in: run.app)
            // Of a session that is not this one: as if it had signed in.
            let isOther = mine != nil && shown != nil && mine != shown
            return try await keep(
                run.captured, run, because: isOther ? .run(exchange: run.exchange) : nil)
        }
        remember(run)
        if let (screen, action) = role(of: known, run, facts) {
            let signsIn = run.signsIn(storing: action.store)
            if signsIn || action.ends(with: known.name, facts, run) {
                _ = try await succeed(run, screen, action.silent)
            } else {
                try await hold(run, storing: action.store)
            }
        } else if let row = launchRow(of: known.name, run, facts) {
            _ = try await finish(row, run)
        } else if let bearer, bearer.name == App.accessToken, facts.kept.visits.isEmpty,
            facts.kept.session == nil
        {
            try await adopt(bearer, facts, run)
        } else {
            try await hold(run, storing: [])
        }
    }

    /// A field's value that the app holds in memory.
    private func remember(_ run: Run) {
        cupboard.show(run.place, life: run.life) { shown in
            for memory in run.app.memory where memory.per == nil {
                if let value = run.fields[memory.name] { shown.held[memory.name] = value }
            }
        }
    }

    /// The action a call belongs to: on the screen shown now if it is there,
    /// and one that signs in if the answer does.
    private func role(of known: Recognised, _ run: Run, _ facts: Facts) -> (Screen, Action)? {
        let brings = run.captured[App.accessToken] != nil
        let now = facts.kept.screen
        let screens =
            run.app.screens.filter { $0.id == now } + run.app.screens.filter { $0.id != now }
        let all = screens.flatMap { screen in
            screen.allActions.filter {
                $0.calls.contains(known.name) && !$0.bypass && $0.biometric == nil
            }.map { (screen, $0) }
        }
        return all.first { brings == run.signsIn(storing: $0.1.store) } ?? all.first
    }

    /// The row of the launch table that makes this call: one that signs in,
    /// or, at the splash, the one that is taken there.
    private func launchRow(of name: String, _ run: Run, _ facts: Facts) -> LaunchRow? {
        let isAtStart = facts.kept.screen == run.app.launchScreen
        return run.app.launch.first { row in
            row.calls.contains(name)
                && (run.signsIn(storing: row.store)
                    || (isAtStart && row.calls.last == name && row.fits(facts)))
        }
    }

    /// Keeps what a call brought and changes nothing else.
    private func hold(_ run: Run, storing names: [String]) async throws {
        let app = run.app
        let facts = try await facts(run.place, app)
        let names = names.filter { run.captured[$0] != nil }
        let now = cupboard.now(in: run.place)
        let isNews =
            !names.isEmpty || !run.answered.isSubset(of: facts.shown.answered)
            || run.captured.contains { facts.shown.held[$0] != $1 } || !run.remembered.isEmpty
        guard isNews else { return }
        let variables = facts.variables(captured: run.captured, fields: run.fields)
        try await cupboard.change(
            run.place, app, life: run.life, because: .run(exchange: run.exchange), cause: run.cause,
            held: run.captured
        ) { kept, shown in
            kept.store(names, of: run, shown, variables, facts, at: now)
        } then: { shown in
            shown.keep(run, app, stored: names)
        }
    }

    /// A device that is new here and carries a token its backend takes: the
    /// app had signed in before it was pointed here.
    private func adopt(_ bearer: Bearer, _ facts: Facts, _ run: Run) async throws {
        var run = run
        run.captured[bearer.name] = bearer.token.map(JSON.string)
        let app = run.app
        let now = cupboard.now(in: run.place)
        let variables = facts.variables(captured: run.captured)
        let names = app.storage.compactMap(\.holds).filter { run.captured[$0] != nil }
        let adopted = run
        try await cupboard.change(
            run.place, app, life: run.life, because: .run(exchange: run.exchange), cause: run.cause,
            held: run.captured
        ) { kept, shown in
            kept.store(names, of: adopted, shown, variables, facts, at: now)
            let known = Facts(
                app: app, device: facts.device, kept: kept, shown: shown, embedded: embedded)
            if let row = app.launch.first(where: { $0.fits(known) }), app.screen(row.go) != nil {
                kept.show(row.go, at: now)
            }
        } then: { shown in
            shown.keep(adopted, app, stored: names)
        }
    }

    // MARK: Failure

    private func fail(
        _ known: Recognised, _ facts: Facts, _ run: Run, _ bearer: Bearer?,
        _ failure: Call.Failure?, _ message: String?, _ status: Int
    ) async throws {
        let app = run.app
        let variables = facts.variables(fields: run.fields)
        let words = app.words(
            for: failure, told: message, status: status, action: nil, variables: variables)
        let own = failure?.message.map { _ in words }
        if known.name == app.session.refresh {
            guard Self.isRefusal(status) || failure?.session == .lost else { return }
            let token = known.variables[App.refreshToken]?.text
            return try await lose(run, Bearer(name: App.refreshToken, token: token), words: own)
        }
        if let bearer, !known.call.bestEffort {
            let isOver =
                failure?.session == .lost
                || (Self.asksForRenewal(failure, status) && app.session.refresh == nil)
            if isOver { return try await lose(run, bearer, words: own) }
            if Self.asksForRenewal(failure, status) { return }
        }
        if known.call.bestEffort { return try await leave(known, facts, run) }
        guard let (screen, action) = role(of: known, run, facts) else { return }
        remember(run)
        let trouble = Trouble(
            failure, message: app.frame(words, action: action, variables: variables),
            exchange: run.exchange)
        if let go = trouble.go { return try await show(trouble, go, run) }
        let here = facts.kept.screen
        if here == screen.id || here == app.launchScreen, screen.needs == nil {
            try await show(trouble, screen.id, run)
        }
    }

    /// An action whose calls are all best effort has its effect whatever
    /// comes of them: who signs out is out.
    private func leave(_ known: Recognised, _ facts: Facts, _ run: Run) async throws {
        guard known.call.bestEffort, let (screen, action) = role(of: known, run, facts),
            action.calls.allSatisfy({ run.app.call($0, backend: facts.backend)?.bestEffort ?? true }
            )
        else { return }
        _ = try await succeed(run, screen, action.silent)
    }
}

extension Recognised {
    /// The token it carries, if it carries one.
    fileprivate var bearer: Runner.Bearer? {
        call.request.token.map { Runner.Bearer(name: $0, token: variables[$0]?.text) }
    }
}

extension Action {
    /// Whether nothing that matters is left to be called after `name`.
    fileprivate func ends(with name: String, _ facts: Facts, _ run: Run) -> Bool {
        let app = run.app
        let there = calls.filter { !app.lacks($0, backend: facts.backend) }
        let needed = there.filter { app.call($0, backend: facts.backend)?.bestEffort != true }
        guard !needed.isEmpty else { return there.last == name }
        guard needed.contains(name) else { return false }
        return needed.last == name
            || needed.allSatisfy { run.answered.union(facts.shown.answered).contains($0) }
    }

    /// Without what only somebody at the screen would read or tap.
    fileprivate var silent: Action {
        var action = self
        action.alert = nil
        action.toast = nil
        return action
    }
}
