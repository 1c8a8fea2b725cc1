import Apps
import Traffic
import Web

/// Deliberate refreshes outside the single flight, without the app's rules: no retry of a rejected
/// call, no session expiry.
extension Runner {
    /// The result of sending a refresh token.
    struct RefreshAttempt: Sendable {
        var run: ActionRun
        var status: Int?
        var outcome: Outcome

        enum Outcome: Sendable {
            case accepted([String: JSON])
            case rejected(String)
            case noResponse(String)
        }

        var exchange: String { run.lastExchange ?? "" }
    }

    /// Sends the app's refresh call with `token` and interprets the response.
    func sendRefresh(
        _ token: String, _ run: ActionRun, initiator: ExchangeContext.Cause,
        fault: Fault.Draft? = nil
    ) async throws -> RefreshAttempt {
        var run = run
        let context = try await context(run.instance, run.app)
        guard let name = run.app.session.refreshCall,
            let call = run.app.call(name, backend: context.backend),
            !run.app.isCallMissing(name, backend: context.backend)
        else { throw Problem.refreshUnsupported(run.app) }
        let (sent, interpretation) = try await send(
            name, call, context, with: token, as: App.refreshTokenName, &run, initiator,
            fault: fault)
        var attempt = RefreshAttempt(run: run, status: nil, outcome: .noResponse("No response."))
        switch sent.result.outcome {
        case .failed(let failure): attempt.outcome = .noResponse(failure.detail)
        case .responded(let response): attempt.status = response.status
        }
        switch interpretation {
        case .success(let captured): attempt.outcome = .accepted(captured)
        case .invalid(let detail): attempt.outcome = .noResponse(detail)
        case .failure(_, let message, let status):
            attempt.outcome = .rejected(message ?? "status \(status)")
        case nil: break
        }
        return attempt
    }

    /// Sends both requests before either response; the results are in order of completion.
    func sendConcurrentRefreshes(_ token: String, _ run: ActionRun) async throws -> [RefreshAttempt]
    {
        try await withThrowingTaskGroup(of: RefreshAttempt.self) { group in
            for _ in 0..<2 {
                group.addTask { try await self.sendRefresh(token, run, initiator: .manual) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Checks at the backend whether it accepts `token`. The device's state does not change.
    func probe(_ token: String, masked: String, _ run: ActionRun) async throws
        -> SessionObservation?
    {
        var run = run
        let context = try await context(run.instance, run.app)
        guard let name = run.app.probeCall(for: context.backend),
            let call = run.app.call(name, backend: context.backend)
        else { return nil }
        let (sent, interpretation) = try await send(
            name, call, context, with: token, as: App.accessTokenName, &run, .probe)
        return makeObservation(
            interpretation, name, sent, masked: masked, isProbe: true, instance: run.instance,
            app: run.app)
    }

    /// Sends one of the app's calls with `token` as the value `tokenName`. Without a response, the
    /// interpretation is nil.
    private func send(
        _ name: String, _ call: Call, _ context: ActionContext, with token: String,
        as tokenName: String, _ run: inout ActionRun, _ initiator: ExchangeContext.Cause,
        fault: Fault.Draft? = nil
    ) async throws -> (Recorder.RecordedExchange, Call.Interpretation?) {
        if let message = context.missingSettingMessage(for: call) {
            throw Problem(
                status: 409, code: "request-impossible", title: "The request cannot be sent",
                detail: message)
        }
        run.captured[tokenName] = .string(token)
        let (sent, _) = try await sendWithRetries(
            name, call, context, &run, initiator, after: nil, attempt: 1, fault: fault)
        guard case .responded(let response) = sent.result.outcome else { return (sent, nil) }
        return (sent, call.interpret(response))
    }
}

extension Problem {
    static func refreshUnsupported(_ app: App) -> Problem {
        Problem(
            status: 409, code: "no-refresh", title: "\(app.name) has no refresh call",
            detail: "Its manifest declares none for this backend.")
    }
}
