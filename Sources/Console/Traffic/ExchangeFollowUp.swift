import Apps
import Core
import FoundationEssentials
import Traffic

/// What came of an exchange: the ones it caused, and what the user saw.
struct ExchangeFollowUp {
    let services: Services
    let exchange: Exchange
    /// Those that hang together with it, itself included, oldest first.
    let relatedExchanges: [Exchange]

    func steps() -> [ExchangeModel.Step] {
        let following = relatedExchanges.filter { $0.sequence > exchange.sequence }
        var steps = [step(exchange, isThis: true)]
        steps += following.map { step($0, isThis: false) }
        if let end = outcomeStep(following) { steps.append(end) }
        return steps
    }

    private func step(_ one: Exchange, isThis: Bool) -> ExchangeModel.Step {
        let tone = ExchangeRowModel.tone(one.status)
        return ExchangeModel.Step(
            kind: isThis ? (tone == "bad" ? "bad" : "this") : "call",
            stepTitle: one.method + " " + ExchangeRowModel.path(one, base: base(one)), isCall: true,
            stepURL: isThis ? nil : Links.exchange(one.id),
            status: one.status.map(String.init) ?? "no answer", statusTone: tone,
            stepNote: isThis ? "this exchange" : note(one))
    }

    private func note(_ one: Exchange) -> String {
        let later = one.startedAt.timeIntervalSince(exchange.startedAt)
        var parts = [
            ExchangeRowModel.causeChip(one.cause).text,
            Format.milliseconds(max(0, later) * 1_000) + " later",
        ]
        if one.attempt > 1 { parts.append("attempt \(one.attempt)") }
        return parts.joined(separator: ", ")
    }

    private func base(_ one: Exchange) -> String? {
        services.baseURL(ofBackend: one.backend, app: one.app, workspace: one.workspace)
    }

    // MARK: The end

    /// What the user saw in the end; nil if that is not known any more, or
    /// another call went first.
    private func outcomeStep(_ following: [Exchange]) -> ExchangeModel.Step? {
        let events = services.hub.events(in: exchange.workspace)
        let last = following.last ?? exchange
        guard let ended = events.last(where: { $0.kind == .exchangeEnded && $0.subject == last.id })
        else { return nil }
        let calls = Set([exchange.id] + following.map(\.id))
        // A failure names its exchange, which need not be the one that ended
        // last: a refresh that failed is told of as the call's it was for.
        let seen = events.filter {
            $0.cause == ended.id
                || $0.kind == .actionFailed && $0.subject.map(calls.contains) == true
        }
        let screen = seen.last { $0.kind == .screenShown }
        let failed = seen.last { $0.kind == .actionFailed }
        guard let shown = failed ?? screen else { return nil }
        let isLost = seen.contains { $0.kind == .sessionEnded && $0.details["state"] == "revoked" }
        let took = shown.at.timeIntervalSince(exchange.startedAt)
        var parts: [String] = []
        if let failed, screen != nil {
            parts.append("the user was told “\(failed.title)”")
        } else if isLost {
            parts.append("the session was lost")
        } else if failed == nil, isFixed(by: last) {
            parts.append("the user saw nothing")
        }
        parts.append(Format.milliseconds(max(0, took) * 1_000) + " in all")
        return ExchangeModel.Step(
            kind: failed != nil || isLost ? "bad" : "end",
            stepTitle: screen.map { "\($0.subject ?? "screen") shown" } ?? shown.title,
            isCall: false,
            stepURL: nil, status: "", statusTone: "", stepNote: parts.joined(separator: ", "))
    }

    /// Whether something went wrong here that `last` made good, so that
    /// there was nothing to see of it.
    private func isFixed(by last: Exchange) -> Bool {
        !isSuccessful(exchange) && last.id != exchange.id && isSuccessful(last)
    }

    private func isSuccessful(_ one: Exchange) -> Bool { one.status.map { $0 < 400 } ?? false }
}
