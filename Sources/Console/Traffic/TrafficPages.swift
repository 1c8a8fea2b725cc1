import Core
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
            Route(.get, Links.clearTraffic, handler: confirmClear),
            Route(.post, Links.clearTraffic, handler: clear),
            Route(.get, Links.exchange, handler: show),
            Route(.get, Links.exchangeArchive, handler: exportExchange),
            Route(.get, Links.curl, handler: curl),
        ] + ExchangeTextPages(services: services).routes + ImportPages(services: services).routes
            + ResendPages(services: services).routes + DiffPages(services: services).routes
    }

    // MARK: The list

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        let (query, session) = try await query(context, others: Keyset.parameterNames + ["part"])
        let page = try await TrafficBuilder(
            services: services,
            listing: try ListQuery(context, Links.traffic, filters: TrafficBuilder.filterNames),
            query: query, session: session
        ).build()
        return try await services.respondWithList(to: context, page, "traffic")
    }

    /// Exports the newest exchanges that match the filters, with masked tokens.
    @Sendable private func exportList(_ context: RequestContext) async throws -> Response {
        var (query, _) = try await query(context, others: [])
        query.limit = Self.archiveLimit
        return har(try await services.harArchive(query), named: "traffic")
    }

    private static let archiveLimit = 500

    /// The filters in the query parameters; `session` sets app, device and time range.
    private func query(_ context: RequestContext, others: [String]) async throws -> (
        ExchangeQuery, Session?
    ) {
        let workspace = try services.workspace(of: context)
        var query = try ExchangeQuery(
            context, workspace: workspace, otherParameters: others + ["session", "span"])
        let parameters = try context.query(allowing: TrafficBuilder.filterNames + others)
        if let span = parameters["span"], !MoreFilters.timeSpans.contains(span) {
            throw Problem.badParameter(
                "span", "can be \(MoreFilters.timeSpans.joined(separator: ", "))")
        }
        guard let id = parameters["session"] else { return (query, nil) }
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

    @Sendable private func confirmClear(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let workspace = try services.workspace(of: context)
        let count = try await services.exchanges.totals(workspace: workspace).all
        return try await services.confirm(
            context, "Clear traffic", navItem: "traffic",
            ConfirmModel(
                action: Links.clearTraffic, question: "Delete \(Format.count(count, "request"))?",
                consequence: "Sessions, storage and mail are not affected. "
                    + "New requests are still recorded.",
                confirmLabel: "Delete \(Format.count(count, "request"))", backURL: Links.traffic))
    }

    @Sendable private func clear(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        _ = try await services.exchanges.clear(workspace: workspace)
        services.hub.publish(
            EventDraft(workspace: workspace, kind: .exchangesCleared, title: "Traffic cleared"))
        return .redirect(to: Links.traffic)
    }

    // MARK: One

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let page = try await ExchangeBuilder(
            services: services, detail: try await services.exchange(of: context)
        ).build()
        return try await services.respond(to: context, page, "traffic/exchange")
    }

    @Sendable private func exportExchange(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let detail = try await services.exchange(of: context)
        return har(HAR.archive([detail], version: services.version), named: detail.exchange.id)
    }

    /// A command that works: it contains unmasked tokens, so it is logged on the timeline like
    /// every reveal.
    @Sendable private func curl(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let detail = try await services.exchange(of: context)
        let tokens = try await services.exchanges.unmaskedTokens(of: detail)
        services.publishReveal(of: detail)
        return Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(Array((Curl.command(detail, tokens: tokens) + "\n").utf8)))
    }

    private func har(_ archive: JSON, named name: String) -> Response {
        var response = Response.json(archive)
        response.headers["Content-Disposition"] = "attachment; filename=\"foyer-\(name).har\""
        return response
    }
}
