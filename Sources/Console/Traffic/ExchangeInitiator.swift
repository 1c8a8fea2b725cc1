import Apps
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Why an exchange left, and what it belongs to.
struct ExchangeInitiator {
    let services: Services
    let detail: ExchangeDetail
    /// Of the app's calls; paths are told below it.
    let base: String?

    private var exchange: Exchange { detail.exchange }

    func details() async throws -> [DetailModel] {
        var facts = [DetailModel("cause", ExchangeRowModel.causeChip(exchange.cause).text)]
        if let cause = exchange.causeEvent,
            let event = services.hub.events(in: exchange.workspace).first(where: { $0.id == cause })
        {
            facts.append(DetailModel("because", event.title))
        }
        if let id = exchange.causeExchange {
            let cause = try await services.exchanges.detail(id, in: exchange.workspace)?.exchange
            var fact = DetailModel(
                "after",
                cause.map { $0.method + " " + ExchangeRowModel.path($0, base: base) }
                    ?? "one that is forgotten")
            fact.valueURL = cause.map { Links.exchange($0.id) }
            facts.append(fact)
        }
        var call = DetailModel("call", exchange.call)
        call.valueURL = Links.url(Links.traffic, [("app", exchange.app), ("call", exchange.call)])
        facts.append(call)
        if ![.replay, .manual].contains(exchange.cause) {
            facts.append(DetailModel("attempt", String(exchange.attempt)))
        }
        facts.append(DetailModel("condition", exchange.fault ?? "none"))
        facts.append(DetailModel("backend", backendName))
        if let address = detail.remoteAddress { facts.append(DetailModel("answered by", address)) }
        if let session = try await session() {
            var fact = DetailModel("session", session.userLabel)
            fact.valueURL = Links.session(session.id)
            facts.append(fact)
        }
        return facts
    }

    private var backendName: String {
        services.appCatalog.app(exchange.app)?.backends.first { $0.id == exchange.backend }?.label
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
