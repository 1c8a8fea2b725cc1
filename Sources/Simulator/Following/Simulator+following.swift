import Apps
import Core
import Traffic
import Web

/// Applies a proxied response to its device, with the same effects as in the simulated app.
extension Simulator {
    /// The call that a proxied exchange makes, and its effects on the device.
    func interpret(
        _ exchange: ObservedExchange, of proxyRequest: ProxyRequest, _ instance: AppInstance,
        _ app: App, _ matcher: CallMatcher
    ) async throws -> ProxiedCall {
        let context = try await context(instance, app)
        let observed = ObservedRequest(
            exchange.request, path: proxyRequest.path, query: proxyRequest.query,
            isComplete: exchange.isRequestComplete)
        let matched = Self.choose(matcher.matchedCalls(for: observed), context)
        var exchangeContext = ExchangeContext(
            workspace: instance.workspace, app: instance.app, device: instance.device,
            backend: context.backend, call: matched?.name ?? "other", cause: .proxied,
            tokens: [observed.bearer].compactMap(\.self))
        let variables = matched?.variables ?? [:]
        for (name, value) in variables {
            guard let text = value.scalarText, !text.isEmpty else { continue }
            if matcher.passwordFields.contains(name) {
                exchangeContext.passwords.append(text)
            } else if app.isToken(name) {
                exchangeContext.tokens.append(text)
            }
        }
        if let matched, let response = exchange.response {
            exchangeContext.tokens += matched.call.tokens(in: response, of: app)
        }
        exchangeContext.tokens += context.secrets
        exchangeContext.accessToken = variables[App.accessTokenName]?.scalarText
        if matched?.name == app.session.refreshCall {
            exchangeContext.refreshToken = variables[App.refreshTokenName]?.scalarText
        }
        return (
            exchangeContext,
            { [self] recorded in
                guard let matched else { return }
                var run = ActionRun(context, .proxied, startEvent: recorded.eventID)
                run.record(recorded)
                run.fields = matched.fields(of: app)
                let response = exchange.isResponseComplete ? exchange.response : nil
                let finalRun = run
                do {
                    try await stateStore.withRetainedState(instance) {
                        try await follow(matched, response, recorded, finalRun)
                    }
                } catch is AppTerminated {
                    // The exchange has no effect on the app, which was terminated in the meantime.
                }
            }
        )
    }

    /// Of several matching calls, prefers one that an action of the current screen makes.
    private static func choose(_ calls: [MatchedCall], _ context: ActionContext) -> MatchedCall? {
        guard calls.count > 1 else { return calls.first }
        let actions = context.app.screen(context.persisted.screen)?.allActions ?? []
        return calls.first { call in actions.contains { $0.calls.contains(call.name) } }
            ?? calls.first
    }

    /// `response` is nil if there was none, or if it exceeds the readable limit.
    private func follow(
        _ matched: MatchedCall, _ response: UpstreamResponse?,
        _ recorded: Recorder.RecordedExchange, _ run: ActionRun
    ) async throws {
        var context = try await context(run)
        let bearer = matched.bearer
        // An app that sends what is locked has unlocked it.
        let sentLocked = run.app.storage.contains { key in
            key.capturedName.map { name in
                context.isLocked(name)
                    && matched.variables[name]?.scalarText == context.stored.items[key.key]?.value
            } ?? false
        }
        if sentLocked {
            updateTransient(run) { $0.unlock(run.app) }
            context = try await self.context(run)
        }
        let storedToken = bearer.flatMap { context.availableValues()[$0.name]?.scalarText }
        // A call of another session than the device's has no effect.
        if let bearer, let storedToken, bearer.token != storedToken { return }
        var run = run
        guard let response else { return try await completeBestEffort(matched, context, run) }
        let observed = CallResponse(
            sent: recorded, interpretation: matched.call.interpret(response))
        if let bearer, storedToken != nil, !matched.call.isBestEffort {
            recordObservation(observed, bearer, matched.name, context)
        }
        switch observed.interpretation {
        case .success(let captured):
            run.recordSuccess(
                of: matched.call, matched.name,
                matched.call.success.appending(captured, to: context.availableValues()), context)
            try await applySuccess(matched, context, run, bearer)
            guard let bearer, storedToken == nil, !matched.call.isBestEffort else { return }
            // The response may have adopted a session.
            let newContext = try await self.context(run)
            if newContext.availableValues()[bearer.name]?.scalarText == bearer.token {
                recordObservation(observed, bearer, matched.name, newContext)
            }
        case .failure(let failure, let message, let status):
            try await applyFailure(matched, context, run, bearer, failure, message, status)
        case .invalid, nil: break
        }
    }

    // MARK: Success

    private func applySuccess(
        _ matched: MatchedCall, _ context: ActionContext, _ run: ActionRun, _ bearer: BearerToken?
    ) async throws {
        if matched.name == run.app.session.refreshCall {
            let presentedToken = matched.variables[App.refreshTokenName]?.scalarText
            let storedToken = context.persisted.refreshToken(in: run.app)
            // A refresh of another session counts as a sign-in.
            let isOtherSession =
                storedToken != nil && presentedToken != nil && storedToken != presentedToken
            return try await storeTokens(
                run.captured, run, reason: isOtherSession ? .run(exchange: run.lastExchange) : nil)
        }
        updateTransient(run) { $0.rememberFields(of: run) }
        if let (screen, action) = action(for: matched, run, context) {
            let signsIn = run.isSignIn(storing: action.namesToStore)
            if signsIn || action.isComplete(after: matched.name, context, run) {
                _ = try await completeAction(run, screen, action.withoutMessages)
            } else {
                try await storeCaptured(run, storing: action.namesToStore)
            }
        } else if let row = launchRow(of: matched.name, run, context) {
            _ = try await finishLaunch(row, run)
        } else if let bearer, bearer.name == App.accessTokenName, context.persisted.visits.isEmpty,
            context.persisted.session == nil
        {
            // The app had signed in before it was pointed at the proxy: the unused device adopts
            // the session of a token that its backend accepts.
            var run = run
            run.captured[bearer.name] = bearer.token.map(JSON.string)
            let names = run.app.storage.compactMap(\.capturedName)
            try await storeCaptured(run, storing: names, showsScreen: true)
        } else {
            try await storeCaptured(run, storing: [])
        }
    }

    /// The action that makes the call. Prefers the current screen, and an action that signs in if
    /// and only if the response does.
    private func action(for matched: MatchedCall, _ run: ActionRun, _ context: ActionContext) -> (
        Screen, Action
    )? {
        let signsIn = run.captured[App.accessTokenName] != nil
        let currentScreen = context.persisted.screen
        let screens =
            run.app.screens.filter { $0.id == currentScreen }
            + run.app.screens.filter { $0.id != currentScreen }
        let all = screens.flatMap { screen in
            screen.allActions.filter {
                $0.calls.contains(matched.name) && !$0.bypassesSession && !$0.hasPrompt
            }.map { (screen, $0) }
        }
        return all.first { signsIn == run.isSignIn(storing: $0.1.namesToStore) } ?? all.first
    }

    /// The launch table row that makes this call: one that signs in, or, at the launch screen, the
    /// matching one.
    private func launchRow(of name: String, _ run: ActionRun, _ context: ActionContext)
        -> LaunchRow?
    {
        let isAtStart = context.persisted.screen == run.app.launchScreenID
        return run.app.launch.first { row in
            row.calls.contains(name)
                && (run.isSignIn(storing: row.namesToStore)
                    || (isAtStart && row.calls.last == name
                        && context.matches(row)))
        }
    }

    // MARK: Failure

    private func applyFailure(
        _ matched: MatchedCall, _ context: ActionContext, _ run: ActionRun, _ bearer: BearerToken?,
        _ failure: Call.Failure?, _ message: String?, _ status: Int
    ) async throws {
        let app = run.app
        let variables = context.variables(of: run)
        let messageText = app.failureMessage(
            for: failure, backendMessage: message, status: status, action: nil, variables: variables
        )
        let manifestMessage = failure?.message.map { _ in messageText }
        if matched.name == app.session.refreshCall {
            guard Self.isRejection(status) || failure?.sessionEffect == .expired else { return }
            let token = matched.variables[App.refreshTokenName]?.scalarText
            try await expireSession(
                run, BearerToken(name: App.refreshTokenName, token: token), message: manifestMessage
            )
            return
        }
        if let bearer, !matched.call.isBestEffort {
            let endsSession =
                failure?.sessionEffect == .expired
                || (Self.requiresRefresh(failure, status) && app.session.refreshCall == nil)
            if endsSession { try await expireSession(run, bearer, message: manifestMessage) }
            if endsSession || Self.requiresRefresh(failure, status) { return }
        }
        if matched.call.isBestEffort { return try await completeBestEffort(matched, context, run) }
        guard let (screen, action) = action(for: matched, run, context) else { return }
        updateTransient(run) { $0.rememberFields(of: run) }
        let failure = CallFailure(
            failure, status: status,
            message: app.failureText(messageText, action: action, variables: variables),
            exchange: run.lastExchange)
        if let target = failure.targetScreen { return try await showFailure(failure, target, run) }
        let currentScreen = context.persisted.screen
        if currentScreen == screen.id || currentScreen == app.launchScreenID,
            screen.requirement == nil
        {
            try await showFailure(failure, screen.id, run)
        }
    }

    /// Completes an action whose calls are all best effort, whatever their responses: a user who
    /// signs out is signed out.
    private func completeBestEffort(
        _ matched: MatchedCall, _ context: ActionContext, _ run: ActionRun
    ) async throws {
        guard matched.call.isBestEffort, let (screen, action) = action(for: matched, run, context),
            action.calls.allSatisfy({
                run.app.call($0, backend: context.backend)?.isBestEffort ?? true
            })
        else { return }
        _ = try await completeAction(run, screen, action.withoutMessages)
    }
}

extension MatchedCall {
    /// The values of the request that fill the call's fields, without tokens and without values the
    /// device provides itself.
    fileprivate func fields(of app: App) -> [String: JSON] {
        let settings = Set(app.settings.map(\.name))
        return variables.filter { name, _ in
            !app.isToken(name) && !settings.contains(name) && !name.contains(".")
        }
    }

    /// The token it carries, if any.
    fileprivate var bearer: BearerToken? {
        call.request.tokenName.map { BearerToken(name: $0, token: variables[$0]?.scalarText) }
    }
}

extension Action {
    /// Whether no required call is left after `name`.
    fileprivate func isComplete(after name: String, _ context: ActionContext, _ run: ActionRun)
        -> Bool
    {
        let app = run.app
        let available = calls.filter { !app.isCallMissing($0, backend: context.backend) }
        let required = available.filter {
            app.call($0, backend: context.backend)?.isBestEffort != true
        }
        guard !required.isEmpty else { return available.last == name }
        guard required.contains(name) else { return false }
        return required.last == name
            || required.allSatisfy {
                run.completedCalls.union(context.transient.completedCalls).contains($0)
            }
    }

    /// Without alert and toast, which only a user of the simulated screen would see.
    fileprivate var withoutMessages: Action {
        var action = self
        action.alert = nil
        action.toast = nil
        return action
    }
}
