import Apps
import Surroundings
import Traffic
import Web

extension Runner {
    /// Gets another token than the one refused, once for all who ask.
    ///
    /// Who joins a refresh under way waits for its end; who comes after it
    /// finds the new token there. With nil, whatever access token there is
    /// counts as refused.
    func renew(_ run: Run, _ refused: Bearer?, after: Recorder.Sent?) async throws -> Renewal {
        let key = LifeKey(place: run.place, life: run.life)
        return try await renewals.run(key) { [self] in
            do { return .success(try await refresh(run, refused, after: after)) } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Within the single flight.
    private func refresh(_ origin: Run, _ refused: Bearer?, after: Recorder.Sent?) async throws
        -> Renewal
    {
        let app = origin.app
        var run = Run(
            place: origin.place, app: app, life: origin.life, why: .refresh,
            started: after?.event ?? origin.cause)
        let facts = try await facts(run.place, app)
        let held = facts.held()
        var bearer = refused ?? Bearer(name: App.accessToken, token: nil)
        if let current = held[bearer.name]?.text {
            if let token = bearer.token, token != current { return .renewed }
            bearer.token = current
        }
        guard let name = app.session.refresh, let call = app.call(name, backend: facts.backend),
            held[App.refreshToken]?.text != nil
        else {
            try await lose(run, bearer)
            return .lost
        }
        if let words = facts.missing(for: call) { return .unavailable(Trouble(message: words)) }
        let (sent, _) = try await deliver(
            name, call, facts, &run, .refresh, after: after?.id, attempt: 1)
        switch sent.delivery.outcome {
        case .failed(let failure):
            return .unavailable(Trouble(failure, app: app, exchange: sent.id))
        case .answered(let answer):
            switch call.read(answer) {
            case .success(let captured):
                try await keep(
                    captured, run,
                    words: origin.why == .hand ? "Refreshed by hand" : "Refreshed silently")
                return .renewed
            case .invalid: return .unavailable(Trouble(invalid: app, exchange: sent.id))
            case .failure(let failure, _, let status)
            where Self.isRefusal(status) || failure?.session == .lost:
                try await lose(run, bearer, words: failure?.message.map(facts.variables().fill))
                return .lost
            case .failure(let failure, let message, let status):
                let words = app.words(
                    for: failure, told: message, status: status, action: nil,
                    variables: facts.variables())
                return .unavailable(Trouble(failure, message: words, exchange: sent.id))
            }
        }
    }

    /// A refusal is about the token; a busy or broken server is not.
    static func isRefusal(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![408, 425, 429].contains(status)
    }

    /// Stores what a refresh brought; `reason` tells if it was none.
    func keep(
        _ captured: [String: JSON], _ run: Run, words: String = "Refreshed silently",
        because reason: SessionReason? = nil
    ) async throws {
        let now = cupboard.now(in: run.place)
        let app = run.app
        do {
            try await cupboard.change(
                run.place, app, life: run.life,
                because: reason ?? .refresh(exchange: run.exchange, words: words), cause: run.cause,
                held: captured
            ) { kept, _ in
                for (name, value) in captured {
                    guard let key = app.storageKey(holding: name) else { continue }
                    kept.items[key.key] = Item(key, value, at: now)
                }
            } then: { shown in
                for (name, value) in captured {
                    if app.storageKey(holding: name) == nil {
                        shown.held[name] = value
                    } else {
                        shown.held.removeValue(forKey: name)
                    }
                }
            }
        } catch let error as Cupboard.Dropped {
            drop(run, "the refresh")
            throw error
        }
    }

    /// Follows the rules of a lost session, unless the device holds another
    /// token meanwhile than the one that was refused. `words` stand in for
    /// the rules' own.
    func lose(_ run: Run, _ refused: Bearer?, words: String? = nil) async throws {
        guard let lost = run.app.session.lost else { return }
        let app = run.app
        let now = cupboard.now(in: run.place)
        var isLost = false
        try await cupboard.change(
            run.place, app, life: run.life, because: .lost(exchange: run.exchange), cause: run.cause
        ) { kept, shown in
            if let refused {
                let item = kept.item(holding: refused.name, in: app)
                let current = item?.value ?? shown.held[refused.name]?.text
                if let current, current != refused.token { return }
            }
            isLost = true
            kept.clear(lost.clear, of: app)
            if kept.screen != lost.go { kept.show(lost.go, at: now) }
        } then: { shown in
            guard isLost else { return }
            shown.forgetPerson()
            shown.leaveScreen()
            shown.toast = nil
            // A launch begins again by itself; a failure would stop it.
            if lost.go == app.launchScreen { return }
            shown.failure = (words ?? lost.message).map {
                Situation.Failure(
                    message: $0, title: lost.title, show: lost.show, exchange: run.exchange)
            }
        }
        if isLost, let message = words ?? lost.message {
            tell(
                run.place, .failed, message, subject: run.exchange, cause: run.cause,
                facts: ["kind": "sessionLost"])
        }
    }
}
