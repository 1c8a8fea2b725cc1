package import Core
import FoundationEssentials
package import Web

/// Sends requests on behalf of simulated devices and records the exchanges.
///
/// Secrets are removed before anything is stored: passwords permanently, tokens into separately
/// sealed values. The response is returned at once; the record follows through the store's bounded
/// queue.
package final class Recorder: Sendable {
    let transport: InterceptingTransport
    private let store: ExchangeStore
    let world: World
    private let hub: EventHub
    /// By tokens: a device sends the same ones many times.
    private let redactions = SharedCache<[String], Redaction>(capacity: 256)
    /// By the names of an app's password fields.
    private let secretNames = SharedCache<Set<String>, SecretFieldNames>(capacity: 64)
    /// The checks of the embedded backend before the response with this `X-Request-Id`; empty for
    /// an unknown id.
    private let backendChecks: @Sendable (String) -> [ExchangeCheck]

    package init(
        transport: Transport, store: ExchangeStore, world: World, hub: EventHub,
        faults: FaultStore? = nil, rules: RuleStore? = nil, tokenForger: TokenForger = .none,
        backendChecks: @escaping @Sendable (String) -> [ExchangeCheck] = { _ in [] }
    ) {
        self.backendChecks = backendChecks
        self.transport = InterceptingTransport(
            faulty: FaultInjectingTransport(
                transport: transport, faults: faults, tokenForger: tokenForger, world: world),
            rules: rules, world: world)
        self.store = store
        self.world = world
        self.hub = hub
    }

    /// Sends and records one attempt. Publishes `exchange.ended`.
    package func send(_ request: OutboundRequest, as context: ExchangeContext) async
        -> RecordedExchange
    {
        let id = world.makeID("exc")
        let startedAt = world.now()
        let exchange = await transport.send(request, as: context, exchange: id)
        return await save(id, exchange, as: context, startedAt: startedAt)
    }

    /// Records a finished exchange: queues it for storage and publishes its events immediately.
    /// While recording is paused, only the events are published.
    func save(
        _ id: String, _ exchange: InterceptingTransport.InterceptedExchange,
        as context: ExchangeContext, startedAt: Date, lengths: (request: Int, response: Int)? = nil
    ) async -> RecordedExchange {
        let faulted = exchange.faulted
        let result = faulted.response.result
        var context = context
        context.tokens += faulted.forgedTokens
        if let effects = exchange.effects {
            effects.addSecrets(faulted.request, result.response, to: &context)
        }
        let record = ExchangeRecord(
            id: id, request: faulted.request, result: result, context: context,
            startedAt: startedAt, lengths: lengths, checks: checks(for: result),
            fault: faulted.faultLabel
                ?? context.fault?.label(ordinal: 1, originalOutcome: result.outcome.summary),
            effects: exchange.effects, makeRedaction: redaction)
        let isRecording =
            context.isAlwaysRecorded || store.isRecording(in: context.workspace)
        if isRecording { await store.enqueue(record) }
        let event = hub.publish(
            Self.makeEventDraft(
                record.detail.exchange, requestID: Self.requestID(result), isStored: isRecording))
        transport.faulty.faults?.publishApplied(
            faulted.appliedFaults, of: id, as: context, eventID: event.id)
        return RecordedExchange(id: id, eventID: event.id, result: result)
    }

    /// Removes these secrets; a password is not cached.
    private func redaction(passwords: [String], tokens: [String]) -> Redaction {
        guard passwords.isEmpty else { return Redaction(passwords: passwords, tokens: tokens) }
        return redactions.value(for: tokens) { Redaction(passwords: [], tokens: tokens) }
    }

    /// The names of secret fields, of which `passwordFields` are some.
    func secretNames(with passwordFields: Set<String>) -> SecretFieldNames {
        secretNames.value(for: passwordFields) { SecretFieldNames(passwordFields: passwordFields) }
    }

    /// Records an imported archive entry; sends nothing and publishes no event.
    package func record(_ entry: HAREntry, as context: ExchangeContext) async -> String {
        let id = world.makeID("exc")
        await store.enqueue(
            ExchangeRecord(
                id: id, request: entry.request, result: entry.result, context: context,
                startedAt: entry.startedAt))
        return id
    }

    /// The backend's checks, queried only for error responses.
    private func checks(for result: ExchangeResult) -> [ExchangeCheck] {
        guard let response = result.response, response.status >= 400,
            let id = Self.requestID(result)
        else { return [] }
        return backendChecks(id)
    }

    /// The backend's request id, if the response has one.
    private static func requestID(_ result: ExchangeResult) -> String? {
        result.response?.headers["X-Request-Id"].flatMap { $0.utf8.count <= 128 ? $0 : nil }
    }

    /// What the caller needs of a recorded exchange.
    package struct RecordedExchange: Sendable {
        /// The exchange id, `exc_…`.
        package var id: String
        /// The id of the `exchange.ended` event.
        package var eventID: Int64
        package var result: ExchangeResult
    }

    /// Waits until everything sent so far is stored (tests, a clean shutdown).
    package func flush() async { await store.flush() }

    /// The timeline event, with the details a list needs to show it immediately.
    private static func makeEventDraft(
        _ exchange: Exchange, requestID: String?, isStored: Bool
    ) -> Event {
        let path = exchange.pathAndQuery
        let outcome =
            exchange.status.map(String.init) ?? exchange.failure?.kind.rawValue ?? "no response"
        var details = [String: String](minimumCapacity: 12)
        details["method"] = exchange.method
        details["path"] = path
        details["call"] = exchange.call
        details["cause"] = exchange.cause.rawValue
        details["attempt"] = String(exchange.attempt)
        details["total"] = String(exchange.timings.total)
        details["status"] = exchange.status.map(String.init)
        details["failure"] = exchange.failure?.kind.rawValue
        details["causeExchange"] = exchange.causeExchange
        details["fault"] = exchange.fault
        details["rule"] = exchange.ruleLabel
        details["request"] = requestID
        if !isStored { details["stored"] = "no" }
        return Event(
            workspace: exchange.workspace, kind: .exchangeEnded, app: exchange.app,
            device: exchange.device, cause: exchange.causeEvent, subject: exchange.id,
            title: "\(exchange.method) \(path) \(outcome)", details: details)
    }
}
