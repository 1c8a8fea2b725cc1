import Core
import FoundationEssentials
import Synchronization
import Web

/// A transport that applies rules around the one that injects faults.
///
/// In this order: the request is paused; the request, as edited, is answered by a rule or sent, with
/// the faults that apply to it; the response is paused. So faults see edited requests, a response
/// of a fault can be edited, and nothing fails a response of a rule.
struct InterceptingTransport: Sendable {
    let faulty: FaultInjectingTransport
    let rules: RuleStore?
    let world: World

    /// An exchange until its response, with what faults and rules did.
    struct InterceptedExchange: Sendable {
        var faulted: FaultInjectingTransport.FaultedExchange
        /// Nil if no rule matched.
        var effects: RuleEffects?
    }

    /// Whether any workspace has faults, or rules that are on.
    var needsContext: Bool { faulty.hasFaults || rules.map { !$0.isEmpty } ?? false }

    /// Waits for the complete response.
    func send(_ request: OutboundRequest, as context: ExchangeContext, exchange: String) async
        -> InterceptedExchange
    {
        guard let rules, !rules.isEmpty else {
            return InterceptedExchange(
                faulted: await faulty.send(request, as: context, exchange: exchange))
        }
        return await apply(rules, request, context, exchange, isStreamed: false) { request in
            await faulty.send(request, as: context, exchange: exchange)
        }
    }

    /// Waits for the head of the response; without `context`, neither faults nor rules apply.
    func open(
        _ request: OutboundRequest, _ bodyStream: BodyStream?, as context: ExchangeContext?,
        exchange: String
    ) async -> InterceptedExchange {
        guard let context, let rules, !rules.isEmpty else {
            return InterceptedExchange(
                faulted: await faulty.open(request, bodyStream, as: context, exchange: exchange))
        }
        return await apply(rules, request, context, exchange, isStreamed: bodyStream != nil) {
            request in
            await faulty.open(request, bodyStream, as: context, exchange: exchange)
        }
    }

    private func apply(
        _ rules: RuleStore, _ request: OutboundRequest, _ context: ExchangeContext, _ id: String,
        isStreamed: Bool,
        _ send: (OutboundRequest) async -> FaultInjectingTransport.FaultedExchange
    ) async -> InterceptedExchange {
        var effects = RuleEffects()
        var outgoing = request
        if let rule = rules.match(.pauseRequest, request, context) {
            let paused = PausedExchange(
                id: id, rule, context, request, nil,
                bodyNote: isStreamed
                    ? "longer than \(Format.size(Self.requestBodyLimit)) or of unknown length: "
                        + "passes unchanged" : nil, at: world.now())
            let decision = await rules.pause(paused, context)
            effects.add(decision, paused, at: world.now())
            if case .editedRequest(let edited, _) = decision {
                effects.originalRequest = request
                outgoing = edited
            }
            if let failure = decision.failure {
                return InterceptedExchange(failure, of: outgoing, effects)
            }
        }
        var faulted: FaultInjectingTransport.FaultedExchange
        if let rule = rules.match(.respond, outgoing, context), let mapped = rule.draft.response {
            effects.applied.append(AppliedRule(id: rule.id, kind: rule.kind, outcome: .responded))
            faulted = .init(
                request: outgoing,
                response: StreamingResponse(
                    ExchangeResult(outcome: .responded(mapped.upstreamResponse(rule: rule.id)))))
        } else {
            faulted = await send(outgoing)
        }
        if let rule = rules.match(.pauseResponse, outgoing, context) {
            await pause(&faulted, rules, rule, context, id, &effects)
        }
        return InterceptedExchange(
            faulted: faulted, effects: effects.applied.isEmpty ? nil : effects)
    }

    /// As for faults, larger request bodies are streamed.
    private static let requestBodyLimit = 64 << 10

    // MARK: The response

    private func pause(
        _ faulted: inout FaultInjectingTransport.FaultedExchange, _ rules: RuleStore,
        _ rule: TrafficRule, _ context: ExchangeContext, _ id: String, _ effects: inout RuleEffects
    ) async {
        let note = await gather(&faulted.response, of: faulted.request.method)
        guard let response = faulted.response.result.response else { return }
        let paused = PausedExchange(
            id: id, rule, context, faulted.request, response, bodyNote: note, at: world.now())
        let decision = await rules.pause(paused, context)
        effects.add(decision, paused, at: world.now())
        if case .editedResponse(let edited, _) = decision {
            effects.originalResponse = response
            faulted.response.result.outcome = .responded(edited)
        }
        if let failure = decision.failure {
            faulted.response.result.outcome = .failed(failure)
            faulted.response.body = nil
        }
    }

    /// Reads the rest of a response up to the limit of what can be edited. Returns why its body
    /// cannot be edited, and leaves it to be streamed; nil if it was read.
    private func gather(_ response: inout StreamingResponse, of method: Method) async -> String? {
        guard let head = response.result.response, let body = response.body else { return nil }
        if head.headers.mediaType == "text/event-stream" { return "a stream: passes unchanged" }
        let limit = MappedResponse.bodyLimit
        let tooLong = "longer than \(Format.size(limit)): passes unchanged"
        if let length = body.length, length > limit { return tooLong }
        var bytes: [UInt8] = []
        while true {
            switch await body.next() {
            case .bytes(let chunk) where bytes.count + chunk.count > limit:
                response.body = BodyStream(length: body.length, prefix: bytes + chunk, body)
                return tooLong
            case .bytes(let chunk): bytes += chunk
            case .end:
                var result = response.result
                result.timings = response.completion().timings
                result.outcome = .responded(
                    UpstreamResponse(status: head.status, headers: head.headers, body: bytes))
                response = StreamingResponse(result)
                return nil
            case .aborted:
                var result = response.result
                result.outcome = .failed(response.completion().failure ?? .connectionLost)
                response = StreamingResponse(result)
                return nil
            }
        }
    }
}

extension InterceptingTransport.InterceptedExchange {
    /// An exchange that ended before its request was sent.
    fileprivate init(
        _ failure: TransportFailure, of request: OutboundRequest, _ effects: RuleEffects
    ) {
        self.init(
            faulted: .init(
                request: request,
                response: StreamingResponse(ExchangeResult(outcome: .failed(failure)))),
            effects: effects)
    }
}

extension RuleEffects {
    fileprivate mutating func add(_ decision: PauseDecision, _ paused: PausedExchange, at now: Date)
    {
        applied.append(
            AppliedRule(
                id: paused.rule.id, kind: paused.rule.kind, outcome: decision.outcome,
                edited: decision.edited,
                pausedFor: max(0, now.timeIntervalSince(paused.pausedAt)) * 1_000))
    }
}

extension PauseDecision {
    /// Why the exchange ends without a response; nil if it continues.
    fileprivate var failure: TransportFailure? {
        switch self {
        case .aborted: .aborted
        case .disconnected:
            TransportFailure(.cancelled, "The client disconnected while the request was paused.")
        case .continued, .editedRequest, .editedResponse, .timedOut, .released, .notPaused: nil
        }
    }
}

extension TransportFailure {
    /// The user aborted a paused exchange.
    static let aborted = TransportFailure(.connection, "Aborted while it was paused.")
}

extension BodyStream {
    /// A stream that returns `prefix` before the chunks of `rest`.
    fileprivate convenience init(length: Int?, prefix: [UInt8], _ rest: BodyStream) {
        let pending = Mutex<[UInt8]?>(prefix)
        self.init(
            length: length,
            next: {
                let first = pending.withLock { pending in
                    defer { pending = nil }
                    return pending
                }
                if let first { return .bytes(first) }
                return await rest.next()
            }, cancel: { rest.cancel() })
    }
}
