import Apps
import Core
import Synchronization
import Traffic
import Web

extension Simulator {
    /// Replaces a rejected token, once for concurrent callers.
    ///
    /// Callers during a refresh wait for its result; later callers find the new token stored. With
    /// nil, the current access token counts as rejected. `maxRetries` are those of the call that
    /// needs the token: one that is sent once does not wait for a refresh that is sent again.
    func refreshOnce(
        _ run: ActionRun, _ rejected: BearerToken?, after: Recorder.RecordedExchange?,
        maxRetries: Int? = nil
    ) async throws -> CallResult {
        try await refreshes.run(RunKey(run)) { [self] in
            try await performRefresh(run, rejected, after: after, maxRetries: maxRetries)
        }
    }

    /// Runs inside the single flight.
    private func performRefresh(
        _ origin: ActionRun, _ rejected: BearerToken?, after: Recorder.RecordedExchange?,
        maxRetries: Int?
    ) async throws -> CallResult {
        let app = origin.app
        let context = try await context(origin)
        var run = ActionRun(context, .refresh, startEvent: after?.eventID ?? origin.causeEvent)
        run.launchID = origin.launchID
        let values = context.availableValues()
        var bearer = rejected ?? BearerToken(name: App.accessTokenName, token: nil)
        if let current = values[bearer.name]?.scalarText {
            if let token = bearer.token, token != current { return .success([:]) }
            bearer.token = current
        }
        guard let name = app.session.refreshCall,
            var call = app.call(name, backend: context.backend),
            values[App.refreshTokenName]?.scalarText != nil
        else { return try await expireSession(run, bearer) }
        if let maxRetries { call.retries = min(call.retries ?? app.network.retries, maxRetries) }
        if let failure = context.reasonNotToSend(call) { return .failure(failure) }
        let response = try await sendWithRetries(
            name, call, context, &run, .refresh, after: after?.id)
        switch response.interpretation {
        case .success(let captured):
            try await storeTokens(
                captured, run,
                title: origin.cause == .manual ? "Refreshed manually" : "Refreshed silently")
            return .success(captured)
        case .failure(let failure, _, let status)
        where Self.isRejection(status) || failure?.sessionEffect == .expired:
            return try await expireSession(
                run, bearer, message: failure?.message.map(context.variables().fill))
        default: return .failure(callFailure(response, call, context, run))
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
        let app = run.app
        do {
            let reason = reason ?? .refresh(exchange: run.lastExchange, title: title)
            try await update(run, reason: reason, captured: captured) { persisted, _, now in
                for (name, value) in captured {
                    guard let key = app.storageKey(holding: name) else { continue }
                    persisted.items[key.key] = StorageItem(key, value, at: now)
                }
            } then: {
                $0.capture(captured) { app.storageKey(holding: $0) != nil }
            }
        } catch let error as AppTerminated {
            publishDropped(run, "the refresh")
            throw error
        }
    }

    /// Applies the session expiry rules, unless the device meanwhile holds another token than the
    /// rejected one. `message` replaces the rules' own.
    @discardableResult func expireSession(
        _ run: ActionRun, _ rejected: BearerToken?, message: String? = nil
    ) async throws -> CallResult {
        guard let rules = run.app.session.expired else { return .sessionExpired }
        let app = run.app
        var isExpired = false
        try await update(run, reason: .sessionExpired(exchange: run.lastExchange)) {
            persisted, transient, now in
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
        return .sessionExpired
    }

    // MARK: Observations

    /// Records what a response reveals about the session whose token the call carried.
    func recordObservation(
        _ response: CallResponse, _ bearer: BearerToken, _ call: String, _ context: ActionContext
    ) {
        guard response.interpretation != nil, bearer.name == App.accessTokenName,
            let session = context.persisted.session, let masked = session.accessToken?.maskedValue
        else { return }
        let observation = makeObservation(response, call, context, masked: masked, isProbe: false)
        let isNew = observedStatus.withLock {
            $0.record(observation, of: session.id, isCurrent: true)
        }
        if isNew { sessionChecks.enqueue(context.instance) }
    }

    func makeObservation(
        _ response: CallResponse, _ call: String, _ context: ActionContext, masked: String,
        isProbe: Bool
    ) -> SessionObservation {
        var observation = SessionObservation(
            at: stateStore.now(in: context.instance), observedAt: world.now(),
            exchange: response.sent.id, call: call, status: response.status,
            totalMilliseconds: response.sent.result.timings.total, maskedToken: masked,
            isProbe: isProbe)
        switch response.interpretation {
        case .success(let captured):
            observation.isAccepted = true
            observation.capturedValues = captured.filter { !context.app.isToken($0.key) }
        case .failure(let failure, _, let status)
        where failure?.sessionEffect != nil || status == 401 || status == 403:
            observation.isAccepted = false
        case .failure, .invalid, nil: break
        }
        return observation
    }
}
