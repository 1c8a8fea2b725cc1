import Core
import Web

/// A transport that injects faults. The only place where faults are applied to requests and
/// responses.
struct FaultInjectingTransport: Sendable {
    let transport: Transport
    let faults: FaultStore?
    let tokenForger: TokenForger
    let world: World

    /// An exchange until its response, and the faults that affected it.
    struct FaultedExchange: Sendable {
        /// The request as sent, or as it would have been sent.
        var request: OutboundRequest
        var response: StreamingResponse
        var appliedFaults: [AppliedFault] = []
        /// The labels of `appliedFaults`.
        var labels: [String] = []
        /// Forged tokens that replaced the originals.
        var forgedTokens: [String] = []
        /// The milliseconds by which faults delayed it.
        var delay = 0.0

        /// The fault label recorded with the exchange.
        var faultLabel: String? { labels.isEmpty ? nil : labels.joined(separator: "; ") }
    }

    /// The header that carries the fault ticket of a request to the embedded backend while faults
    /// could apply there. The device did not send it, so it is not recorded.
    static let ticketHeader = "X-Foyer-Ticket"

    /// Whether any workspace has faults.
    var hasFaults: Bool { faults.map { !$0.isEmpty } ?? false }

    /// Waits for the complete response.
    func send(_ request: OutboundRequest, as context: ExchangeContext, exchange: String) async
        -> FaultedExchange
    {
        await perform(request, as: context, exchange, isStreamed: false) { request in
            StreamingResponse(await transport.send(request))
        }
    }

    /// Waits for the head of the response; without `context`, no faults apply.
    ///
    /// A streamed body cannot be sent again, so only network faults apply to it. If the request's
    /// body is complete and other faults may apply, the complete response is awaited.
    func open(
        _ request: OutboundRequest, _ bodyStream: BodyStream?, as context: ExchangeContext?,
        exchange: String
    ) async -> FaultedExchange {
        guard let context, let faults else {
            return FaultedExchange(
                request: request, response: await transport.openStream(request, bodyStream))
        }
        if bodyStream == nil, faults.requiresBuffering(for: context) {
            return await send(request, as: context, exchange: exchange)
        }
        return await perform(request, as: context, exchange, isStreamed: true) { request in
            await transport.openStream(request, bodyStream)
        }
    }

    private func perform(
        _ original: OutboundRequest, as context: ExchangeContext, _ exchange: String,
        isStreamed: Bool, _ send: (OutboundRequest) async -> StreamingResponse
    ) async -> FaultedExchange {
        guard let faults, !faults.isEmpty else {
            return FaultedExchange(request: original, response: await send(original))
        }
        let target = tokenForger.target(of: original.url)
        let tampering = TokenTampering(
            request: original, context: context, target: target, forger: tokenForger, log: world.log
        )
        let kinds = faults.possibleKinds(for: context).filter { kind in
            switch kind.layer {
            case .network: true
            case .token: !isStreamed && tampering.canApply(kind)
            case .backend: !isStreamed && target != nil
            }
        }
        let affected = Fault.AffectedExchange(
            exchangeID: exchange, call: Self.methodAndPath(original), at: world.now())
        let plan =
            kinds.isEmpty
            ? FaultPlan()
            : faults.makePlan(context, affecting: affected, kinds: kinds, timeout: original.timeout)
        guard !plan.isEmpty else {
            return FaultedExchange(request: original, response: await send(original))
        }
        await faults.saveCounts(plan.appliedFaults)
        var faulted = FaultedExchange(
            request: original,
            response: StreamingResponse(ExchangeResult(outcome: .failed(.cancelled))),
            appliedFaults: plan.appliedFaults)
        var delay = Duration.zero
        for applied in plan.before {
            faulted.labels.append(applied.label)
            if applied.fault.kind == .slow {
                delay += await pause(applied, of: original, after: delay)
            } else if let token = await tampering.apply(applied.fault.kind, &faulted.request) {
                faulted.forgedTokens.append(token)
            }
        }
        faulted.delay = delay / .milliseconds(1)
        if let terminal = plan.terminal { faulted.labels.append(terminal.label) }
        if delay >= original.timeout {
            faulted.response.result = ExchangeResult(
                outcome: .failed(.tooSlow), timings: Timings(total: delay / .milliseconds(1)))
        } else if let terminal = plan.terminal {
            let (outcome, pause) = await outcome(of: terminal, original, after: delay)
            faulted.response.result = ExchangeResult(
                outcome: outcome, timings: Timings(total: (delay + pause) / .milliseconds(1)))
        } else {
            var outgoing = faulted.request
            outgoing.timeout -= delay
            outgoing.headers[Self.ticketHeader] = plan.ticket
            faulted.response = await send(outgoing)
            faulted.response.result.sentHeaders[Self.ticketHeader] = nil
            if let ticket = plan.ticket {
                let backendFaults = faults.closeTicket(ticket)
                await faults.saveCounts(backendFaults)
                faulted.appliedFaults += backendFaults
                faulted.labels += backendFaults.map(\.label)
            }
            let total = faulted.response.result.timings.total
            faulted.response.result.timings.total += faulted.delay
            for applied in plan.after { await applyAfter(applied, original, &faulted) }
            faulted.delay = faulted.response.result.timings.total - total
        }
        if let label = faulted.faultLabel {
            faulted.response.result.addFaultHeader(label, for: faulted.appliedFaults)
        }
        return faulted
    }

    // MARK: Before

    /// Sleeps for the fault's delay, but no longer than the rest of the call's timeout.
    private func pause(
        _ applied: AppliedFault, of request: OutboundRequest, after elapsed: Duration
    ) async -> Duration {
        let pause = min(applied.fault.draft.delayDuration, request.timeout - elapsed)
        guard pause > .zero else { return .zero }
        try? await world.sleep(pause)
        return pause
    }

    /// The outcome that a fault other than `slow` gives an exchange, after waiting for it if it is
    /// a timeout: until the call's timeout, or for the fault's delay if shorter.
    private func outcome(
        of applied: AppliedFault, _ request: OutboundRequest, after elapsed: Duration
    ) async -> (ExchangeResult.Outcome, pause: Duration) {
        let draft = applied.fault.draft
        switch draft.kind {
        case .timeout:
            let remaining = request.timeout - elapsed
            let pause = max(.zero, min(remaining, draft.delay.map { .seconds($0) } ?? remaining))
            try? await world.sleep(pause)
            return (.failed(.timeout), pause)
        case .status, .rateLimited: return (.responded(draft.response), .zero)
        case .reset: return (.failed(.connectionReset), .zero)
        case .offline, .slow, .accessTokenExpired, .wrongAudience, .wrongKey, .refreshTokenReused,
            .accountLocked, .codeExpired, .clockSkew, .mailLost:
            return (.failed(draft.phase == .before ? .offline : .connectionLost), .zero)
        }
    }

    // MARK: After

    /// Applies a fault after the backend has processed the request: delays, drops or replaces the
    /// response. The body of a lost or replaced one is released unread, which cancels it.
    private func applyAfter(
        _ applied: AppliedFault, _ request: OutboundRequest, _ faulted: inout FaultedExchange
    ) async {
        let draft = applied.fault.draft
        var result = faulted.response.result
        let originalOutcome = draft.kind == .slow ? nil : result.outcome.summary
        faulted.labels.append(
            draft.label(ordinal: applied.ordinal, originalOutcome: originalOutcome))
        let elapsed = Duration.milliseconds(result.timings.total)
        let delay: Duration
        if draft.kind == .slow {
            delay = await pause(applied, of: request, after: elapsed)
            if elapsed + delay >= request.timeout { result.outcome = .failed(.tooSlow) }
        } else {
            (result.outcome, delay) = await outcome(of: applied, request, after: elapsed)
        }
        result.timings.total += delay / .milliseconds(1)
        faulted.response.result = result
        if case .responded = result.outcome, draft.kind == .slow { return }
        faulted.response.body = nil
    }

    /// For instance `POST /auth/login`; without the query, which may hold a secret.
    private static func methodAndPath(_ request: OutboundRequest) -> String {
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

    var label: String { fault.draft.label(ordinal: ordinal) }

    /// Whether this application used up the fault.
    var isLast: Bool { fault.remaining == 0 }
}
