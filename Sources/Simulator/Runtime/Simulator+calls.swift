import Apps
import Core
import FoundationEssentials
import Synchronization
import Traffic
import Web

extension Simulator {
    /// Performs one call as the app does: with retries, and with one refresh after a 401.
    ///
    /// Throws a `Problem` if the call cannot be built, and `AppTerminated` if the app was killed
    /// before the response.
    func performCall(_ name: String, _ run: inout ActionRun) async throws -> CallResult {
        if case .sessionExpired = try await refreshIfExpiring(name, run) { return .sessionExpired }
        /// The rejected response, after a refresh.
        var rejected: CallResponse?
        while true {
            let context = try await context(run)
            guard let call = run.app.call(name, backend: context.backend) else {
                // The manifest was reloaded in the meantime.
                throw Problem(
                    status: 409, code: "unknown-call", title: "The app's manifest has changed",
                    detail: "It no longer has the call \(name). Relaunch the app.")
            }
            if let failure = context.reasonNotToSend(call) { return .failure(failure) }
            let bearer = call.request.tokenName.map { name in
                let capturedToken = run.captured[name]
                return BearerToken(
                    name: name,
                    token: (capturedToken ?? context.availableValues()[name])?.scalarText,
                    isStored: capturedToken == nil)
            }
            if let bearer, bearer.token == nil, !call.isBestEffort, run.app.session.expired != nil {
                return try await expireSession(run, bearer)
            }
            // The request is made from the state before the kill.
            try await killIfPending(&run)
            let response: CallResponse
            do {
                response = try await sendWithRetries(
                    name, call, context, &run, rejected == nil ? run.cause : .retry,
                    after: rejected?.sent.id, attempt: (rejected?.attempt ?? 0) + 1)
            } catch let problem as Problem where call.isBestEffort {
                return .failure(CallFailure(message: problem.title))
            }
            if let bearer, bearer.isStored, !call.isBestEffort {
                recordObservation(response, bearer, name, context)
            }
            // The device may have been deleted, and the app killed.
            let current = try await self.context(run)
            try stateStore.requireRunning(run.instance, launchID: run.launchID)
            let carriesStoredToken = bearer?.isStored == true
            switch response.interpretation {
            case .success(var captured):
                if !call.success.appendedNames.isEmpty {
                    // To what is held now: another call may have replaced it meanwhile.
                    captured = call.success.appending(captured, to: current.availableValues())
                }
                run.recordSuccess(of: call, name, captured, context)
                return .success(captured)
            case .failure(let failure, _, let status)
            where carriesStoredToken && Self.requiresRefresh(failure, status)
                && canRefresh(call, run.app):
                guard rejected == nil else { return try await expireSession(run, bearer) }
                let result = try await refreshOnce(
                    run, bearer, after: response.sent, maxRetries: call.retries)
                guard case .success = result else { return result }
                if let bearer { run.captured[bearer.name] = nil }
                rejected = response
            case .failure(let failure?, _, _)
            where carriesStoredToken && failure.sessionEffect == .expired:
                let text = callFailure(response, call, context, run).message
                return try await expireSession(
                    run, bearer, message: failure.message == nil ? nil : text)
            default: return .failure(callFailure(response, call, context, run))
            }
        }
    }

    /// Why a call without a successful response failed, with the message for the user.
    func callFailure(
        _ response: CallResponse, _ call: Call, _ context: ActionContext, _ run: ActionRun
    ) -> CallFailure {
        let exchange = response.sent.id
        switch (response.sent.result.outcome, response.interpretation) {
        case (.failed(let failure), _):
            return CallFailure(failure, app: run.app, exchange: exchange)
        case (.responded(let received), .failure(let failure, let message, let status)):
            let text = run.app.failureMessage(
                for: failure, backendMessage: message, status: status, action: nil,
                variables: context.variables(of: run))
            return CallFailure(
                failure, status: status, message: text,
                fieldMessages: call.fieldMessages(in: received), exchange: exchange)
        default:
            return CallFailure(
                kind: "invalidResponse", message: run.app.network.messages.invalidResponse,
                exchange: exchange)
        }
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
    func refreshIfExpiring(_ name: String, _ run: ActionRun) async throws -> CallResult? {
        let leadSeconds = run.app.session.refreshLeadSeconds
        guard leadSeconds > 0, run.app.session.refreshCall != nil else { return nil }
        let context = try await context(run)
        guard let call = run.app.call(name, backend: context.backend),
            call.request.tokenName == App.accessTokenName,
            run.captured[App.accessTokenName] == nil,
            context.persisted.refreshToken(in: run.app) != nil, let bearer = expiringToken(context)
        else { return nil }
        return try await refreshOnce(run, bearer, after: nil, maxRetries: call.retries)
    }

    /// The access token, if it has expired or expires within the lead time.
    func expiringToken(_ context: ActionContext) -> BearerToken? {
        guard let token = context.persisted.accessToken(in: context.app),
            let expiry = context.persisted.session?.accessToken?.expiresAt,
            expiry.timeIntervalSince(clocks.now(in: context.device.workspace))
                <= Double(context.app.session.refreshLeadSeconds)
        else { return nil }
        return BearerToken(name: App.accessTokenName, token: token)
    }

    // MARK: Attempts

    /// Sends until a response is received or the retries are used up.
    func sendWithRetries(
        _ name: String, _ call: Call, _ context: ActionContext, _ run: inout ActionRun,
        _ cause: ExchangeContext.Cause, after: String? = nil, attempt: Int = 1,
        fault: Fault.Draft? = nil
    ) async throws -> CallResponse {
        let app = run.app
        let network = app.network
        let captured = run.captured
        let request = try call.makeRequest(
            base: context.baseURL, variables: context.variables(of: run),
            timeout: .seconds(network.timeout))
        func token(_ name: String) -> String? {
            (captured[name] ?? context.transient.capturedValues[name])?.scalarText
                ?? context.persisted.item(holding: name, in: app)?.value
        }
        var exchangeContext = ExchangeContext(
            workspace: run.instance.workspace, app: run.instance.app, device: run.instance.device,
            backend: context.backend, call: name, cause: cause, causeEvent: run.causeEvent,
            causeExchange: after, attempt: attempt, passwords: run.passwords,
            tokens: context.secrets + app.tokens(in: captured),
            extractTokens: { call.tokens(in: $0, of: app) }, fault: fault)
        exchangeContext.baseURL = context.baseURL
        exchangeContext.accessToken = token(App.accessTokenName)
        if name == app.session.refreshCall {
            exchangeContext.refreshToken = token(App.refreshTokenName)
        }
        var retries = 0
        while true {
            let sent = await recorder.send(request, as: exchangeContext)
            run.record(sent)
            if sent.result.isLost { run.lostCalls.insert(name) }
            guard retries < call.retries ?? network.retries, network.shouldRetry(sent) else {
                var interpretation: Call.Interpretation?
                if case .responded(let response) = sent.result.outcome {
                    var circumstances: Set<Call.Failure.Circumstance> = []
                    if cause == .retry, after != nil { circumstances.insert(.refresh) }
                    if run.lostCalls.contains(name) { circumstances.insert(.loss) }
                    interpretation = call.applying(circumstances, context.variables(of: run))
                        .interpret(response)
                }
                return CallResponse(
                    sent: sent, attempt: exchangeContext.attempt, interpretation: interpretation)
            }
            // Between 0.75 and 1.25, so that many clients do not retry at the same time.
            let jitter = 0.75 + Double(world.randomBytes(1).first ?? 128) / 510
            let pause = network.backoff * Double(1 << min(retries, 10)) * jitter
            let isSkipped = workspacesSkippingRetryDelays.withLock {
                $0.contains(run.instance.workspace)
            }
            if !isSkipped { try? await world.sleep(.seconds(pause)) }
            try stateStore.requireRunning(run.instance, launchID: run.launchID)
            retries += 1
            exchangeContext.attempt += 1
            exchangeContext.cause = cause == .refresh ? .refresh : .retry
            exchangeContext.causeEvent = sent.eventID
            exchangeContext.causeExchange = sent.id
        }
    }
}

extension ExchangeResult {
    /// Whether the backend may have handled the request although there is no response.
    fileprivate var isLost: Bool {
        switch outcome {
        // A gateway had no response either.
        case .responded(let response): [502, 504].contains(response.status)
        case .failed(let failure):
            [.timeout, .connection, .invalidResponse].contains(failure.kind)
        }
    }
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
        return app.tokens(in: captured)
    }
}

extension App {
    /// The texts of the values that are tokens.
    func tokens(in values: [String: JSON]) -> [String] {
        values.filter { isToken($0.key) }.compactMap(\.value.scalarText)
    }
}
