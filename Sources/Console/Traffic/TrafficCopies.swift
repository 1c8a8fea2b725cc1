import Surroundings
import Traffic
import Web

/// An exchange as text to take along, and its tokens by name.
struct TrafficCopies: Sendable {
    let services: Services
    let visitors: Visitors

    var routes: [Route] {
        [
            Route(.get, "/traffic/{exchange}/text", handler: masked),
            Route(.get, "/traffic/{exchange}/text/whole", handler: whole),
            Route(.get, "/traffic/{exchange}/tokens/{token}", handler: token),
        ]
    }

    @Sendable private func masked(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        return .plain(RawHTTP.text(try await services.exchange(of: visit, visitors)))
    }

    /// Its tokens stand whole, so it is noted on the timeline.
    @Sendable private func whole(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let detail = try await services.exchange(of: visit, visitors)
        let tokens = try await services.tokens(of: detail)
        services.note(copied: detail)
        return .plain(RawHTTP.text(detail, tokens: tokens))
    }

    /// One token, whole; noted likewise.
    @Sendable private func token(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let detail = try await services.exchange(of: visit, visitors)
        let exchange = detail.exchange
        guard let index = visit.parameters["token"].flatMap(Int.init),
            detail.tokens.indices.contains(index),
            let token = try await services.exchanges.reveal(
                token: index, of: exchange.id, in: exchange.workspace)
        else {
            throw Problem(
                status: 404, code: "unknown-token", title: "There is no such token",
                detail: "This exchange carried \(detail.tokens.count).")
        }
        services.hub.publish(
            EventDraft(
                workspace: exchange.workspace, kind: .revealed, app: exchange.app,
                device: exchange.device,
                title: "token \(detail.tokens[index]) of \(exchange.method) "
                    + "\(Exchange.shortened(exchange.path)) shown whole"))
        return .plain(token)
    }
}

extension Response {
    static func plain(_ text: String) -> Response {
        Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(Array(text.utf8)))
    }
}
