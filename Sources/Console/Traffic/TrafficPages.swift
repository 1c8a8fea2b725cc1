import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// `/traffic` and `/traffic/{exchange}`: the recorded exchanges, as a list and one by one.
struct TrafficPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.traffic, handler: list),
            Route(.get, Links.trafficArchive, handler: exportList),
            .page(Links.exchange, handler: show),
            Route(.get, Links.exchangeArchive, handler: exportExchange),
            Route(.get, Links.exchangeText, handler: showText),
            unmasked(Links.unmaskedExchangeText) { RawHTTP.text($0, tokens: $1) },
            Route(.get, Links.exchangeToken, handler: showToken),
        ]
            + RequestCode.allCases.map { code in
                unmasked(Links.code(code)) { code.text($0, tokens: $1) + "\n" }
            } + deletionRoutes + ImportPages(services: services).routes
            + ResendPages(services: services).routes
            + NewRequestPages(services: services).routes + DiffPages(services: services).routes
    }

    // MARK: The list

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        var filters = TrafficFilters()
        let listing = try ListQuery(context, Links.traffic, filters: TrafficFilters.names) {
            filters = TrafficFilters(&$0, checksSearch: false)
        }
        let (query, session) = try await query(context, filters)
        let model = try await TrafficBuilder(
            services: services, listing: listing, query: query, session: session
        ).build()
        return try await services.respond(
            to: context, listing, model, script: "traffic.js",
            parts: ["recording": "traffic/recording", "pause": "traffic/pause"],
            status: query.searchErrors.isEmpty ? 200 : 400)
    }

    /// Exports the newest exchanges that match the filters, with masked tokens.
    @Sendable private func exportList(_ context: RequestContext) async throws -> Response {
        var reader = QueryReader(context)
        let filters = TrafficFilters(&reader)
        try reader.finish()
        var (query, _) = try await query(context, filters)
        query.keyset.limit = Self.archiveLimit
        return har(try await services.harArchive(query), named: "traffic")
    }

    private static let archiveLimit = 500

    /// The exchanges that the filters select; a session sets app, device and time range.
    func query(_ context: RequestContext, _ filters: TrafficFilters) async throws -> (
        ExchangeQuery, Session?
    ) {
        let workspace = try services.workspace(of: context)
        var query = filters.query
        query.workspace = workspace
        guard let id = filters.session else { return (query, nil) }
        guard let session = try await services.simulator.session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        let sessionQuery = try await services.exchangeQuery(of: session)
        query.app = sessionQuery.app
        query.device = sessionQuery.device
        query.from = sessionQuery.from
        query.until = sessionQuery.until
        return (query, session)
    }

    // MARK: One

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let id = context.parameters["exchange"] ?? ""
        let isPaused = services.rules.paused(in: try services.workspace(of: context)).contains {
            $0.id == id
        }
        if isPaused { return .redirect(to: Links.intercepted(id)) }
        let page = try await ExchangeBuilder(
            services: services, detail: try await services.exchange(of: context)
        ).build()
        return try await services.respond(
            to: context, page, "traffic/exchange", parts: ["pane": "traffic/pane"])
    }

    @Sendable private func exportExchange(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let detail = try await services.exchange(of: context)
        return har(HAR.archive([detail], version: services.version), named: detail.exchange.id)
    }

    @Sendable private func showText(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return .plainText(RawHTTP.text(try await services.exchange(of: context)))
    }

    /// An exchange as text with unmasked tokens, which is logged on the timeline like every reveal.
    private func unmasked(
        _ path: PagePath, _ text: @escaping @Sendable (ExchangeDetail, [String]) -> String
    ) -> Route {
        Route(.get, path) { context in
            _ = try context.query(allowing: [])
            let detail = try await services.exchange(of: context)
            let tokens = try await services.exchanges.unmaskedTokens(of: detail)
            if !detail.tokens.isEmpty {
                services.publishReveal(of: detail.exchange) { "\($0) copied with unmasked tokens" }
            }
            return .plainText(text(detail, tokens))
        }
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
            throw Problem.unknown(
                "token", "This request has \(Format.count(detail.tokens.count, "token")).")
        }
        services.publishReveal(of: exchange) { "Token \(detail.tokens[index]) of \($0) revealed" }
        return .plainText(token)
    }

    private func har(_ archive: JSON, named name: String) -> Response {
        .download(archive.bytes, "application/json", as: "foyer-\(name).har")
    }
}

extension Response {
    static func plainText(_ text: String) -> Response {
        Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(Array(text.utf8)))
    }
}
