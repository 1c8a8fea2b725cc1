import Apps
import Core
import FoundationEssentials
import Synchronization
import Traffic
import Web

extension Runner {
    /// Performs one call as the app does: with retries, and with one refresh after a 401.
    ///
    /// Throws a `Problem` if the call cannot be built, and `AppTerminated` if the app was killed
    /// before the call could be repeated.
    func performCall(_ name: String, _ run: inout ActionRun) async throws -> ActionRun.CallResult {
        var initiator = run.initiator
        var previousExchange: String?
        var attempt = 1
        var isRefreshed = false
        if case .sessionExpired = try await refreshIfExpiring(name, run) { return .sessionExpired }
        while true {
            let context = try await context(run.instance, run.app)
            guard let call = run.app.call(name, backend: context.backend) else {
                // The manifest was reloaded in the meantime.
                throw Problem(
                    status: 409, code: "unknown-call", title: "The app's manifest has changed",
                    detail: "It no longer has the call \(name). Relaunch the app.")
            }
            if let message = context.missingSettingMessage(for: call) {
                return .failure(CallFailure(message: message))
            }
            let bearer = call.request.tokenName.map { name in
                let capturedToken = run.captured[name]
                return BearerToken(
                    name: name,
                    token: (capturedToken ?? context.availableValues()[name])?.scalarText,
                    isStored: capturedToken == nil)
            }
            if let bearer, bearer.token == nil, !call.isBestEffort, run.app.session.expired != nil {
                try await expireSession(run, bearer)
                return .sessionExpired
            }
            // The request is made from the state before the kill.
            try await killIfPending(&run)
            let sent: Recorder.RecordedExchange
            let lastAttempt: Int
            do {
                (sent, lastAttempt) = try await sendWithRetries(
                    name, call, context, &run, initiator, after: previousExchange, attempt: attempt)
            } catch let problem as Problem where call.isBestEffort {
                return .failure(CallFailure(message: problem.title))
            }
            let response: UpstreamResponse
            switch sent.result.outcome {
            case .responded(let received): response = received
            case .failed(let failure):
                return .failure(CallFailure(failure, app: run.app, exchange: sent.id))
            }
            let interpretation = call.interpret(response)
            if let bearer, bearer.isStored, !call.isBestEffort {
                recordObservation(interpretation, bearer, name, sent, run.instance, context)
            }
            switch interpretation {
            case .success(let captured):
                recordCapturedValues(captured, of: call, name, context, &run)
                return .success(captured)
            case .invalid:
                return .failure(CallFailure(invalidResponseFor: run.app, exchange: sent.id))
            case .failure(let failure, _, let status)
            where bearer?.isStored == true && Self.requiresRefresh(failure, status)
                && canRefresh(call, run.app):
                guard !isRefreshed else {
                    try await expireSession(run, bearer)
                    return .sessionExpired
                }
                switch try await refreshOnce(run, bearer, after: sent) {
                case .refreshed:
                    isRefreshed = true
                    if let bearer { run.captured[bearer.name] = nil }
                    (initiator, previousExchange, attempt) = (.retry, sent.id, lastAttempt + 1)
                case .sessionExpired: return .sessionExpired
                case .unavailable(let failure): return .failure(failure)
                }
            case .failure(let failure?, let message, let status)
            where bearer?.isStored == true && failure.sessionEffect == .expired:
                let text = run.app.failureMessage(
                    for: failure, backendMessage: message, status: status, action: nil,
                    variables: context.variables(captured: run.captured, fields: run.fields))
                try await expireSession(run, bearer, message: failure.message.map { _ in text })
                return .sessionExpired
            case .failure(let failure, let message, let status):
                let text = run.app.failureMessage(
                    for: failure, backendMessage: message, status: status, action: nil,
                    variables: context.variables(captured: run.captured, fields: run.fields))
                return .failure(
                    CallFailure(
                        failure, message: text, fieldMessages: call.fieldMessages(in: response),
                        exchange: sent.id))
            }
        }
    }

    /// A token that a call carries, with its name in the manifest.
    struct BearerToken: Sendable {
        var name: String
        /// Nil if the device had none.
        var token: String?
        /// False if this run captured the token and has not stored it yet. Then neither a refresh
        /// nor a session expiry applies: the stored session may be another user's.
        var isStored = true
    }

    /// Whether a response means that the token expired: a failure row declares it, or no row
    /// matches a 401.
    static func requiresRefresh(_ failure: Call.Failure?, _ status: Int) -> Bool {
        failure.map { $0.sessionEffect == .refresh } ?? (status == 401)
    }

    /// An app without a refresh call expires its session at a 401, except after a best-effort call.
    private func canRefresh(_ call: Call, _ app: App) -> Bool {
        app.session.refreshCall != nil || (app.session.expired != nil && !call.isBestEffort)
    }

    /// Refreshes first if the call's token expires within the lead time; nil if it does not.
    private func refreshIfExpiring(_ name: String, _ run: ActionRun) async throws -> RefreshResult?
    {
        let leadSeconds = run.app.session.refreshLeadSeconds
        guard leadSeconds > 0, run.app.session.refreshCall != nil else { return nil }
        let context = try await context(run.instance, run.app)
        guard
            run.app.call(name, backend: context.backend)?.request.tokenName == App.accessTokenName,
            run.captured[App.accessTokenName] == nil,
            context.persisted.refreshToken(in: run.app) != nil, let bearer = expiringToken(context)
        else { return nil }
        return try await refreshOnce(run, bearer, after: nil)
    }

    /// The access token, if it has expired or expires within the lead time.
    func expiringToken(_ context: ActionContext) -> BearerToken? {
        guard let token = context.persisted.accessToken(in: context.app),
            let expiry = context.persisted.session?.accessToken?.expiresAt,
            expiry.timeIntervalSince(stateStore.clocks.now(in: context.device.workspace))
                <= Double(context.app.session.refreshLeadSeconds)
        else { return nil }
        return BearerToken(name: App.accessTokenName, token: token)
    }

    private func recordCapturedValues(
        _ captured: [String: JSON], of call: Call, _ name: String, _ context: ActionContext,
        _ run: inout ActionRun
    ) {
        run.completedCalls.insert(name)
        for (name, value) in captured { run.captured[name] = value }
        run.rememberedValues += rememberedValues(call, context, run)
    }

    /// The values that a successful call leaves in memory.
    func rememberedValues(_ call: Call, _ context: ActionContext, _ run: ActionRun) -> [(
        name: String, key: String, value: JSON
    )] {
        let variables = context.variables(captured: run.captured, fields: run.fields)
        return call.valuesToRemember.map { name, text in
            let perField = run.app.memory.first { $0.name == name }?.perField
            let key = perField.flatMap { field in
                variables[field]?.scalarText.map { run.app.memoryKey($0, of: field) }
            }
            return (name, key ?? "", .string(variables.fill(text)))
        }
    }

    // MARK: Attempts

    /// Sends until a response is received or the retries are used up; returns the last attempt and
    /// its number.
    func sendWithRetries(
        _ name: String, _ call: Call, _ context: ActionContext, _ run: inout ActionRun,
        _ initiator: ExchangeContext.Cause, after: String?, attempt: Int, fault: Fault.Draft? = nil
    ) async throws -> (Recorder.RecordedExchange, attempt: Int) {
        let network = run.app.network
        let request = try call.makeRequest(
            base: context.baseURL,
            variables: context.variables(captured: run.captured, fields: run.fields),
            timeout: .seconds(network.timeout))
        let app = run.app
        let capturedTokens = run.captured.filter { app.isToken($0.key) }.compactMap(
            \.value.scalarText)
        var exchangeContext = ExchangeContext(
            workspace: run.instance.workspace, app: run.instance.app, device: run.instance.device,
            backend: context.backend, call: name, cause: initiator, causeEvent: run.causeEvent,
            causeExchange: after, attempt: attempt, passwords: run.passwords,
            tokens: context.secrets + capturedTokens,
            extractTokens: { call.tokens(in: $0, of: app) }, fault: fault)
        exchangeContext.accessToken =
            (run.captured[App.accessTokenName]
            ?? context.transient.capturedValues[App.accessTokenName])?.scalarText
            ?? context.persisted.accessToken(in: app)
        if name == app.session.refreshCall {
            exchangeContext.refreshToken =
                (run.captured[App.refreshTokenName]
                ?? context.transient.capturedValues[App.refreshTokenName])?.scalarText
                ?? context.persisted.refreshToken(in: app)
        }
        var retries = 0
        while true {
            let sent = await recorder.send(request, as: exchangeContext)
            run.lastExchange = sent.id
            run.lastEvent = sent.eventID
            guard retries < call.retries ?? network.retries, network.shouldRetry(sent) else {
                return (sent, exchangeContext.attempt)
            }
            let pause = network.backoff * Double(1 << min(retries, 10)) * jitter
            if !skipsRetryDelays(run.instance.workspace) { try? await world.sleep(.seconds(pause)) }
            guard stateStore.isRunning(run.instance, launchID: run.launchID) else {
                throw DeviceStateStore.AppTerminated()
            }
            retries += 1
            exchangeContext.attempt += 1
            exchangeContext.cause = initiator == .refresh ? .refresh : .retry
            exchangeContext.causeEvent = sent.eventID
            exchangeContext.causeExchange = sent.id
        }
    }

    private func skipsRetryDelays(_ workspace: String) -> Bool {
        workspacesSkippingRetryDelays.withLock { $0.contains(workspace) }
    }

    /// Between 0.75 and 1.25, so that many clients do not retry at the same time.
    private var jitter: Double { 0.75 + Double(world.randomBytes(1).first ?? 128) / 510 }
}

extension Network {
    /// Whether an attempt with this result is retried.
    fileprivate func shouldRetry(_ sent: Recorder.RecordedExchange) -> Bool {
        switch sent.result.outcome {
        case .responded(let response): response.status >= 500 && retryReasons.contains(.serverError)
        case .failed(let failure):
            switch failure.kind {
            case .timeout: retryReasons.contains(.timeout)
            case .connection, .nameLookup: retryReasons.contains(.connection)
            default: false
            }
        }
    }
}

extension RequestTemplate {
    /// The name of the token in the request: its bearer token, or the access token in any other
    /// position.
    var tokenName: String? {
        bearerName ?? (carries(App.accessTokenName) ? App.accessTokenName : nil)
    }
}

extension Call {
    /// The tokens in a response.
    func tokens(in response: UpstreamResponse, of app: App) -> [String] {
        guard case .success(let captured) = interpret(response) else { return [] }
        return captured.filter { app.isToken($0.key) }.compactMap(\.value.scalarText)
    }
}
