import Core
import Web

/// The way out with what goes wrong on purpose: the one place where
/// conditions strike.
struct FaultInjectingTransport: Sendable {
    let transport: Transport
    let faults: FaultStore
    let tokenForger: TokenForger
    let world: World

    /// What an exchange came to, and what befell it.
    struct FaultedExchange: Sendable {
        /// As it left, or would have left.
        var request: OutboundRequest
        var result: ExchangeResult
        var appliedFaults: [AppliedFault] = []
        /// What the exchange is stamped with.
        var faultLabel: String?
        /// Tokens put in the place of others.
        var forgedTokens: [String] = []
    }

    /// The header a request to the embedded backend carries while something
    /// could befall it there. It is no part of what the device sent, and is
    /// not recorded.
    static let ticketHeader = "Foyer-Ticket"

    func send(_ request: OutboundRequest, as exchangeContext: ExchangeContext, exchange: String)
        async
        -> FaultedExchange
    {
        var kinds = faults.possibleKinds(for: exchangeContext)
        guard !kinds.isEmpty else { return await sendUnmodified(request) }
        let address = tokenForger.target(of: request.url)
        let forgery = TokenTampering(request, exchangeContext, address, tokenForger, world.log)
        kinds = kinds.filter { kind in
            switch kind.layer {
            case .network: true
            case .token: forgery.canApply(kind)
            case .backend: address != nil
            }
        }
        guard
            let strike = await makePlan(request, of: kinds, as: exchangeContext, exchange: exchange)
        else {
            return await sendUnmodified(request)
        }
        return await execute(request, strike, forgery)
    }

    /// What of `kinds` strikes, used and kept; nil if nothing does.
    func makePlan(
        _ request: OutboundRequest, of kinds: Set<Fault.Kind>, as exchangeContext: ExchangeContext,
        exchange: String
    ) async -> FaultPlan? {
        let strike = faults.makePlan(
            exchangeContext,
            affecting: Fault.AffectedExchange(
                exchangeID: exchange, call: Self.methodAndPath(request), at: world.now()),
            kinds: kinds, timeout: request.timeout)
        guard !strike.isEmpty else { return nil }
        await faults.saveCounts(strike.appliedFaults)
        return strike
    }

    private func sendUnmodified(_ request: OutboundRequest) async -> FaultedExchange {
        FaultedExchange(request: request, result: await transport.send(request))
    }

    private func execute(
        _ original: OutboundRequest, _ strike: FaultPlan, _ forgery: TokenTampering
    ) async
        -> FaultedExchange
    {
        var request = original
        var carried = FaultedExchange(
            request: request, result: ExchangeResult(outcome: .failed(.cancelled)),
            appliedFaults: strike.appliedFaults)
        var waited = Duration.zero
        for applied in strike.before {
            if applied.fault.kind == .slow {
                waited += await pause(applied, of: request, after: waited)
            } else if let token = await forgery.apply(applied.fault.kind, &request) {
                carried.forgedTokens.append(token)
            }
        }
        carried.request = request
        var stamps = strike.before.map { $0.fault.label(ordinal: $0.ordinal) }
        if waited >= request.timeout {
            carried.result = .failed(.tooSlow, after: waited)
        } else if let ending = strike.terminal {
            stamps.append(label(ending))
            carried.result = await terminate(ending, request, after: waited)
        } else {
            var leaving = request
            leaving.timeout -= waited
            leaving.headers[Self.ticketHeader] = strike.ticket
            var result = await transport.send(leaving)
            result.sentHeaders[Self.ticketHeader] = nil
            result.timings.total += waited.milliseconds
            if let ticket = strike.ticket {
                let blows = faults.closeTicket(ticket)
                await faults.saveCounts(blows)
                carried.appliedFaults += blows
                stamps += blows.map(label)
            }
            for applied in strike.after {
                let answered = result.outcome.summary
                result = await applyAfter(applied, result, request)
                stamps.append(
                    applied.fault.label(
                        ordinal: applied.ordinal,
                        originalOutcome: applied.fault.kind == .slow ? nil : answered))
            }
            carried.result = result
        }
        let stamp = stamps.joined(separator: "; ")
        carried.faultLabel = stamp.isEmpty ? nil : stamp
        if let stamp = carried.faultLabel {
            carried.result.addFaultHeader(stamp, for: carried.appliedFaults)
        }
        return carried
    }

    func label(_ applied: AppliedFault) -> String { applied.fault.label(ordinal: applied.ordinal) }

    // MARK: Before

    /// Waits as long as the condition says and the call has left.
    func pause(_ applied: AppliedFault, of request: OutboundRequest, after waited: Duration) async
        -> Duration
    {
        let pause = min(applied.fault.draft.delayDuration, request.timeout - waited)
        guard pause > .zero else { return .zero }
        try? await world.sleep(pause)
        return pause
    }

    func terminate(_ applied: AppliedFault, _ request: OutboundRequest, after waited: Duration)
        async -> ExchangeResult
    {
        let draft = applied.fault.draft
        switch draft.kind {
        case .timeout:
            let pause = Self.timeoutDelay(draft, request.timeout - waited)
            try? await world.sleep(pause)
            return .failed(.timeout, after: waited + pause)
        case .status, .rateLimited:
            return ExchangeResult(
                outcome: .responded(draft.response), timings: Timings(total: waited.milliseconds))
        case .reset: return .failed(.connectionReset, after: waited)
        default: return .failed(.offline, after: waited)
        }
    }

    /// How long a call waits for an answer that never comes: its own
    /// time-out, or less if the condition says so.
    private static func timeoutDelay(_ draft: Fault.Draft, _ timeout: Duration) -> Duration {
        max(.zero, min(timeout, draft.delay.map { .seconds($0) } ?? timeout))
    }

    // MARK: After

    /// The backend has done its work; its answer is late, lost or replaced.
    func applyAfter(_ applied: AppliedFault, _ result: ExchangeResult, _ request: OutboundRequest)
        async -> ExchangeResult
    {
        let draft = applied.fault.draft
        var result = result
        let elapsed = Duration.milliseconds(result.timings.total)
        switch draft.kind {
        case .slow:
            let pause = await pause(applied, of: request, after: elapsed)
            result.timings.total += pause.milliseconds
            if elapsed + pause >= request.timeout { result.outcome = .failed(.tooSlow) }
        case .timeout:
            let pause = Self.timeoutDelay(draft, request.timeout - elapsed)
            try? await world.sleep(pause)
            result.timings.total += pause.milliseconds
            result.outcome = .failed(.timeout)
        case .status, .rateLimited: result.outcome = .responded(draft.response)
        case .reset: result.outcome = .failed(.connectionReset)
        default: result.outcome = .failed(.connectionLost)
        }
        return result
    }

    /// `POST /auth/login`: a query may hold a secret.
    static func methodAndPath(_ request: OutboundRequest) -> String {
        let path = URLParts(request.url).path
        return "\(request.method.rawValue) \(path.isEmpty ? "/" : path)"
    }
}
