import Surroundings
import Web

/// What goes wrong on purpose with bodies that flow: they cannot be taken
/// back, so it is the network's conditions alone.
extension TroubledTransport {
    /// What strikes a request that passes through.
    struct Met: Sendable {
        var blows: [Blow] = []
        var stamps: [String] = []
        var waited = Duration.zero
        /// What it ended with before it left; nil if it goes on.
        var ended: Delivery?
        /// What befalls its answer once the backend has worked.
        var after: [Blow] = []
        /// As it left, if that is not as it came.
        var request: OutboundRequest?
        /// Tokens put in the place of others.
        var forged: [String] = []

        /// What the exchange is stamped with.
        var stamp: String? { stamps.isEmpty ? nil : stamps.joined(separator: "; ") }
    }

    /// Takes what strikes, and lets happen what happens before anything is
    /// sent.
    func meet(_ request: OutboundRequest, as context: ExchangeContext, exchange: String) async
        -> Met?
    {
        let kinds = conditions.kinds(about: context).filter { $0.side == .wire }
        guard !kinds.isEmpty,
            let strike = await strike(request, of: kinds, as: context, exchange: exchange)
        else { return nil }
        var met = Met(blows: strike.blows)
        met.stamps = (strike.before + [strike.ending].compactMap(\.self)).map(stamp)
        met.after = strike.after
        for blow in strike.before {
            met.waited += await pause(blow, of: request, after: met.waited)
        }
        if met.waited >= request.timeout {
            met.ended = .lost(.slowness, after: met.waited)
        } else if let ending = strike.ending {
            var answer = await end(ending, request, after: met.waited)
            answer.mark(met.stamp ?? "", by: met.blows)
            met.ended = answer
        }
        return met
    }

    /// Lets happen to an answer what befalls it: its head is there, so the
    /// backend has done its work; a body that is lost is not waited for.
    func befall(_ met: inout Met, _ opened: Opened, _ request: OutboundRequest) async -> Opened {
        var delivery = opened.delivery
        var rest = opened.rest
        for blow in met.after {
            let answered = delivery.outcome.words
            delivery = await befall(blow, delivery, request)
            let isLate = blow.condition.kind == .slow
            met.stamps.append(blow.condition.stamp(blow.number, answered: isLate ? nil : answered))
            if case .answered = delivery.outcome, isLate { continue }
            rest?.body.cancel()
            rest = nil
        }
        delivery.mark(met.stamp ?? "", by: met.blows)
        return Opened(delivery, rest: rest)
    }
}
