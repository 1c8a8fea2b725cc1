import Core
import Web

/// A transport that injects faults. The only place where faults are applied to requests and
/// responses.
struct FaultInjectingTransport: Sendable {
    let transport: Transport
    let faults: FaultStore
    let tokenForger: TokenForger
    let world: World

    /// A finished exchange and the faults that affected it.
    struct FaultedExchange: Sendable {
        /// The request as sent, or as it would have been sent.
        var request: OutboundRequest
        var result: ExchangeResult
        var appliedFaults: [AppliedFault] = []
        /// The fault label recorded with the exchange.
        var faultLabel: String?
        /// Forged tokens that replaced the originals.
        var forgedTokens: [String] = []
    }

    /// The header that carries the fault ticket of a request to the embedded backend while faults
    /// could apply there. The device did not send it, so it is not recorded.
    static let ticketHeader = "X-Foyer-Ticket"

    func send(_ request: OutboundRequest, as exchangeContext: ExchangeContext, exchange: String)
        async
        -> FaultedExchange
    {
        var kinds = faults.possibleKinds(for: exchangeContext)
        guard !kinds.isEmpty else { return await sendUnmodified(request) }
        let target = tokenForger.target(of: request.url)
        let tampering = TokenTampering(request, exchangeContext, target, tokenForger, world.log)
        kinds = kinds.filter { kind in
            switch kind.layer {
            case .network: true
            case .token: tampering.canApply(kind)
            case .backend: target != nil
            }
        }
        guard
            let plan = await makePlan(request, of: kinds, as: exchangeContext, exchange: exchange)
        else {
            return await sendUnmodified(request)
        }
        return await execute(request, plan, tampering)
    }

    /// Plans the faults of `kinds` that apply to the request and stores their counts; nil if none
    /// does.
    func makePlan(
        _ request: OutboundRequest, of kinds: Set<Fault.Kind>, as exchangeContext: ExchangeContext,
        exchange: String
    ) async -> FaultPlan? {
        let plan = faults.makePlan(
            exchangeContext,
            affecting: Fault.AffectedExchange(
                exchangeID: exchange, call: Self.methodAndPath(request), at: world.now()),
            kinds: kinds, timeout: request.timeout)
        guard !plan.isEmpty else { return nil }
        await faults.saveCounts(plan.appliedFaults)
        return plan
    }

    private func sendUnmodified(_ request: OutboundRequest) async -> FaultedExchange {
        FaultedExchange(request: request, result: await transport.send(request))
    }

    private func execute(
        _ original: OutboundRequest, _ plan: FaultPlan, _ tampering: TokenTampering
    ) async
        -> FaultedExchange
    {
        var request = original
        var faulted = FaultedExchange(
            request: request, result: ExchangeResult(outcome: .failed(.cancelled)),
            appliedFaults: plan.appliedFaults)
        var requestDelay = Duration.zero
        for applied in plan.before {
            if applied.fault.kind == .slow {
                requestDelay += await pause(applied, of: request, after: requestDelay)
            } else if let token = await tampering.apply(applied.fault.kind, &request) {
                faulted.forgedTokens.append(token)
            }
        }
        faulted.request = request
        var labels = plan.before.map { $0.fault.label(ordinal: $0.ordinal) }
        if requestDelay >= request.timeout {
            faulted.result = .failed(.tooSlow, after: requestDelay)
        } else if let terminal = plan.terminal {
            labels.append(label(terminal))
            faulted.result = await terminate(terminal, request, after: requestDelay)
        } else {
            var outgoing = request
            outgoing.timeout -= requestDelay
            outgoing.headers[Self.ticketHeader] = plan.ticket
            var result = await transport.send(outgoing)
            result.sentHeaders[Self.ticketHeader] = nil
            result.timings.total += requestDelay.milliseconds
            if let ticket = plan.ticket {
                let backendFaults = faults.closeTicket(ticket)
                await faults.saveCounts(backendFaults)
                faulted.appliedFaults += backendFaults
                labels += backendFaults.map(label)
            }
            for applied in plan.after {
                let originalOutcome = result.outcome.summary
                result = await applyAfter(applied, result, request)
                labels.append(
                    applied.fault.label(
                        ordinal: applied.ordinal,
                        originalOutcome: applied.fault.kind == .slow ? nil : originalOutcome))
            }
            faulted.result = result
        }
        let joinedLabels = labels.joined(separator: "; ")
        faulted.faultLabel = joinedLabels.isEmpty ? nil : joinedLabels
        if let faultLabel = faulted.faultLabel {
            faulted.result.addFaultHeader(faultLabel, for: faulted.appliedFaults)
        }
        return faulted
    }

    func label(_ applied: AppliedFault) -> String { applied.fault.label(ordinal: applied.ordinal) }

    // MARK: Before

    /// Sleeps for the fault's delay, but no longer than the rest of the call's timeout.
    func pause(_ applied: AppliedFault, of request: OutboundRequest, after elapsed: Duration) async
        -> Duration
    {
        let pause = min(applied.fault.draft.delayDuration, request.timeout - elapsed)
        guard pause > .zero else { return .zero }
        try? await world.sleep(pause)
        return pause
    }

    func terminate(_ applied: AppliedFault, _ request: OutboundRequest, after elapsed: Duration)
        async -> ExchangeResult
    {
        let draft = applied.fault.draft
        switch draft.kind {
        case .timeout:
            let pause = Self.timeoutDelay(draft, request.timeout - elapsed)
            try? await world.sleep(pause)
            return .failed(.timeout, after: elapsed + pause)
        case .status, .rateLimited:
            return ExchangeResult(
                outcome: .responded(draft.response), timings: Timings(total: elapsed.milliseconds))
        case .reset: return .failed(.connectionReset, after: elapsed)
        default: return .failed(.offline, after: elapsed)
        }
    }

    /// How long a call waits for a response that never arrives: the call's timeout, or the fault's
    /// delay if shorter.
    private static func timeoutDelay(_ draft: Fault.Draft, _ timeout: Duration) -> Duration {
        max(.zero, min(timeout, draft.delay.map { .seconds($0) } ?? timeout))
    }

    // MARK: After

    /// Applies a fault after the backend has processed the request: delays, drops or replaces the
    /// response.
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

    /// For instance `POST /auth/login`; without the query, which may hold a secret.
    static func methodAndPath(_ request: OutboundRequest) -> String {
        let path = URLParts(request.url).path
        return "\(request.method.rawValue) \(path.isEmpty ? "/" : path)"
    }
}

/// The faults to apply to one exchange, chosen before it begins.
struct FaultPlan: Sendable {
    /// Delays and token replacements, in order; the request is still sent.
    var before: [AppliedFault] = []
    /// Ends the exchange before anything is sent.
    var terminal: AppliedFault?
    /// Applied to the response, after the backend has processed the request.
    var after: [AppliedFault] = []
    /// The id under which the embedded backend queries faults for this exchange; nil if none could
    /// apply there.
    var ticket: String?

    var appliedFaults: [AppliedFault] { before + [terminal].compactMap(\.self) + after }

    var isEmpty: Bool { appliedFaults.isEmpty && ticket == nil }
}

/// One application of a fault, with its ordinal.
struct AppliedFault: Sendable, Equatable {
    /// The fault's state after this application.
    var fault: Fault
    /// The fault's `lastAffected` before this application, to revert to.
    var previousAffected: Fault.AffectedExchange?

    var ordinal: Int { fault.appliedCount }

    /// Whether this application used up the fault.
    var isLast: Bool { fault.remaining == 0 }
}
