import Simulator
import Surroundings
import Traffic
import Web

/// `/traffic` and `/traffic/{exchange}`: what left, what came back, and what
/// it caused.
struct TrafficPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/traffic", handler: list),
            Route(.get, "/traffic/har", handler: archiveList),
            Route(.get, "/traffic/forget", handler: askForget),
            Route(.post, "/traffic/forget", handler: forget),
            Route(.get, "/traffic/{exchange}", handler: show),
            Route(.get, "/traffic/{exchange}/har", handler: archive),
            Route(.get, "/traffic/{exchange}/curl", handler: curl),
        ] + TrafficCopies(services: services, visitors: visitors).routes
            + ImportPages(services: services, visitors: visitors, frames: frames).routes
            + ResendPages(services: services, visitors: visitors, frames: frames).routes
            + DiffPages(services: services, visitors: visitors, frames: frames).routes
    }

    // MARK: The list

    @Sendable private func list(_ visit: Visit) async throws -> Response {
        let (query, session, asked) = try await query(visit, others: Keyset.names + ["part"])
        let model = try await TrafficBuilder(
            services: services, frames: frames, csrf: visit.csrf,
            listing: try Listing(Links.traffic, filters: TrafficBuilder.filters, asked: asked),
            query: query, session: session
        ).build()
        return try PageParts.list("traffic", services.templates).answer(
            asked["part"], model, frame: model.frame)
    }

    /// The newest that the filters let through, tokens masked.
    @Sendable private func archiveList(_ visit: Visit) async throws -> Response {
        var (query, _, _) = try await query(visit, others: [])
        query.limit = Self.archiveLimit
        return har(try await services.archive(query), named: "traffic")
    }

    private static let archiveLimit = 500

    /// What an address asks for; `session` stands for its app, its device and
    /// its time.
    private func query(_ visit: Visit, others: [String]) async throws -> (
        ExchangeQuery, Session?, asked: [String: String]
    ) {
        let workspace = try visitors.workspace(of: visit)
        var query = try ExchangesAPI.query(
            visit, workspace: workspace, others: others + ["session", "span"])
        let asked = try visit.query(allowing: TrafficBuilder.filters + others)
        if let span = asked["span"], !TrafficNarrowing.spans.contains(span) {
            throw Problem.badParameter(
                "span", "can be \(TrafficNarrowing.spans.joined(separator: ", "))")
        }
        guard let id = asked["session"] else { return (query, nil, asked) }
        guard let session = try await services.simulator.session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        let own = try await services.exchanges(of: session)
        query.app = own.app
        query.device = own.device
        query.from = own.from
        query.until = own.until
        return (query, session, asked)
    }

    @Sendable private func askForget(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let workspace = try visitors.workspace(of: visit)
        let count = try await services.exchanges.totals(workspace: workspace).all
        let model = ConfirmModel(
            frame: try await frames.frame(
                "Forget traffic", place: "traffic", workspace: workspace, csrf: visit.csrf,
                partURL: Links.part(Links.traffic, [])), csrf: visit.csrf,
            confirm: ConfirmModel.Confirm(
                action: Links.forgetTraffic, question: "Forget \(Words.count(count, "exchange"))?",
                consequence: "Sessions, storage and mail are kept. What the "
                    + "apps send from now on is recorded again.",
                yes: "Forget \(Words.count(count))", no: "Keep them", backURL: Links.traffic,
                destroys: true))
        return try PageParts.confirm(part, model, services.templates)
    }

    @Sendable private func forget(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        _ = try await services.exchanges.forget(workspace: workspace)
        services.hub.publish(
            EventDraft(
                workspace: workspace, kind: .exchangesForgotten, title: "Recorded traffic forgotten"
            ))
        return .redirect(to: Links.traffic)
    }

    // MARK: One

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let model = try await ExchangeBuilder(
            services: services, frames: frames,
            detail: try await services.exchange(of: visit, visitors), csrf: visit.csrf
        ).build()
        return try PageParts(templates: services.templates, page: "traffic/exchange", parts: [:])
            .answer(part, model, frame: model.frame)
    }

    @Sendable private func archive(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let detail = try await services.exchange(of: visit, visitors)
        return har(HAR.archive([detail], version: services.version), named: detail.exchange.id)
    }

    /// A command that works: its tokens stand whole, so it is noted on the
    /// timeline as every reveal is.
    @Sendable private func curl(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let detail = try await services.exchange(of: visit, visitors)
        let tokens = try await services.tokens(of: detail)
        services.note(copied: detail)
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
