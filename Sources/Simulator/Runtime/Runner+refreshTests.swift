import Apps
import Traffic
import Web

/// Refreshes on purpose, outside the single flight, that nobody's rules
/// follow: no retry of a refused call, no lost session.
extension Runner {
    /// What came of showing a refresh token.
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

    /// Sends the app's refresh call with `token` and reads the answer.
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
        if let words = context.missingSettingMessage(for: call) {
            throw Problem.callUnavailable(words)
        }
        run.captured[App.refreshTokenName] = .string(token)
        let (sent, _) = try await sendWithRetries(
            name, call, context, &run, initiator, after: nil, attempt: 1, fault: fault)
        var presented = RefreshAttempt(
            run: run, status: nil, outcome: .noResponse("No answer came."))
        switch sent.result.outcome {
        case .failed(let failure): presented.outcome = .noResponse(failure.detail)
        case .responded(let response):
            presented.status = response.status
            switch call.interpret(response) {
            case .success(let captured): presented.outcome = .accepted(captured)
            case .invalid(let detail): presented.outcome = .noResponse(detail)
            case .failure(_, let message, let status):
                presented.outcome = .rejected(message ?? "status \(status)")
            }
        }
        return presented
    }

    /// Both requests leave before either is answered; what comes back first
    /// stands first.
    func sendConcurrentRefreshes(_ token: String, _ run: ActionRun) async throws -> [RefreshAttempt]
    {
        try await withThrowingTaskGroup(of: RefreshAttempt.self) { group in
            for _ in 0..<2 {
                group.addTask { try await self.sendRefresh(token, run, initiator: .manual) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Asks the backend with `token` whether it takes it; nothing of the
    /// device changes, whatever it says.
    func probe(_ token: String, masked: String, _ run: ActionRun) async throws
        -> SessionObservation?
    {
        var run = run
        let context = try await context(run.instance, run.app)
        guard let name = run.app.probeCall(for: context.backend),
            let call = run.app.call(name, backend: context.backend)
        else { return nil }
        if let words = context.missingSettingMessage(for: call) {
            throw Problem.callUnavailable(words)
        }
        run.captured[App.accessTokenName] = .string(token)
        let (sent, _) = try await sendWithRetries(
            name, call, context, &run, .probe, after: nil, attempt: 1)
        var reading: Call.Interpretation?
        if case .responded(let response) = sent.result.outcome {
            reading = call.interpret(response)
        }
        return makeObservation(
            reading, name, sent, masked: masked, isProbe: true, instance: run.instance, app: run.app
        )
    }
}

extension Problem {
    static func refreshUnsupported(_ app: App) -> Problem {
        Problem(
            status: 409, code: "no-refresh", title: "\(app.name) has nothing to refresh with",
            detail: "Its manifest names no refresh call for this backend.")
    }

    static func callUnavailable(_ words: String) -> Problem {
        Problem(status: 409, code: "cannot-ask", title: "The call cannot be made", detail: words)
    }
}
