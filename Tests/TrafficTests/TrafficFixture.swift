import Core
import Crypto
import SQLite
import Support
import Web

@testable import Traffic

/// A recorder and its store alone: an in-memory database and a stub transport.
struct TrafficFixture {
    let frozen = FrozenWorld()
    let hub: EventHub
    let store: ExchangeStore
    let recorder: Recorder

    init(
        retentionCount count: Int = 5_000,
        respond: @escaping @Sendable (OutboundRequest) -> ExchangeResult.Outcome
    ) throws {
        let frozen = frozen
        hub = EventHub(now: { frozen.now })
        store = ExchangeStore(
            database: try Database(
                path: ":memory:", durability: .normal, migrations: TrafficSchema.migrations),
            sealer: try Sealer(key: Array(repeating: 7, count: 32)), world: frozen.world,
            maxCount: count)
        recorder = Recorder(
            transport: Transport { request in
                ExchangeResult(outcome: respond(request), timings: Timings(total: 2.5))
            }, store: store, world: frozen.world, hub: hub)
    }

    func context(
        _ call: String = "login", cause: ExchangeContext.Cause = .submit, after: String? = nil,
        passwords: [String] = [], tokens: [String] = []
    ) -> ExchangeContext {
        ExchangeContext(
            workspace: "main", app: "mystica", device: "dev_1", backend: "embedded", call: call,
            cause: cause, causeExchange: after, passwords: passwords, tokens: tokens)
    }

    @discardableResult func send(
        _ path: String = "/auth/login", body: String = "", as exchangeContext: ExchangeContext
    ) async -> Recorder.RecordedExchange {
        await recorder.send(
            OutboundRequest(
                method: .post, url: "http://127.0.0.1:7071" + path,
                headers: ["Content-Type": "application/json"], body: Array(body.utf8)),
            as: exchangeContext)
    }

    /// Searches the workspace `main`; after it, the search index is kept up to date.
    func search(_ text: String) async throws {
        var query = ExchangeQuery(workspace: "main")
        query.text = text
        _ = try await store.list(query)
    }

    /// Throws unless the search index agrees with the content it was built from (FTS5, "The
    /// 'integrity-check' Command").
    func checkIndex() async throws {
        try await store.indexPending()
        try await store.database.write { connection in
            try connection.run(
                """
                INSERT INTO exchange_text (exchange_text, rank) \
                VALUES ('integrity-check', 1)
                """)
        }
    }

    static func ok(_ body: String = "{}") -> ExchangeResult.Outcome {
        .responded(
            UpstreamResponse(
                status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8)))
    }
}
