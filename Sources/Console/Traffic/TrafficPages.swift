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
            .page(Links.clearTraffic, handler: confirmClear),
            Route(.post, Links.clearTraffic, handler: clear),
            .page(Links.exchange, handler: show),
            Route(.get, Links.exchangeArchive, handler: exportExchange),
            unmasked(Links.curl) { Curl.command($0, tokens: $1) + "\n" },
            Route(.get, Links.exchangeText, handler: showText),
            unmasked(Links.unmaskedExchangeText) { RawHTTP.text($0, tokens: $1) },
            Route(.get, Links.exchangeToken, handler: showToken),
        ] + ImportPages(services: services).routes + ResendPages(services: services).routes
            + DiffPages(services: services).routes
    }

    // MARK: The list

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        var filters = TrafficFilters()
        let listing = try ListQuery(context, Links.traffic, filters: TrafficFilters.names) {
            filters = TrafficFilters(&$0)
        }
        let (query, session) = try await query(context, filters)
        let model = try await TrafficBuilder(
            services: services, listing: listing, query: query, session: session
        ).build()
        return try await services.respond(to: context, listing, model)
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
    private func query(_ context: RequestContext, _ filters: TrafficFilters) async throws -> (
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

    @Sendable private func confirmClear(_ context: RequestContext) async throws -> Response {
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
        try await services.clearTraffic(in: services.workspace(of: context))
        return .redirect(to: Links.traffic)
    }

    // MARK: One

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
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

/// The filters of the page: those of the API, and its own.
struct TrafficFilters {
    /// A query whose workspace is not set.
    var query = ExchangeQuery(workspace: "")
    /// The session the list is filtered by.
    var session: String?

    static let names: [String] = {
        var reader = QueryReader()
        _ = Self(&reader)
        return reader.parameters.map(\.name)
    }()
}

extension TrafficFilters {
    init(_ reader: inout QueryReader) {
        query = ExchangeQuery(&reader)
        _ = reader.value(
            "span", "", schema: Schema.string,
            rule: "can be \(MoreFilters.timeSpans.joined(separator: ", "))"
        ) { MoreFilters.timeSpans.contains($0) ? $0 : nil }
        session = reader.string("session", "")
    }
}

/// The filters of a list of requests, as URL parameters of the API and the page.
extension ExchangeQuery {
    /// A query whose workspace is not set.
    init(_ query: inout QueryReader) {
        self.init(workspace: "")
        app = query.string("app", "An app's id.")
        device = query.string("device", "A device's id.")
        call = query.string("call", "A call's name.")
        cause = query.choice("cause", "What initiated it.", of: ExchangeContext.Cause.self)
        status = query.value(
            "status", "401, 4xx, error (400 and above) or failed (no response).",
            schema: Schema.string,
            rule: "must be 401, 4xx, error (400 and above) or failed (no response)",
            convert: Self.statusFilter)
        let fault = query.choice("fault", "Only those affected by a fault.", among: ["applied"])
        onlyFaulted = fault != nil
        onlyRuled =
            query.choice("rule", "Only those that a rule matched.", among: ["applied"]) != nil
        hasToken = query.choice(
            "token", "Whether the request or the response has a token.", among: ["yes", "no"]
        ).map { $0 == "yes" }
        from = query.time("since", "Sent at this time or later.")
        until = query.time("until", "Sent at this time or earlier.")
        text =
            query.string(
                "q",
                "Words in URL and bodies, each a prefix (auth matches /auth/me, "
                    + "not /oauth). Punctuation alone matches nothing.")?.nonEmpty
    }

    /// A query with the filters in `parameters`, whose names were already checked.
    init(_ parameters: [String: String], workspace: String) throws(Problem) {
        var reader = QueryReader(parameters)
        self.init(&reader)
        try reader.finish()
        self.workspace = workspace
    }

    /// `401`, `4xx`, `failed` (no response) or `error` (400 and above).
    private static func statusFilter(_ word: String) -> StatusFilter? {
        switch word {
        case "failed": return .noResponse
        case "error": return .httpError
        case "2xx": return .statusClass(2)
        case "3xx": return .statusClass(3)
        case "4xx": return .statusClass(4)
        case "5xx": return .statusClass(5)
        default: return Int(word).flatMap { (100...599).contains($0) ? .exact($0) : nil }
        }
    }
}
