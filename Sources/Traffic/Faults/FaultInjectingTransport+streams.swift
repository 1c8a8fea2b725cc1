import Core
import Web

/// Faults for streamed bodies. A streamed body cannot be sent again, so only network faults apply.
extension FaultInjectingTransport {
    /// The faults planned for a streamed request, and their effects so far.
    struct FaultedStream: Sendable {
        var appliedFaults: [AppliedFault] = []
        var faultLabels: [String] = []
        var requestDelay = Duration.zero
        /// The result if a fault ended it before anything was sent; nil if it continues.
        var earlyResult: ExchangeResult?
        /// Faults to apply to the response, after the backend has processed the request.
        var after: [AppliedFault] = []
        /// The request as sent, if a fault changed it.
        var modifiedRequest: OutboundRequest?
        /// Forged tokens that replaced the originals.
        var forgedTokens: [String] = []

        /// The fault label recorded with the exchange.
        var faultLabel: String? { faultLabels.isEmpty ? nil : faultLabels.joined(separator: "; ") }
    }

    /// Plans the faults for a request and applies those that take effect before anything is sent.
    func applyBefore(
        _ request: OutboundRequest, as exchangeContext: ExchangeContext, exchange: String
    ) async
        -> FaultedStream?
    {
        let kinds = faults.possibleKinds(for: exchangeContext).filter { $0.layer == .network }
        guard !kinds.isEmpty,
            let plan = await makePlan(request, of: kinds, as: exchangeContext, exchange: exchange)
        else { return nil }
        var faulted = FaultedStream(appliedFaults: plan.appliedFaults)
        faulted.faultLabels = (plan.before + [plan.terminal].compactMap(\.self)).map(label)
        faulted.after = plan.after
        for applied in plan.before {
            faulted.requestDelay += await pause(applied, of: request, after: faulted.requestDelay)
        }
        if faulted.requestDelay >= request.timeout {
            faulted.earlyResult = .failed(.tooSlow, after: faulted.requestDelay)
        } else if let terminal = plan.terminal {
            var result = await terminate(terminal, request, after: faulted.requestDelay)
            result.addFaultHeader(faulted.faultLabel ?? "", for: faulted.appliedFaults)
            faulted.earlyResult = result
        }
        return faulted
    }

    /// Applies the planned faults to a response. Its header has arrived, so the backend has
    /// processed the request; the body of a lost response is canceled, not read.
    func applyAfter(
        _ faulted: inout FaultedStream, _ response: StreamingResponse, _ request: OutboundRequest
    ) async -> StreamingResponse {
        var result = response.result
        var body = response.body
        for applied in faulted.after {
            let originalOutcome = result.outcome.summary
            result = await applyAfter(applied, result, request)
            let isLate = applied.fault.kind == .slow
            faulted.faultLabels.append(
                applied.fault.label(
                    ordinal: applied.ordinal, originalOutcome: isLate ? nil : originalOutcome))
            if case .responded = result.outcome, isLate { continue }
            body?.stream.cancel()
            body = nil
        }
        result.addFaultHeader(faulted.faultLabel ?? "", for: faulted.appliedFaults)
        return StreamingResponse(result, body: body)
    }
}
