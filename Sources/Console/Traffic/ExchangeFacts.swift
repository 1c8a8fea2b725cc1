import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Why an exchange left, and what it belongs to.
struct ExchangeFacts {
    let services: Services
    let detail: ExchangeDetail
    /// Of the app's calls; paths are told below it.
    let base: String?

    private var exchange: Exchange { detail.exchange }

    func list() async throws -> [FactModel] {
        var facts = [FactModel("cause", ExchangeRowModel.cause(exchange.cause).text)]
        if let cause = exchange.causeEvent,
            let event = services.hub.events(in: exchange.workspace).first(where: { $0.id == cause })
        {
            facts.append(FactModel("because", event.title))
        }
        if let id = exchange.causeExchange {
            let cause = try await services.exchanges.detail(id, in: exchange.workspace)?.exchange
            var fact = FactModel(
                "after",
                cause.map { $0.method + " " + ExchangeRowModel.path($0, base: base) }
                    ?? "one that is forgotten")
            fact.factURL = cause.map { Links.exchange($0.id) }
            facts.append(fact)
        }
        var call = FactModel("call", exchange.call)
        call.factURL = Links.query(Links.traffic, [("app", exchange.app), ("call", exchange.call)])
        facts.append(call)
        if ![.replay, .hand].contains(exchange.cause) {
            facts.append(FactModel("attempt", String(exchange.attempt)))
        }
        facts.append(FactModel("condition", exchange.condition ?? "none"))
        facts.append(FactModel("backend", backendName))
        if let address = detail.remoteAddress { facts.append(FactModel("answered by", address)) }
        if let session = try await session() {
            var fact = FactModel("session", session.who)
            fact.factURL = Links.session(session.id)
            facts.append(fact)
        }
        return facts
    }

    private var backendName: String {
        services.catalogue.app(exchange.app)?.backends.first { $0.id == exchange.backend }?.label
            ?? exchange.backend
    }

    /// The session the device had in this app then; the call that signed in
    /// counts to the one it began.
    private func session() async throws -> Session? {
        var query = SessionQuery(workspace: exchange.workspace)
        query.app = exchange.app
        query.device = exchange.device
        let end = exchange.startedAt.addingTimeInterval(exchange.timings.total / 1_000 + 1)
        return try await services.simulator.sessions(query).items.map(\.session).first { session in
            session.createdAt <= end && (session.endedAt ?? .distantFuture) >= exchange.startedAt
        }
    }
}
