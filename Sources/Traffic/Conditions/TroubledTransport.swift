import Surroundings
import Web

/// The way out with what goes wrong on purpose: the one place where
/// conditions strike.
struct TroubledTransport: Sendable {
    let transport: Transport
    let conditions: Conditions
    let accomplice: Accomplice
    let world: World

    /// What an exchange came to, and what befell it.
    struct Carried: Sendable {
        /// As it left, or would have left.
        var request: OutboundRequest
        var delivery: Delivery
        var blows: [Blow] = []
        /// What the exchange is stamped with.
        var stamp: String?
        /// Tokens put in the place of others.
        var forged: [String] = []
    }

    /// The header a request to the embedded backend carries while something
    /// could befall it there. It is no part of what the device sent, and is
    /// not recorded.
    static let ticketHeader = "Foyer-Ticket"

    func send(_ request: OutboundRequest, as context: ExchangeContext, exchange: String) async
        -> Carried
    {
        var kinds = conditions.kinds(about: context)
        guard !kinds.isEmpty else { return await plain(request) }
        let address = accomplice.address(of: request.url)
        let forgery = Forgery(request, context, address, accomplice, world.log)
        kinds = kinds.filter { kind in
            switch kind.side {
            case .wire: true
            case .token: forgery.isPossible(kind)
            case .backend: address != nil
            }
        }
        guard let strike = await strike(request, of: kinds, as: context, exchange: exchange) else {
            return await plain(request)
        }
        return await carry(request, strike, forgery)
    }

    /// What of `kinds` strikes, used and kept; nil if nothing does.
    func strike(
        _ request: OutboundRequest, of kinds: Set<Condition.Kind>, as context: ExchangeContext,
        exchange: String
    ) async -> Strike? {
        let strike = conditions.strike(
            context,
            use: Condition.Use(exchange: exchange, call: Self.words(request), at: world.now()),
            kinds: kinds, timeout: request.timeout)
        guard !strike.isNothing else { return nil }
        await conditions.keep(strike.blows)
        return strike
    }

    private func plain(_ request: OutboundRequest) async -> Carried {
        Carried(request: request, delivery: await transport.send(request))
    }

    private func carry(_ original: OutboundRequest, _ strike: Strike, _ forgery: Forgery) async
        -> Carried
    {
        var request = original
        var carried = Carried(
            request: request, delivery: Delivery(outcome: .failed(.cancelled)), blows: strike.blows)
        var waited = Duration.zero
        for blow in strike.before {
            if blow.condition.kind == .slow {
                waited += await pause(blow, of: request, after: waited)
            } else if let token = await forgery.strike(blow.condition.kind, &request) {
                carried.forged.append(token)
            }
        }
        carried.request = request
        var stamps = strike.before.map { $0.condition.stamp($0.number) }
        if waited >= request.timeout {
            carried.delivery = .lost(.slowness, after: waited)
        } else if let ending = strike.ending {
            stamps.append(stamp(ending))
            carried.delivery = await end(ending, request, after: waited)
        } else {
            var leaving = request
            leaving.timeout -= waited
            leaving.headers[Self.ticketHeader] = strike.ticket
            var delivery = await transport.send(leaving)
            delivery.sentHeaders[Self.ticketHeader] = nil
            delivery.timings.total += waited.milliseconds
            if let ticket = strike.ticket {
                let blows = conditions.close(ticket: ticket)
                await conditions.keep(blows)
                carried.blows += blows
                stamps += blows.map(stamp)
            }
            for blow in strike.after {
                let answered = delivery.outcome.words
                delivery = await befall(blow, delivery, request)
                stamps.append(
                    blow.condition.stamp(
                        blow.number, answered: blow.condition.kind == .slow ? nil : answered))
            }
            carried.delivery = delivery
        }
        let stamp = stamps.joined(separator: "; ")
        carried.stamp = stamp.isEmpty ? nil : stamp
        if let stamp = carried.stamp { carried.delivery.mark(stamp, by: carried.blows) }
        return carried
    }

    func stamp(_ blow: Blow) -> String { blow.condition.stamp(blow.number) }

    // MARK: Before

    /// Waits as long as the condition says and the call has left.
    func pause(_ blow: Blow, of request: OutboundRequest, after waited: Duration) async -> Duration
    {
        let pause = min(blow.condition.draft.wait, request.timeout - waited)
        guard pause > .zero else { return .zero }
        try? await world.sleep(pause)
        return pause
    }

    func end(_ blow: Blow, _ request: OutboundRequest, after waited: Duration) async -> Delivery {
        let draft = blow.condition.draft
        switch draft.kind {
        case .timeout:
            let pause = Self.patience(draft, request.timeout - waited)
            try? await world.sleep(pause)
            return .lost(.timeout, after: waited + pause)
        case .status, .rateLimited:
            return Delivery(
                outcome: .answered(draft.answer), timings: Timings(total: waited.milliseconds))
        case .reset: return .lost(.reset, after: waited)
        default: return .lost(.offline, after: waited)
        }
    }

    /// How long a call waits for an answer that never comes: its own
    /// time-out, or less if the condition says so.
    private static func patience(_ draft: Condition.Draft, _ timeout: Duration) -> Duration {
        max(.zero, min(timeout, draft.delay.map { .seconds($0) } ?? timeout))
    }

    // MARK: After

    /// The backend has done its work; its answer is late, lost or replaced.
    func befall(_ blow: Blow, _ delivery: Delivery, _ request: OutboundRequest) async -> Delivery {
        let draft = blow.condition.draft
        var delivery = delivery
        let elapsed = Duration.milliseconds(delivery.timings.total)
        switch draft.kind {
        case .slow:
            let pause = await pause(blow, of: request, after: elapsed)
            delivery.timings.total += pause.milliseconds
            if elapsed + pause >= request.timeout { delivery.outcome = .failed(.slowness) }
        case .timeout:
            let pause = Self.patience(draft, request.timeout - elapsed)
            try? await world.sleep(pause)
            delivery.timings.total += pause.milliseconds
            delivery.outcome = .failed(.timeout)
        case .status, .rateLimited: delivery.outcome = .answered(draft.answer)
        case .reset: delivery.outcome = .failed(.reset)
        default: delivery.outcome = .failed(.gone)
        }
        return delivery
    }

    /// `POST /auth/login`: a query may hold a secret.
    static func words(_ request: OutboundRequest) -> String {
        let path = Address(request.url).path
        return "\(request.method.rawValue) \(path.isEmpty ? "/" : path)"
    }
}
