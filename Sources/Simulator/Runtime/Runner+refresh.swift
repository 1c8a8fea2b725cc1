import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Gets another token than the one refused, once for all who ask.
    ///
    /// Who joins a refresh under way waits for its end; who comes after it
    /// finds the new token there. With nil, whatever access token there is
    /// counts as refused.
    func refreshOnce(_ run: ActionRun, _ refused: BearerToken?, after: Recorder.RecordedExchange?)
        async throws -> RefreshResult
    {
        let key = LaunchKey(instance: run.instance, launchID: run.launchID)
        return try await refreshes.run(key) { [self] in
            do { return .success(try await performRefresh(run, refused, after: after)) } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Within the single flight.
    private func performRefresh(
        _ origin: ActionRun, _ refused: BearerToken?, after: Recorder.RecordedExchange?
    ) async throws
        -> RefreshResult
    {
        let app = origin.app
        var run = ActionRun(
            instance: origin.instance, app: app, launchID: origin.launchID, initiator: .refresh,
            startEvent: after?.eventID ?? origin.causeEvent)
        let context = try await context(run.instance, app)
        let held = context.availableValues()
        var bearer = refused ?? BearerToken(name: App.accessTokenName, token: nil)
        if let current = held[bearer.name]?.scalarText {
            if let token = bearer.token, token != current { return .refreshed }
            bearer.token = current
        }
        guard let name = app.session.refreshCall,
            let call = app.call(name, backend: context.backend),
            held[App.refreshTokenName]?.scalarText != nil
        else {
            try await expireSession(run, bearer)
            return .sessionExpired
        }
        if let words = context.missingSettingMessage(for: call) {
            return .unavailable(CallFailure(message: words))
        }
        let (sent, _) = try await sendWithRetries(
            name, call, context, &run, .refresh, after: after?.id, attempt: 1)
        switch sent.result.outcome {
        case .failed(let failure):
            return .unavailable(CallFailure(failure, app: app, exchange: sent.id))
        case .responded(let response):
            switch call.interpret(response) {
            case .success(let captured):
                try await storeTokens(
                    captured, run,
                    title: origin.initiator == .manual ? "Refreshed by hand" : "Refreshed silently")
                return .refreshed
            case .invalid:
                return .unavailable(CallFailure(invalidResponseFor: app, exchange: sent.id))
            case .failure(let failure, _, let status)
            where Self.isRejection(status) || failure?.sessionEffect == .expired:
                try await expireSession(
                    run, bearer, message: failure?.message.map(context.variables().fill))
                return .sessionExpired
            case .failure(let failure, let message, let status):
                let words = app.failureMessage(
                    for: failure, backendMessage: message, status: status, action: nil,
                    variables: context.variables())
                return .unavailable(CallFailure(failure, message: words, exchange: sent.id))
            }
        }
    }

    /// A refusal is about the token; a busy or broken server is not.
    static func isRejection(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![408, 425, 429].contains(status)
    }

    /// Stores what a refresh brought; `reason` tells if it was none.
    func storeTokens(
        _ captured: [String: JSON], _ run: ActionRun, title: String = "Refreshed silently",
        reason: StorageChangeReason? = nil
    ) async throws {
        let now = stateStore.now(in: run.instance)
        let app = run.app
        do {
            try await stateStore.update(
                run.instance, app, launchID: run.launchID,
                reason: reason ?? .refresh(exchange: run.lastExchange, title: title),
                cause: run.causeEvent,
                captured: captured
            ) { persisted, _ in
                for (name, value) in captured {
                    guard let key = app.storageKey(holding: name) else { continue }
                    persisted.items[key.key] = StorageItem(key, value, at: now)
                }
            } then: { transient in
                for (name, value) in captured {
                    if app.storageKey(holding: name) == nil {
                        transient.capturedValues[name] = value
                    } else {
                        transient.capturedValues.removeValue(forKey: name)
                    }
                }
            }
        } catch let error as DeviceStateStore.AppTerminated {
            publishDropped(run, "the refresh")
            throw error
        }
    }

    /// Follows the rules of a lost session, unless the device holds another
    /// token meanwhile than the one that was refused. `words` stand in for
    /// the rules' own.
    func expireSession(_ run: ActionRun, _ refused: BearerToken?, message: String? = nil)
        async throws
    {
        guard let lost = run.app.session.expired else { return }
        let app = run.app
        let now = stateStore.now(in: run.instance)
        var isLost = false
        try await stateStore.update(
            run.instance, app, launchID: run.launchID,
            reason: .sessionExpired(exchange: run.lastExchange), cause: run.causeEvent
        ) { persisted, transient in
            if let refused {
                let item = persisted.item(holding: refused.name, in: app)
                let current = item?.value ?? transient.capturedValues[refused.name]?.scalarText
                if let current, current != refused.token { return }
            }
            isLost = true
            persisted.clearItems(lost.areasToClear, of: app)
            if persisted.screen != lost.destination {
                persisted.showScreen(lost.destination, at: now)
            }
        } then: { transient in
            guard isLost else { return }
            transient.clearUser()
            transient.leaveScreen()
            transient.toast = nil
            // A launch begins again by itself; a failure would stop it.
            if lost.destination == app.launchScreenID { return }
            transient.failure = (message ?? lost.message).map {
                AppStatus.Failure(
                    message: $0, title: lost.title, presentation: lost.presentation,
                    exchange: run.lastExchange)
            }
        }
        if isLost, let message = message ?? lost.message {
            publish(
                run.instance, .actionFailed, message, subject: run.lastExchange,
                cause: run.causeEvent,
                details: ["kind": "sessionLost"])
        }
    }
}
