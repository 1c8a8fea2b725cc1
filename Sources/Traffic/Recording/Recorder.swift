import FoundationEssentials
package import Surroundings
package import Web

/// Sends requests on behalf of simulated devices and records what came of it.
///
/// Every secret is taken out before anything is stored: passwords for good,
/// tokens into sealed values of their own. The answer is returned at once; the
/// record follows through the store's bounded queue.
package final class Recorder: Sendable {
    let transport: Transport
    let troubled: TroubledTransport?
    private let store: ExchangeStore
    let world: World
    private let hub: EventHub
    /// What a backend that is ours checked before it gave an answer with
    /// this `X-Request-Id`; empty for what it does not know.
    private let checks: @Sendable (String) -> [ExchangeCheck]

    package init(
        transport: Transport, store: ExchangeStore, world: World, hub: EventHub,
        conditions: Conditions? = nil, accomplice: Accomplice = .none,
        checks: @escaping @Sendable (String) -> [ExchangeCheck] = { _ in [] }
    ) {
        self.checks = checks
        self.transport = transport
        troubled = conditions.map {
            TroubledTransport(
                transport: transport, conditions: $0, accomplice: accomplice, world: world)
        }
        self.store = store
        self.world = world
        self.hub = hub
    }

    /// Sends and records one attempt. Publishes `exchange.ended`.
    package func send(_ request: OutboundRequest, as context: ExchangeContext) async -> Sent {
        let id = world.identifier("exc")
        let startedAt = world.now()
        guard let troubled, !troubled.conditions.isIdle else {
            let delivery = await transport.send(request)
            return await keep(id, request, delivery, as: context, startedAt: startedAt)
        }
        let carried = await troubled.send(request, as: context, exchange: id)
        var context = context
        context.tokens += carried.forged
        let sent = await keep(
            id, carried.request, carried.delivery, as: context, startedAt: startedAt,
            condition: carried.stamp)
        troubled.conditions.tell(carried.blows, of: id, as: context, event: sent.event)
        return sent
    }

    /// Every exchange ends here: stored in a moment, and told of now.
    func keep(
        _ id: String, _ request: OutboundRequest, _ delivery: Delivery, as context: ExchangeContext,
        startedAt: Date, lengths: ExchangeRecord.Lengths? = nil, condition: String? = nil
    ) async -> Sent {
        var record = ExchangeRecord(
            id: id, request: request, delivery: delivery, context: context, startedAt: startedAt,
            lengths: lengths, checks: checks(of: delivery))
        record.exchange.condition =
            condition ?? context.condition?.stamp(1, answered: delivery.outcome.words)
        await store.queue(record)
        let event = hub.publish(Self.draft(record.exchange, request: Self.request(delivery)))
        return Sent(id: id, event: event.id, delivery: delivery)
    }

    /// Records what an archive tells; nothing is sent and nothing published.
    package func record(_ entry: HAREntry, as context: ExchangeContext) async -> String {
        let id = world.identifier("exc")
        await store.queue(
            ExchangeRecord(
                id: id, request: entry.request, delivery: entry.delivery, context: context,
                startedAt: entry.startedAt))
        return id
    }

    /// Only a refusal is asked about.
    private func checks(of delivery: Delivery) -> [ExchangeCheck] {
        guard case .answered(let answer) = delivery.outcome, answer.status >= 400,
            let id = Self.request(delivery)
        else { return [] }
        return checks(id)
    }

    /// What the backend calls the request, if it says so.
    private static func request(_ delivery: Delivery) -> String? {
        guard case .answered(let answer) = delivery.outcome,
            let id = answer.headers["X-Request-Id"], id.utf8.count <= 128
        else { return nil }
        return id
    }

    /// What the caller needs of a recorded delivery.
    package struct Sent: Sendable {
        /// The exchange's identifier, `exc_…`.
        package var id: String
        /// The id of the `exchange.ended` event.
        package var event: Int64
        package var delivery: Delivery
    }

    /// Waits until everything sent so far is stored (tests, a clean stop).
    package func flush() async { await store.flush() }

    /// The timeline's line, with what a list needs to show it at once.
    private static func draft(_ exchange: Exchange, request: String?) -> EventDraft {
        let path = exchange.path
        let end = exchange.status.map(String.init) ?? exchange.failure?.kind.rawValue ?? "no answer"
        var facts = [
            "method": exchange.method, "path": path, "call": exchange.call,
            "cause": exchange.cause.rawValue, "attempt": String(exchange.attempt),
            "total": String(exchange.timings.total),
        ]
        facts["status"] = exchange.status.map(String.init)
        facts["failure"] = exchange.failure?.kind.rawValue
        facts["causeExchange"] = exchange.causeExchange
        facts["condition"] = exchange.condition
        facts["request"] = request
        return EventDraft(
            workspace: exchange.workspace, kind: .exchange, app: exchange.app,
            device: exchange.device, cause: exchange.causeEvent, subject: exchange.id,
            title: "\(exchange.method) \(path) \(end)", facts: facts)
    }
}
