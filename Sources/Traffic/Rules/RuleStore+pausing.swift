import Core
import Synchronization
package import Web

/// Pausing exchanges, and the decisions about them.
extension RuleStore {
    /// The exchanges that wait for a decision, oldest first.
    package func paused(in workspace: String) -> [PausedExchange] {
        state.withLock { $0.pauses.list(in: workspace) }
    }

    /// Waits for the user's decision, for the rule's time-out or for the client to disconnect. Holds
    /// neither a thread nor a lock.
    func pause(_ exchange: PausedExchange, _ context: ExchangeContext) async -> PauseDecision {
        let rule = exchange.rule
        let isAdmitted = state.withLock { state in
            // It may have been turned off since it matched.
            let isOn = state.rules[rule.workspace]?.contains { $0.id == rule.id && $0.draft.isOn }
            return isOn == true ? state.pauses.admit(exchange) : nil
        }
        guard let isAdmitted else { return .released }
        guard isAdmitted else { return .notPaused }
        let event = publish(
            .exchangePaused, exchange, context, "is paused", cause: context.causeEvent)
        waiters.notify(of: exchange)
        let timer = Task { [world] in
            do { try await world.sleep(.seconds(rule.draft.timeout)) } catch { return }
            decide(exchange, .timedOut)
        }
        let decision = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let decision = state.withLock { $0.pauses.wait(for: exchange.key, waiter) }
                if let decision { waiter.resume(returning: decision) }
            }
        } onCancel: {
            decide(exchange, .disconnected)
        }
        timer.cancel()
        publish(
            .exchangeContinued, exchange, context, decision.outcome.phrase, cause: event,
            ["outcome": decision.outcome.rawValue])
        return decision
    }

    private func decide(_ exchange: PausedExchange, _ decision: PauseDecision) {
        let resolution = state.withLock {
            $0.pauses.decide(exchange.id, exchange.phase, in: exchange.workspace, decision)
        }
        if case .decided(_, let waiter) = resolution { waiter?.resume(returning: decision) }
    }

    /// Lets the exchange continue with `edit`, or unchanged. Throws a 409 if it already continued.
    package func resume(
        _ id: String, _ phase: PausedExchange.Phase? = nil, in workspace: String,
        with edit: PausedExchange.Edit = .init()
    ) throws(Problem) {
        let current = paused(in: workspace).first { $0.id == id && $0.phase == phase ?? $0.phase }
        let decision = try current?.decision(edit) ?? .continued
        try decide(id, current?.phase ?? phase, in: workspace, decision)
    }

    /// Fails the exchange. Throws a 409 if it already continued.
    package func abort(_ id: String, _ phase: PausedExchange.Phase? = nil, in workspace: String)
        throws(Problem)
    { try decide(id, phase, in: workspace, .aborted) }

    /// Lets all paused exchanges of a workspace continue unchanged, or fails them.
    package func decideAll(aborts: Bool, in workspace: String) {
        let decision: PauseDecision = aborts ? .aborted : .continued
        let decided = state.withLock { state in
            state.pauses.list(in: workspace).compactMap { exchange in
                let result = state.pauses.decide(
                    exchange.id, exchange.phase, in: workspace, decision)
                return if case .decided(_, let waiter) = result { waiter } else { nil }
            }
        }
        for waiter in decided { waiter.resume(returning: decision) }
    }

    private func decide(
        _ id: String, _ phase: PausedExchange.Phase?, in workspace: String,
        _ decision: PauseDecision
    ) throws(Problem) {
        switch state.withLock({ $0.pauses.decide(id, phase, in: workspace, decision) }) {
        case .decided(_, let waiter): waiter?.resume(returning: decision)
        case .alreadyDecided(let outcome): throw .alreadyContinued(outcome)
        case .unknown: throw .notPaused(id)
        }
    }

    /// Waits for a paused exchange that `isWanted` selects; nil at the time-out. One that is paused
    /// already is returned at once.
    package func waitForPaused(
        in workspace: String, timeout: Duration,
        where isWanted: @escaping @Sendable (PausedExchange) -> Bool = { _ in true }
    ) async throws -> PausedExchange? {
        // Subscribe before reading, so that none is missed in between.
        let incoming = waiters.values { $0.workspace == workspace && isWanted($0) }
        if let paused = paused(in: workspace).first(where: isWanted) { return paused }
        return try await world.first(of: incoming, within: timeout)
    }

    @discardableResult private func publish(
        _ kind: Event.Kind, _ exchange: PausedExchange, _ context: ExchangeContext,
        _ phrase: String, cause: Int64?, _ details: [String: String] = [:]
    ) -> Int64 {
        let subject = exchange.phase == .request ? "" : "The response of "
        return hub.publish(
            Event(
                workspace: exchange.workspace, kind: kind, app: exchange.app,
                device: exchange.device, cause: cause, subject: exchange.id,
                title: "\(subject)\(exchange.methodAndPath) \(phrase)",
                details: details.merging([
                    "rule": exchange.rule.id, "phase": exchange.phase.rawValue,
                    "call": exchange.call,
                ]) { first, _ in first })
        ).id
    }
}

extension AppliedRule.Outcome {
    /// How a paused exchange ended, as a predicate.
    package var phrase: String {
        switch self {
        case .continued: "continued unchanged"
        case .edited: "continued with edits"
        case .aborted: "was aborted"
        case .timedOut: "continued after the time-out"
        case .released: "continued: its rule was turned off"
        case .disconnected: "ended: the client disconnected"
        case .notPaused: "was not paused"
        case .responded: "was answered by a rule"
        }
    }
}

extension Problem {
    fileprivate static func alreadyContinued(_ outcome: AppliedRule.Outcome) -> Problem {
        Problem(
            status: 409, code: "already-continued", title: "Already continued",
            detail: "This request \(outcome.phrase) before. Nothing was changed.")
    }

    fileprivate static func notPaused(_ id: String) -> Problem {
        .unknown(
            "paused request", "No paused request has the id \(id.prefix(40)).",
            apiHint: "GET /api/intercepted lists them.")
    }
}
