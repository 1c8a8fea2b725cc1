import Core
import Traffic
import Web

/// Serves an exchange as plain text, and its tokens individually.
struct ExchangeTextPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.exchangeText, handler: showMasked),
            Route(.get, Links.unmaskedExchangeText, handler: showUnmasked),
            Route(.get, Links.exchangeToken, handler: showToken),
        ]
    }

    @Sendable private func showMasked(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return .plainText(RawHTTP.text(try await services.exchange(of: context)))
    }

    /// Contains unmasked tokens, so it is logged on the timeline.
    @Sendable private func showUnmasked(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let detail = try await services.exchange(of: context)
        let tokens = try await services.exchanges.unmaskedTokens(of: detail)
        services.publishReveal(of: detail)
        return .plainText(RawHTTP.text(detail, tokens: tokens))
    }

    /// Shows one unmasked token; logged too.
    @Sendable private func showToken(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let detail = try await services.exchange(of: context)
        let exchange = detail.exchange
        guard let index = context.parameters["token"].flatMap(Int.init),
            detail.tokens.indices.contains(index),
            let token = try await services.exchanges.reveal(
                token: index, of: exchange.id, in: exchange.workspace)
        else {
            throw Problem(
                status: 404, code: "unknown-token", title: "Unknown token",
                detail: "This request has \(Format.count(detail.tokens.count, "token")).")
        }
        services.hub.publish(
            EventDraft(
                workspace: exchange.workspace, kind: .storageRevealed, app: exchange.app,
                device: exchange.device,
                title: "Token \(detail.tokens[index]) of \(exchange.method) "
                    + "\(Exchange.elidingTokens(exchange.pathAndQuery)) revealed"))
        return .plainText(token)
    }
}

extension Response {
    static func plainText(_ text: String) -> Response {
        Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(Array(text.utf8)))
    }
}
