import Apps
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// The details of an exchange: what caused it, and where it was sent.
extension ExchangeBuilder {
    /// The cause, call, attempt, fault, backend and session; `base` is the base URL of the calls.
    func details(below base: String?) async throws -> [DetailModel] {
        var details = [DetailModel("Cause", ExchangeRowModel.causeChip(exchange.cause).text)]
        if let cause = exchange.causeEvent,
            let event = services.hub.events(in: exchange.workspace).first(where: { $0.id == cause })
        {
            details.append(DetailModel("Triggered by", event.title))
        }
        if let id = exchange.causeExchange {
            let cause = try await services.exchanges.detail(id, in: exchange.workspace)?.exchange
            var row = DetailModel(
                "After",
                cause.map { $0.method + " " + ExchangeRowModel.path($0, base: base) } ?? "Deleted")
            row.valueURL = cause.map { Links.exchange($0.id) }
            details.append(row)
        }
        var call = DetailModel("Call", exchange.call)
        call.valueURL = Links.url(Links.traffic, [("app", exchange.app), ("call", exchange.call)])
        details.append(call)
        if ![.replay, .manual].contains(exchange.cause) {
            details.append(DetailModel("Attempt", String(exchange.attempt)))
        }
        details.append(DetailModel("Fault", exchange.fault ?? "None"))
        details.append(DetailModel("Backend", backendName))
        if let address = detail.remoteAddress {
            details.append(DetailModel("Remote address", address))
        }
        if let session = try await session() {
            var row = DetailModel("Session", session.userLabel)
            row.valueURL = Links.session(session.id)
            details.append(row)
        }
        return details
    }

    private var backendName: String {
        app?.backends.first { $0.id == exchange.backend }?.label ?? exchange.backend
    }

    /// The device's session in this app at that time; a sign-in call belongs to the session it
    /// created.
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
