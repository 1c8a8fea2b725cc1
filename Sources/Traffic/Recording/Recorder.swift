package import Core
import FoundationEssentials
package import Web

/// Sends requests on behalf of simulated devices and records what came of it.
///
/// Every secret is taken out before anything is stored: passwords for good,
/// tokens into sealed values of their own. The answer is returned at once; the
/// record follows through the store's bounded queue.
package final class Recorder: Sendable {
    let transport: Transport
    let faultTransport: FaultInjectingTransport?
    private let store: ExchangeStore
    let world: World
    private let hub: EventHub
    /// What a backend that is ours checked before it gave an answer with
    /// this `X-Request-Id`; empty for what it does not know.
    private let backendChecks: @Sendable (String) -> [ExchangeCheck]

    package init(
        transport: Transport, store: ExchangeStore, world: World, hub: EventHub,
        faults: FaultStore? = nil, tokenForger: TokenForger = .none,
        backendChecks: @escaping @Sendable (String) -> [ExchangeCheck] = { _ in [] }
    ) {
        self.backendChecks = backendChecks
        self.transport = transport
        faultTransport = faults.map {
            FaultInjectingTransport(
                transport: transport, faults: $0, tokenForger: tokenForger, world: world)
        }
        self.store = store
        self.world = world
        self.hub = hub
    }

    /// Sends and records one attempt. Publishes `exchange.ended`.
    package func send(_ request: OutboundRequest, as exchangeContext: ExchangeContext) async
        -> RecordedExchange
    {
        let id = world.makeID("exc")
        let startedAt = world.now()
        guard let troubled = faultTransport, !troubled.faults.isEmpty else {
            let result = await transport.send(request)
            return await save(id, request, result, as: exchangeContext, startedAt: startedAt)
        }
        let carried = await troubled.send(request, as: exchangeContext, exchange: id)
        var exchangeContext = exchangeContext
        exchangeContext.tokens += carried.forgedTokens
        let sent = await save(
            id, carried.request, carried.result, as: exchangeContext, startedAt: startedAt,
            fault: carried.faultLabel)
        troubled.faults.publishApplied(
            carried.appliedFaults, of: id, as: exchangeContext, eventID: sent.eventID)
        return sent
    }

    /// Every exchange ends here: stored in a moment, and told of now.
    func save(
        _ id: String, _ request: OutboundRequest, _ result: ExchangeResult,
        as exchangeContext: ExchangeContext,
        startedAt: Date, lengths: ExchangeRecord.BodyLengths? = nil, fault: String? = nil
    ) async -> RecordedExchange {
        var record = ExchangeRecord(
            id: id, request: request, result: result, exchangeContext: exchangeContext,
            startedAt: startedAt,
            lengths: lengths, checks: checks(for: result))
        record.exchange.fault =
            fault
            ?? exchangeContext.fault?.label(ordinal: 1, originalOutcome: result.outcome.summary)
        await store.enqueue(record)
        let event = hub.publish(
            Self.makeEventDraft(record.exchange, requestID: Self.requestID(result)))
        return RecordedExchange(id: id, eventID: event.id, result: result)
    }

    /// Records what an archive tells; nothing is sent and nothing published.
    package func record(_ entry: HAREntry, as exchangeContext: ExchangeContext) async -> String {
        let id = world.makeID("exc")
        await store.enqueue(
            ExchangeRecord(
                id: id, request: entry.request, result: entry.result,
                exchangeContext: exchangeContext,
                startedAt: entry.startedAt))
        return id
    }

    /// Only a refusal is asked about.
    private func checks(for result: ExchangeResult) -> [ExchangeCheck] {
        guard case .responded(let response) = result.outcome, response.status >= 400,
            let id = Self.requestID(result)
        else { return [] }
        return backendChecks(id)
    }

    /// What the backend calls the request, if it says so.
    private static func requestID(_ result: ExchangeResult) -> String? {
        guard case .responded(let response) = result.outcome,
            let id = response.headers["X-Request-Id"], id.utf8.count <= 128
        else { return nil }
        return id
    }

    /// What the caller needs of a recorded delivery.
    package struct RecordedExchange: Sendable {
        /// The exchange's identifier, `exc_…`.
        package var id: String
        /// The id of the `exchange.ended` event.
        package var eventID: Int64
        package var result: ExchangeResult
    }

    /// Waits until everything sent so far is stored (tests, a clean stop).
    package func flush() async { await store.flush() }

    /// The timeline's line, with what a list needs to show it at once.
    private static func makeEventDraft(_ exchange: Exchange, requestID: String?) -> EventDraft {
        let path = exchange.pathAndQuery
        let end = exchange.status.map(String.init) ?? exchange.failure?.kind.rawValue ?? "no answer"
        var details = [
            "method": exchange.method, "path": path, "call": exchange.call,
            "cause": exchange.cause.rawValue, "attempt": String(exchange.attempt),
            "total": String(exchange.timings.total),
        ]
        details["status"] = exchange.status.map(String.init)
        details["failure"] = exchange.failure?.kind.rawValue
        details["causeExchange"] = exchange.causeExchange
        details["condition"] = exchange.fault
        details["request"] = requestID
        return EventDraft(
            workspace: exchange.workspace, kind: .exchangeEnded, app: exchange.app,
            device: exchange.device, cause: exchange.causeEvent, subject: exchange.id,
            title: "\(exchange.method) \(path) \(end)", details: details)
    }
}
