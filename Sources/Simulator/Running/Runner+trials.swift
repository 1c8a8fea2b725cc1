import Apps
import Traffic
import Web

/// Refreshes on purpose, outside the single flight, that nobody's rules
/// follow: no retry of a refused call, no lost session.
extension Runner {
    /// What came of showing a refresh token.
    struct Presented: Sendable {
        var run: Run
        var status: Int?
        var end: End

        enum End: Sendable {
            case taken([String: JSON])
            case refused(String)
            case unanswered(String)
        }

        var exchange: String { run.exchange ?? "" }
    }

    /// Sends the app's refresh call with `token` and reads the answer.
    func present(
        _ token: String, _ run: Run, why: ExchangeContext.Cause, condition: Condition.Draft? = nil
    ) async throws -> Presented {
        var run = run
        let facts = try await facts(run.place, run.app)
        guard let name = run.app.session.refresh,
            let call = run.app.call(name, backend: facts.backend),
            !run.app.lacks(name, backend: facts.backend)
        else { throw Problem.noRefresh(run.app) }
        if let words = facts.missing(for: call) { throw Problem.cannotAsk(words) }
        run.captured[App.refreshToken] = .string(token)
        let (sent, _) = try await deliver(
            name, call, facts, &run, why, after: nil, attempt: 1, condition: condition)
        var presented = Presented(run: run, status: nil, end: .unanswered("No answer came."))
        switch sent.delivery.outcome {
        case .failed(let failure): presented.end = .unanswered(failure.detail)
        case .answered(let answer):
            presented.status = answer.status
            switch call.read(answer) {
            case .success(let captured): presented.end = .taken(captured)
            case .invalid(let detail): presented.end = .unanswered(detail)
            case .failure(_, let message, let status):
                presented.end = .refused(message ?? "status \(status)")
            }
        }
        return presented
    }

    /// Both requests leave before either is answered; what comes back first
    /// stands first.
    func presentTwice(_ token: String, _ run: Run) async throws -> [Presented] {
        try await withThrowingTaskGroup(of: Presented.self) { group in
            for _ in 0..<2 { group.addTask { try await self.present(token, run, why: .hand) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Asks the backend with `token` whether it takes it; nothing of the
    /// device changes, whatever it says.
    func probe(_ token: String, masked: String, _ run: Run) async throws -> Answered? {
        var run = run
        let facts = try await facts(run.place, run.app)
        guard let name = run.app.probe(of: facts.backend),
            let call = run.app.call(name, backend: facts.backend)
        else { return nil }
        if let words = facts.missing(for: call) { throw Problem.cannotAsk(words) }
        run.captured[App.accessToken] = .string(token)
        let (sent, _) = try await deliver(name, call, facts, &run, .probe, after: nil, attempt: 1)
        var reading: Call.Reading?
        if case .answered(let answer) = sent.delivery.outcome { reading = call.read(answer) }
        return answered(
            reading, name, sent, masked: masked, isProbe: true, place: run.place, app: run.app)
    }
}

extension Problem {
    static func noRefresh(_ app: App) -> Problem {
        Problem(
            status: 409, code: "no-refresh", title: "\(app.name) has nothing to refresh with",
            detail: "Its manifest names no refresh call for this backend.")
    }

    static func cannotAsk(_ words: String) -> Problem {
        Problem(status: 409, code: "cannot-ask", title: "The call cannot be made", detail: words)
    }
}
