import Apps
import FoundationEssentials
import Surroundings
import Traffic

/// What came of an exchange: the ones it caused, and what the user saw.
struct ExchangeChain {
    let services: Services
    let exchange: Exchange
    /// Those that hang together with it, itself included, oldest first.
    let joined: [Exchange]

    func steps() -> [ExchangeModel.Step] {
        let following = joined.filter { $0.sequence > exchange.sequence }
        var steps = [step(exchange, isThis: true)]
        steps += following.map { step($0, isThis: false) }
        if let end = end(of: following.last ?? exchange) { steps.append(end) }
        return steps
    }

    private func step(_ one: Exchange, isThis: Bool) -> ExchangeModel.Step {
        let tone = ExchangeRowModel.tone(one.status)
        return ExchangeModel.Step(
            kind: isThis ? (tone == "bad" ? "bad" : "this") : "call",
            what: one.method + " " + ExchangeRowModel.path(one, base: base(one)),
            isCall: true, stepURL: isThis ? nil : Links.exchange(one.id),
            status: one.status.map(String.init) ?? "no answer",
            statusTone: tone,
            stepNote: isThis ? "this exchange" : note(one))
    }

    private func note(_ one: Exchange) -> String {
        let later = one.startedAt.timeIntervalSince(exchange.startedAt)
        var parts = [
            ExchangeRowModel.cause(one.cause).text,
            Words.milliseconds(max(0, later) * 1_000) + " later",
        ]
        if one.attempt > 1 { parts.append("attempt \(one.attempt)") }
        return parts.joined(separator: ", ")
    }

    private func base(_ one: Exchange) -> String? {
        services.base(
            ofBackend: one.backend, app: one.app, workspace: one.workspace)
    }

    // MARK: The end

    /// What the user saw because of `last`; nil if that is not known any
    /// more, or another call went first.
    private func end(of last: Exchange) -> ExchangeModel.Step? {
        let events = services.hub.events(in: exchange.workspace)
        guard
            let ended = events.last(where: {
                $0.kind == .exchange && $0.subject == last.id
            }),
            let seen = events.first(where: {
                $0.cause == ended.id
                    && ($0.kind == .screen || $0.kind == .failed)
            })
        else { return nil }
        let took = seen.at.timeIntervalSince(exchange.startedAt)
        let failed = seen.kind == .failed
        let isSilent = !failed && last.id != exchange.id
        return ExchangeModel.Step(
            kind: failed ? "bad" : "end",
            what: failed ? seen.title : "\(seen.subject ?? "screen") shown",
            isCall: false, stepURL: nil, status: "", statusTone: "",
            stepNote: (isSilent ? "the user saw nothing, " : "")
                + Words.milliseconds(max(0, took) * 1_000) + " in all")
    }
}
