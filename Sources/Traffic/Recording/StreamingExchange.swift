import Compression
import Core
package import FoundationEssentials
package import Web

/// An exchange of somebody else's that passes through, while it lasts.
///
/// Both bodies flow; of each only the beginning is kept for the record.
package struct StreamingExchange: Sendable {
    /// The exchange's identifier, known before it ends.
    package let id: String
    package let startedAt: Date
    package let request: OutboundRequest
    /// As it came, nil where it left like that; its body is whole.
    package let originalRequest: OutboundRequest?
    /// The answer's head, or why there is none.
    package let response: StreamingResponse
    package let requestSample: BodySampler
    package let responseSample: BodySampler
    /// What it is stamped with, and the strikes.
    let faultLabel: String?
    let appliedFaults: [AppliedFault]
    let forgedTokens: [String]
    /// What it waited on purpose before it left, and before its answer began.
    let requestDelay: Duration
    let responseDelay: Duration

    /// An answer's beginning that an app's call may be read from.
    package static let readableLimit = 1 << 20

    /// The request with as much of its body as was kept and can be read.
    package var recordedRequest: OutboundRequest {
        var seen = request
        seen.body = Self.readableBody(requestSample.sample, encodedAs: request.headers)
        return seen
    }

    /// A body in which secrets can be looked for: one that was packed holds
    /// them where nobody sees them, and is unpacked or not kept.
    private static func readableBody(_ body: [UInt8], encodedAs headers: Headers) -> [UInt8] {
        guard !body.isEmpty, let coding = headers["Content-Encoding"]?.lowercased(),
            !coding.isEmpty, coding != "identity"
        else { return body }
        return Decompressor.decompress(body, coding: coding, limit: readableLimit)
            ?? Redaction.withheldBody("packed as \(coding.prefix(40))")
    }

    /// What came of it in the end; a failure is one even after a head.
    package func result(_ ending: StreamingResponse.Completion?) -> ExchangeResult {
        var result = response.result
        result.timings.total += requestDelay.milliseconds
        if let ending {
            result.timings = ending.timings
            result.timings.total += (requestDelay + responseDelay).milliseconds
            if let failure = ending.failure {
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
    /// Whether anything goes wrong on purpose anywhere: then `open` wants to
    /// know what it sends.
    package var hasActiveFaults: Bool { faultTransport.map { !$0.faults.isEmpty } ?? false }

    /// Sends somebody else's request; its end is for the caller to tell of,
    /// with `end`.
    ///
    /// What goes wrong on purpose by `context` strikes here. Bodies that flow
    /// cannot be taken back: they meet the network's conditions, before they
    /// leave or when their answer begins, and a request that is whole and that
    /// more could befall has its answer waited for.
    package func open(
        _ request: OutboundRequest, bodyStream: BodyStream?,
        as exchangeContext: ExchangeContext? = nil
    ) async -> StreamingExchange {
        let id = world.makeID("exc")
        let startedAt = world.now()
        let sent = BodySampler(limit: ExchangeRecord.sampleLimit)
        if bodyStream == nil { sent.add(request.body) }
        var carried = await applyFaults(
            request, isComplete: bodyStream == nil, as: exchangeContext, exchange: id)
        var opened: StreamingResponse
        var waited = Duration.zero
        var late = Duration.zero
        if let ended = carried?.earlyResult {
            bodyStream?.cancel()
            opened = StreamingResponse(ended)
        } else {
            var leaving = request
            waited = carried?.requestDelay ?? .zero
            leaving.timeout -= waited
            opened = await transport.openStream(leaving, bodyStream.map(sent.sampling))
            if let troubled = faultTransport, var met = carried {
                let before = opened.result.timings.total
                opened = await troubled.applyAfter(&met, opened, leaving)
                late = .milliseconds(opened.result.timings.total - before)
                carried = met
            }
        }
        let received = BodySampler(limit: StreamingExchange.readableLimit)
        if case .responded(let response) = opened.result.outcome { received.add(response.body) }
        return StreamingExchange(
            id: id, startedAt: startedAt, request: carried?.modifiedRequest ?? request,
            originalRequest: carried?.forgedTokens.isEmpty == false ? request : nil,
            response: opened, requestSample: sent,
            responseSample: received, faultLabel: carried?.faultLabel,
            appliedFaults: carried?.appliedFaults ?? [],
            forgedTokens: carried?.forgedTokens ?? [], requestDelay: waited, responseDelay: late)
    }

    /// What befalls it; nil if nothing does.
    private func applyFaults(
        _ request: OutboundRequest, isComplete: Bool, as exchangeContext: ExchangeContext?,
        exchange: String
    ) async -> FaultInjectingTransport.FaultedStream? {
        guard let troubled = faultTransport, let exchangeContext, !troubled.faults.isEmpty else {
            return nil
        }
        guard isComplete, troubled.faults.requiresBuffering(for: exchangeContext) else {
            return await troubled.applyBefore(request, as: exchangeContext, exchange: exchange)
        }
        let carried = await troubled.send(request, as: exchangeContext, exchange: exchange)
        return FaultInjectingTransport.FaultedStream(
            appliedFaults: carried.appliedFaults,
            faultLabels: [carried.faultLabel].compactMap(\.self),
            earlyResult: carried.result, modifiedRequest: carried.request,
            forgedTokens: carried.forgedTokens)
    }

    /// Records what came of it. Publishes `exchange.ended`.
    package func finish(
        _ relay: StreamingExchange, _ request: OutboundRequest, _ result: ExchangeResult,
        as exchangeContext: ExchangeContext
    ) async -> RecordedExchange {
        var exchangeContext = exchangeContext
        exchangeContext.tokens += relay.forgedTokens
        let sent = await save(
            relay.id, request, result, as: exchangeContext, startedAt: relay.startedAt,
            lengths: ExchangeRecord.BodyLengths(
                request: relay.requestSample.length, response: relay.responseSample.length),
            fault: relay.faultLabel)
        faultTransport?.faults.publishApplied(
            relay.appliedFaults, of: relay.id, as: exchangeContext, eventID: sent.eventID)
        return sent
    }
}
