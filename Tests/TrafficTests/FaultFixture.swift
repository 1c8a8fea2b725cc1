import Core
import Crypto
import SQLite
import Support
import Synchronization
import Web

@testable import Traffic

/// A recorder with faults and rules over a stub backend, which responds with 200 by default and records the
/// requests.
struct FaultFixture {
    let frozen: FrozenWorld
    let hub: EventHub
    let database: Database
    let store: ExchangeStore
    let faults: FaultStore
    let rules: RuleStore
    let recorder: Recorder
    let sent = SentRequests()

    /// The requests that reached the backend.
    final class SentRequests: Sendable {
        private let requests = Mutex<[OutboundRequest]>([])
        var all: [OutboundRequest] { requests.withLock { $0 } }
        func append(_ request: OutboundRequest) { requests.withLock { $0.append(request) } }
    }

    init(
        path: String = ":memory:", skippingSleeps: Bool = true, tokenForger: TokenForger = .none,
        respond: @escaping @Sendable (OutboundRequest) -> ExchangeResult.Outcome = { _ in
            TrafficFixture.ok(#"{"done":true}"#)
        }, open: (@Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse)? = nil
    ) async throws {
        frozen = FrozenWorld(skippingSleeps: skippingSleeps)
        let world = frozen.world
        let frozen = frozen
        hub = EventHub(now: { frozen.now })
        database = try Database(
            path: path, durability: .normal, migrations: TrafficSchema.migrations)
        let sealer = try Sealer(key: Array(repeating: 7, count: 32))
        store = ExchangeStore(database: database, sealer: sealer, world: world)
        faults = try await FaultStore(database: database, world: world, hub: hub)
        rules = try await RuleStore(database: database, sealer: sealer, world: world, hub: hub)
        let sent = sent
        recorder = Recorder(
            transport: Transport(
                send: { request in
                    sent.append(request)
                    return ExchangeResult(
                        outcome: respond(request), timings: Timings(total: 2),
                        remoteAddress: "127.0.0.1:7071", sentHeaders: request.headers)
                }, openStream: open), store: store, world: world, hub: hub, faults: faults,
            rules: rules, tokenForger: tokenForger)
    }

    static func context(
        _ call: String = "login", app: String = "mystica", device: String = "dev_1",
        access: String? = nil, refresh: String? = nil
    ) -> ExchangeContext {
        var exchangeContext = ExchangeContext(
            workspace: "main", app: app, device: device, backend: "embedded", call: call,
            cause: .submit)
        exchangeContext.accessToken = access
        exchangeContext.refreshToken = refresh
        return exchangeContext
    }

    /// Sends one call; returns the outcome at the device and the recorded exchange.
    @discardableResult func call(
        _ exchangeContext: ExchangeContext = Self.context(), bearer: String? = nil,
        body: String = "",
        timeout: Duration = .seconds(30)
    ) async throws -> (outcome: ExchangeResult.Outcome, recorded: ExchangeDetail) {
        var headers: Headers = ["Content-Type": "application/json"]
        headers["Authorization"] = bearer.map { "Bearer \($0)" }
        let sent = await recorder.send(
            OutboundRequest(
                method: .post, url: "http://127.0.0.1:7071/main/mystica/api/v1/auth/login",
                headers: headers, body: Array(body.utf8), timeout: timeout), as: exchangeContext)
        guard let recorded = try await store.detail(sent.id, in: "main") else {
            throw TransportFailure(.cancelled, "not recorded")
        }
        return (sent.result.outcome, recorded)
    }

    func add(_ drafts: Fault.Draft...) async throws {
        _ = try await faults.add(drafts, in: "main")
    }
}

extension ExchangeResult.Outcome {
    var status: Int? { if case .responded(let response) = self { response.status } else { nil } }

    var failure: TransportFailure.Kind? {
        if case .failed(let failure) = self { failure.kind } else { nil }
    }

    var response: UpstreamResponse? {
        if case .responded(let response) = self { response } else { nil }
    }
}
