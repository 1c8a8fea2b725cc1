import Compression
import Core
package import FoundationEssentials
package import Web

/// A proxied exchange in progress.
///
/// Both bodies are streamed; only a sample of each is retained for the record.
package struct StreamingExchange: Sendable {
    /// The exchange id, assigned before the exchange ends.
    package let id: String
    package let startedAt: Date
    package let request: OutboundRequest
    /// The request as received, if a fault changed it, with its complete body; nil if sent
    /// unchanged.
    package let originalRequest: OutboundRequest?
    /// The response header, or the failure without a response.
    package let response: StreamingResponse
    package let requestSample: BodySampler
    package let responseSample: BodySampler
    /// The fault label, and the applied faults.
    let faultLabel: String?
    let appliedFaults: [AppliedFault]
    let forgedTokens: [String]
    /// Delays by faults before the request was sent and before the response began.
    let requestDelay: Duration
    let responseDelay: Duration

    /// The number of response bytes retained for reading a call from them.
    package static let readableLimit = 1 << 20

    /// The request with the readable part of its sampled body.
    package var recordedRequest: OutboundRequest {
        var recorded = request
        recorded.body = Self.readableBody(requestSample.sample, encodedAs: request.headers)
        return recorded
    }

    /// Decodes a body's content encoding, so that secrets can be found in it; a body that cannot be
    /// decoded is withheld.
    private static func readableBody(_ body: [UInt8], encodedAs headers: Headers) -> [UInt8] {
        guard !body.isEmpty, let coding = headers["Content-Encoding"]?.lowercased(),
            !coding.isEmpty, coding != "identity"
        else { return body }
        return Decompressor.decompress(body, coding: coding, limit: readableLimit)
            ?? Redaction.withheldBody("encoded as \(coding.prefix(40))")
    }

    /// The final result; a transport failure after the response header is a failure too.
    package func result(_ completion: StreamingResponse.Completion?) -> ExchangeResult {
        var result = response.result
        result.timings.total += requestDelay.milliseconds
        if let completion {
            result.timings = completion.timings
            result.timings.total += (requestDelay + responseDelay).milliseconds
            if let failure = completion.failure {
                result.outcome = .failed(failure)
                return result
            }
        }
        if case .responded(var response) = result.outcome {
            response.body = Self.readableBody(responseSample.sample, encodedAs: response.headers)
            result.outcome = .responded(response)
        }
        return result
    }
}

extension Recorder {
    /// Whether any workspace has active faults; `open` then needs an exchange context.
    package var hasActiveFaults: Bool { faultTransport.map { !$0.faults.isEmpty } ?? false }

    /// Opens a proxied request; the caller records its end with `finish`.
    ///
    /// Faults that match `exchangeContext` are applied here. A streamed body cannot be sent again,
    /// so network faults apply before it is sent or when its response begins. If the request body
    /// is complete and other faults may apply, the complete response is awaited.
    package func open(
        _ request: OutboundRequest, bodyStream: BodyStream?,
        as exchangeContext: ExchangeContext? = nil
    ) async -> StreamingExchange {
        let id = world.makeID("exc")
        let startedAt = world.now()
        let requestSample = BodySampler(limit: ExchangeRecord.sampleLimit)
        if bodyStream == nil { requestSample.add(request.body) }
        var faulted = await applyFaults(
            request, isComplete: bodyStream == nil, as: exchangeContext, exchange: id)
        var response: StreamingResponse
        var requestDelay = Duration.zero
        var responseDelay = Duration.zero
        if let earlyResult = faulted?.earlyResult {
            bodyStream?.cancel()
            response = StreamingResponse(earlyResult)
        } else {
            var outgoing = request
            requestDelay = faulted?.requestDelay ?? .zero
            outgoing.timeout -= requestDelay
            response = await transport.openStream(outgoing, bodyStream.map(requestSample.sampling))
            if let faultTransport, var updated = faulted {
                let totalBefore = response.result.timings.total
                response = await faultTransport.applyAfter(&updated, response, outgoing)
                responseDelay = .milliseconds(response.result.timings.total - totalBefore)
                faulted = updated
            }
        }
        let responseSample = BodySampler(limit: StreamingExchange.readableLimit)
        if case .responded(let upstreamResponse) = response.result.outcome {
            responseSample.add(upstreamResponse.body)
        }
        return StreamingExchange(
            id: id, startedAt: startedAt, request: faulted?.modifiedRequest ?? request,
            originalRequest: faulted?.forgedTokens.isEmpty == false ? request : nil,
            response: response, requestSample: requestSample,
            responseSample: responseSample, faultLabel: faulted?.faultLabel,
            appliedFaults: faulted?.appliedFaults ?? [],
            forgedTokens: faulted?.forgedTokens ?? [], requestDelay: requestDelay,
            responseDelay: responseDelay)
    }

    /// Applies the matching faults; nil if there are none.
    private func applyFaults(
        _ request: OutboundRequest, isComplete: Bool, as exchangeContext: ExchangeContext?,
        exchange: String
    ) async -> FaultInjectingTransport.FaultedStream? {
        guard let faultTransport, let exchangeContext, !faultTransport.faults.isEmpty else {
            return nil
        }
        guard isComplete, faultTransport.faults.requiresBuffering(for: exchangeContext) else {
            return await faultTransport.applyBefore(
                request, as: exchangeContext, exchange: exchange)
        }
        let faulted = await faultTransport.send(request, as: exchangeContext, exchange: exchange)
        return FaultInjectingTransport.FaultedStream(
            appliedFaults: faulted.appliedFaults,
            faultLabels: [faulted.faultLabel].compactMap(\.self),
            earlyResult: faulted.result, modifiedRequest: faulted.request,
            forgedTokens: faulted.forgedTokens)
    }

    /// Records the finished exchange. Publishes `exchange.ended`.
    package func finish(
        _ exchange: StreamingExchange, _ request: OutboundRequest, _ result: ExchangeResult,
        as exchangeContext: ExchangeContext
    ) async -> RecordedExchange {
        var exchangeContext = exchangeContext
        exchangeContext.tokens += exchange.forgedTokens
        let recorded = await save(
            exchange.id, request, result, as: exchangeContext, startedAt: exchange.startedAt,
            lengths: ExchangeRecord.BodyLengths(
                request: exchange.requestSample.length, response: exchange.responseSample.length),
            fault: exchange.faultLabel)
        faultTransport?.faults.publishApplied(
            exchange.appliedFaults, of: exchange.id, as: exchangeContext, eventID: recorded.eventID)
        return recorded
    }
}
