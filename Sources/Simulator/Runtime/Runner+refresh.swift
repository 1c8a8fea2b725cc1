import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Replaces a rejected token, once for concurrent callers.
    ///
    /// Callers during a refresh wait for its result; later callers find the new token stored. With
    /// nil, the current access token counts as rejected.
    func refreshOnce(_ run: ActionRun, _ rejected: BearerToken?, after: Recorder.RecordedExchange?)
        async throws -> RefreshResult
    {
        let key = RunKey(instance: run.instance, launchID: run.launchID)
        return try await refreshes.run(key) { [self] in
            try await performRefresh(run, rejected, after: after)
        }
    }

    /// Runs inside the single flight.
    private func performRefresh(
        _ origin: ActionRun, _ rejected: BearerToken?, after: Recorder.RecordedExchange?
    ) async throws -> RefreshResult {
        let app = origin.app
        var run = ActionRun(
            instance: origin.instance, app: app, launchID: origin.launchID, initiator: .refresh,
            startEvent: after?.eventID ?? origin.causeEvent)
        let context = try await context(run.instance, app)
        let values = context.availableValues()
        var bearer = rejected ?? BearerToken(name: App.accessTokenName, token: nil)
        if let current = values[bearer.name]?.scalarText {
            if let token = bearer.token, token != current { return .refreshed }
            bearer.token = current
        }
        guard let name = app.session.refreshCall,
            let call = app.call(name, backend: context.backend),
            values[App.refreshTokenName]?.scalarText != nil
        else {
            try await expireSession(run, bearer)
            return .sessionExpired
        }
        if let message = context.missingSettingMessage(for: call) {
            return .unavailable(CallFailure(message: message))
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
                    title: origin.initiator == .manual ? "Refreshed manually" : "Refreshed silently"
                )
                return .refreshed
            case .invalid:
                return .unavailable(CallFailure(invalidResponseFor: app, exchange: sent.id))
            case .failure(let failure, _, let status)
            where Self.isRejection(status) || failure?.sessionEffect == .expired:
                try await expireSession(
                    run, bearer, message: failure?.message.map(context.variables().fill))
                return .sessionExpired
            case .failure(let failure, let message, let status):
                let text = app.failureMessage(
                    for: failure, backendMessage: message, status: status, action: nil,
                    variables: context.variables())
                return .unavailable(CallFailure(failure, message: text, exchange: sent.id))
            }
        }
    }

    /// A rejection concerns the token; a busy or failing server does not.
    static func isRejection(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![408, 425, 429].contains(status)
    }

    /// Stores the tokens of a refresh; `reason` is set if another request brought them.
    func storeTokens(
        _ captured: [String: JSON], _ run: ActionRun, title: String = "Refreshed silently",
        reason: StorageChangeReason? = nil
    ) async throws {
        let now = stateStore.now(in: run.instance)
        let app = run.app
        do {
            let reason = reason ?? .refresh(exchange: run.lastExchange, title: title)
            try await update(run, reason: reason, captured: captured) { persisted, _ in
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

    /// Applies the session expiry rules, unless the device meanwhile holds another token than the
    /// rejected one. `message` replaces the rules' own.
    func expireSession(_ run: ActionRun, _ rejected: BearerToken?, message: String? = nil)
        async throws
    {
        guard let rules = run.app.session.expired else { return }
        let app = run.app
        let now = stateStore.now(in: run.instance)
        var isExpired = false
        try await update(run, reason: .sessionExpired(exchange: run.lastExchange)) {
            persisted, transient in
            if let rejected {
                let item = persisted.item(holding: rejected.name, in: app)
                let current = item?.value ?? transient.capturedValues[rejected.name]?.scalarText
                if let current, current != rejected.token { return }
            }
            isExpired = true
            persisted.clearItems(rules.areasToClear, of: app)
            if persisted.screen != rules.destination {
                persisted.showScreen(rules.destination, at: now)
            }
        } then: { transient in
            guard isExpired else { return }
            transient.clearUser()
            transient.leaveScreen()
            transient.toast = nil
            // A launch starts again automatically; a failure would stop it.
            if rules.destination == app.launchScreenID { return }
            transient.failure = (message ?? rules.message).map {
                AppStatus.Failure(
                    message: $0, title: rules.title, presentation: rules.presentation,
                    exchange: run.lastExchange)
            }
        }
        if isExpired, let message = message ?? rules.message {
            publishFailure(message, kind: "sessionExpired", exchange: run.lastExchange, run)
        }
    }
}
