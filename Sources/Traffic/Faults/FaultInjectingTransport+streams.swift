import Core
import Web

/// What goes wrong on purpose with bodies that flow: they cannot be taken
/// back, so it is the network's conditions alone.
extension FaultInjectingTransport {
    /// What strikes a request that passes through.
    struct FaultedStream: Sendable {
        var appliedFaults: [AppliedFault] = []
        var faultLabels: [String] = []
        var requestDelay = Duration.zero
        /// What it ended with before it left; nil if it goes on.
        var earlyResult: ExchangeResult?
        /// What befalls its answer once the backend has worked.
        var after: [AppliedFault] = []
        /// As it left, if that is not as it came.
        var modifiedRequest: OutboundRequest?
        /// Tokens put in the place of others.
        var forgedTokens: [String] = []

        /// What the exchange is stamped with.
        var faultLabel: String? { faultLabels.isEmpty ? nil : faultLabels.joined(separator: "; ") }
    }

    /// Takes what strikes, and lets happen what happens before anything is
    /// sent.
    func applyBefore(
        _ request: OutboundRequest, as exchangeContext: ExchangeContext, exchange: String
    ) async
        -> FaultedStream?
    {
        let kinds = faults.possibleKinds(for: exchangeContext).filter { $0.layer == .network }
        guard !kinds.isEmpty,
            let strike = await makePlan(request, of: kinds, as: exchangeContext, exchange: exchange)
        else { return nil }
        var met = FaultedStream(appliedFaults: strike.appliedFaults)
        met.faultLabels = (strike.before + [strike.terminal].compactMap(\.self)).map(label)
        met.after = strike.after
        for applied in strike.before {
            met.requestDelay += await pause(applied, of: request, after: met.requestDelay)
        }
        if met.requestDelay >= request.timeout {
            met.earlyResult = .failed(.tooSlow, after: met.requestDelay)
        } else if let ending = strike.terminal {
            var answer = await terminate(ending, request, after: met.requestDelay)
            answer.addFaultHeader(met.faultLabel ?? "", for: met.appliedFaults)
            met.earlyResult = answer
        }
        return met
    }

    /// Lets happen to an answer what befalls it: its head is there, so the
    /// backend has done its work; a body that is lost is not waited for.
    func applyAfter(
        _ met: inout FaultedStream, _ opened: StreamingResponse, _ request: OutboundRequest
    ) async -> StreamingResponse {
        var result = opened.result
        var rest = opened.body
        for applied in met.after {
            let answered = result.outcome.summary
            result = await applyAfter(applied, result, request)
            let isLate = applied.fault.kind == .slow
            met.faultLabels.append(
                applied.fault.label(
                    ordinal: applied.ordinal, originalOutcome: isLate ? nil : answered))
            if case .responded = result.outcome, isLate { continue }
            rest?.stream.cancel()
            rest = nil
        }
        result.addFaultHeader(met.faultLabel ?? "", for: met.appliedFaults)
        return StreamingResponse(result, body: rest)
    }
}
