import Apps
import Core
import Traffic
import Web

/// What an answer to a real app's call means to the device it is shown on:
/// the same that it would mean to the simulated app.
extension Runner {
    /// `answer` is nil if none came, or more than can be read.
    func follow(
        _ known: MatchedCall, _ response: UpstreamResponse?, _ sent: Recorder.RecordedExchange,
        _ run: ActionRun
    )
        async throws
    {
        let context = try await context(run.instance, run.app)
        let bearer = known.bearer
        let stored = bearer.flatMap { context.availableValues()[$0.name]?.scalarText }
        // A call of another session than the one shown is its own business.
        if let bearer, let stored, bearer.token != stored { return }
        var run = run
        guard let response else { return try await completeBestEffort(known, context, run) }
        let reading = known.call.interpret(response)
        if let bearer, stored != nil, !known.call.isBestEffort {
            recordObservation(reading, bearer, known.name, sent, run.instance, context)
        }
        switch reading {
        case .success(let captured):
            run.completedCalls.insert(known.name)
            run.captured = captured
            run.rememberedValues = rememberedValues(known.call, context, run)
            try await applySuccess(known, context, run, bearer)
            guard let bearer, stored == nil, !known.call.isBestEffort else { return }
            // A session that was adopted by it.
            let after = try await self.context(run.instance, run.app)
            if after.availableValues()[bearer.name]?.scalarText == bearer.token {
                recordObservation(reading, bearer, known.name, sent, run.instance, after)
            }
        case .failure(let failure, let message, let status):
            try await applyFailure(known, context, run, bearer, failure, message, status)
        case .invalid: break
        }
    }

    // MARK: Success

    private func applySuccess(
        _ known: MatchedCall, _ context: ActionContext, _ run: ActionRun, _ bearer: BearerToken?
    )
        async throws
    {
        if known.name == run.app.session.refreshCall {
            let shown = known.variables[App.refreshTokenName]?.scalarText
            let mine = context.persisted.refreshToken(in: run.app)
            // Of a session that is not this one: as if it had signed in.
            let isOther = mine != nil && shown != nil && mine != shown
            return try await storeTokens(
                run.captured, run, reason: isOther ? .run(exchange: run.lastExchange) : nil)
        }
        storeMemoryFields(run)
        if let (screen, action) = action(for: known, run, context) {
            let signsIn = run.isSignIn(storing: action.namesToStore)
            if signsIn || action.isComplete(after: known.name, context, run) {
                _ = try await completeAction(run, screen, action.withoutMessages)
            } else {
                try await storeCaptured(run, storing: action.namesToStore)
            }
        } else if let row = launchRow(of: known.name, run, context) {
            _ = try await finishLaunch(row, run)
        } else if let bearer, bearer.name == App.accessTokenName, context.persisted.visits.isEmpty,
            context.persisted.session == nil
        {
            try await adoptSession(bearer, context, run)
        } else {
            try await storeCaptured(run, storing: [])
        }
    }

    /// A field's value that the app holds in memory.
    private func storeMemoryFields(_ run: ActionRun) {
        stateStore.updateTransient(run.instance, launchID: run.launchID) { transient in
            for memory in run.app.memory where memory.perField == nil {
                if let value = run.fields[memory.name] {
                    transient.capturedValues[memory.name] = value
                }
            }
        }
    }

    /// The action a call belongs to: on the screen shown now if it is there,
    /// and one that signs in if the answer does.
    private func action(for known: MatchedCall, _ run: ActionRun, _ context: ActionContext) -> (
        Screen, Action
    )? {
        let brings = run.captured[App.accessTokenName] != nil
        let now = context.persisted.screen
        let screens =
            run.app.screens.filter { $0.id == now } + run.app.screens.filter { $0.id != now }
        let all = screens.flatMap { screen in
            screen.allActions.filter {
                $0.calls.contains(known.name) && !$0.bypassesSession && $0.biometricCheck == nil
            }.map { (screen, $0) }
        }
        return all.first { brings == run.isSignIn(storing: $0.1.namesToStore) } ?? all.first
    }

    /// The row of the launch table that makes this call: one that signs in,
    /// or, at the splash, the one that is taken there.
    private func launchRow(of name: String, _ run: ActionRun, _ context: ActionContext)
        -> LaunchRow?
    {
        let isAtStart = context.persisted.screen == run.app.launchScreenID
        return run.app.launch.first { row in
            row.calls.contains(name)
                && (run.isSignIn(storing: row.namesToStore)
                    || (isAtStart && row.calls.last == name && row.matches(context)))
        }
    }

    /// Keeps what a call brought and changes nothing else.
    private func storeCaptured(_ run: ActionRun, storing names: [String]) async throws {
        let app = run.app
        let context = try await context(run.instance, app)
        let names = names.filter { run.captured[$0] != nil }
        let now = stateStore.now(in: run.instance)
        let isNews =
            !names.isEmpty || !run.completedCalls.isSubset(of: context.transient.completedCalls)
            || run.captured.contains { context.transient.capturedValues[$0] != $1 }
            || !run.rememberedValues.isEmpty
        guard isNews else { return }
        let variables = context.variables(captured: run.captured, fields: run.fields)
        try await stateStore.update(
            run.instance, app, launchID: run.launchID, reason: .run(exchange: run.lastExchange),
            cause: run.causeEvent,
            captured: run.captured
        ) { persisted, transient in
            persisted.storeItems(names, of: run, transient, variables, context, at: now)
        } then: { transient in
            transient.addResults(of: run, app, stored: names)
        }
    }

    /// A device that is new here and carries a token its backend takes: the
    /// app had signed in before it was pointed here.
    private func adoptSession(_ bearer: BearerToken, _ context: ActionContext, _ run: ActionRun)
        async throws
    {
        var run = run
        run.captured[bearer.name] = bearer.token.map(JSON.string)
        let app = run.app
        let now = stateStore.now(in: run.instance)
        let variables = context.variables(captured: run.captured)
        let names = app.storage.compactMap(\.capturedName).filter { run.captured[$0] != nil }
        let adopted = run
        try await stateStore.update(
            run.instance, app, launchID: run.launchID, reason: .run(exchange: run.lastExchange),
            cause: run.causeEvent,
            captured: run.captured
        ) { persisted, transient in
            persisted.storeItems(names, of: adopted, transient, variables, context, at: now)
            let known = ActionContext(
                app: app, device: context.device, persisted: persisted, transient: transient,
                embeddedBackend: embeddedBackend)
            if let row = app.launch.first(where: { $0.matches(known) }),
                app.screen(row.destination) != nil
            {
                persisted.showScreen(row.destination, at: now)
            }
        } then: { transient in
            transient.addResults(of: adopted, app, stored: names)
        }
    }

    // MARK: Failure

    private func applyFailure(
        _ known: MatchedCall, _ context: ActionContext, _ run: ActionRun, _ bearer: BearerToken?,
        _ failure: Call.Failure?, _ message: String?, _ status: Int
    ) async throws {
        let app = run.app
        let variables = context.variables(fields: run.fields)
        let words = app.failureMessage(
            for: failure, backendMessage: message, status: status, action: nil, variables: variables
        )
        let own = failure?.message.map { _ in words }
        if known.name == app.session.refreshCall {
            guard Self.isRejection(status) || failure?.sessionEffect == .expired else { return }
            let token = known.variables[App.refreshTokenName]?.scalarText
            return try await expireSession(
                run, BearerToken(name: App.refreshTokenName, token: token), message: own)
        }
        if let bearer, !known.call.isBestEffort {
            let isOver =
                failure?.sessionEffect == .expired
                || (Self.requiresRefresh(failure, status) && app.session.refreshCall == nil)
            if isOver { return try await expireSession(run, bearer, message: own) }
            if Self.requiresRefresh(failure, status) { return }
        }
        if known.call.isBestEffort { return try await completeBestEffort(known, context, run) }
        guard let (screen, action) = action(for: known, run, context) else { return }
        storeMemoryFields(run)
        let failure = CallFailure(
            failure, message: app.failureText(words, action: action, variables: variables),
            exchange: run.lastExchange)
        if let go = failure.targetScreen { return try await showFailure(failure, go, run) }
        let here = context.persisted.screen
        if here == screen.id || here == app.launchScreenID, screen.requirement == nil {
            try await showFailure(failure, screen.id, run)
        }
    }

    /// An action whose calls are all best effort has its effect whatever
    /// comes of them: who signs out is out.
    private func completeBestEffort(
        _ known: MatchedCall, _ context: ActionContext, _ run: ActionRun
    ) async throws {
        guard known.call.isBestEffort, let (screen, action) = action(for: known, run, context),
            action.calls.allSatisfy({
                run.app.call($0, backend: context.backend)?.isBestEffort ?? true
            }
            )
        else { return }
        _ = try await completeAction(run, screen, action.withoutMessages)
    }
}

extension MatchedCall {
    /// The token it carries, if it carries one.
    fileprivate var bearer: Runner.BearerToken? {
        call.request.tokenName.map {
            Runner.BearerToken(name: $0, token: variables[$0]?.scalarText)
        }
    }
}

extension Action {
    /// Whether nothing that matters is left to be called after `name`.
    fileprivate func isComplete(after name: String, _ context: ActionContext, _ run: ActionRun)
        -> Bool
    {
        let app = run.app
        let there = calls.filter { !app.isCallMissing($0, backend: context.backend) }
        let needed = there.filter { app.call($0, backend: context.backend)?.isBestEffort != true }
        guard !needed.isEmpty else { return there.last == name }
        guard needed.contains(name) else { return false }
        return needed.last == name
            || needed.allSatisfy {
                run.completedCalls.union(context.transient.completedCalls).contains($0)
            }
    }

    /// Without what only somebody at the screen would read or tap.
    fileprivate var withoutMessages: Action {
        var action = self
        action.alert = nil
        action.toast = nil
        return action
    }
}
