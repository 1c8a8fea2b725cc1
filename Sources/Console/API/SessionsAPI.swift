import Simulator
import Web

/// `/api/sessions`: stored sessions of all devices and apps.
struct SessionsAPI: Sendable {
    let services: Services
    let visitors: Visitors
    let judge: SignatureJudge

    @Sendable func list(_ visit: Visit) async throws -> Response {
        let paging = try Paging(visit, others: SessionsBuilder.filters)
        var query = try Self.query(
            visit.query(allowing: SessionsBuilder.filters + Paging.names),
            in: try visitors.workspace(of: visit))
        query.limit = paging.limit
        query.before = try paging.sequence()
        await services.simulator.checks.settle(in: query.workspace)
        let page = try await services.simulator.sessions(query)
        let verdicts = try await judge.verdicts(of: page.items.map(\.session))
        return .json(
            Paging.list(
                total: page.total, isWhole: page.totalIsWhole,
                page.items.map { item in item.session.json(signature: verdicts[item.session.id]) },
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    /// The filters of a list's address, for the API and the page alike.
    static func query(_ asked: [String: String], in workspace: String) throws(Problem)
        -> SessionQuery
    {
        var query = SessionQuery(workspace: workspace)
        query.app = asked["app"]
        query.device = asked["device"]
        query.backend = asked["backend"]
        query.text = asked["q"]?.given
        query.state = try Session.State.asked("state", in: asked)
        if let word = asked["disagrees"] {
            guard word == "true" else { throw .badParameter("disagrees", "can be true") }
            query.disagreeing = true
        }
        return query
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let session = try await services.session(of: visit, visitors)
        let evidence = try await EvidenceReader(services: services, judge: judge).evidence(
            of: session)
        return .json(try await evidence.session.detail(evidence, services.simulator))
    }

    @Sendable func refresh(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let session = try await services.session(of: visit, visitors)
        let refreshed = try await services.simulator.refresh(
            session: session.id, in: session.workspace)
        return .json(refreshed.json(signature: try await judge.verdict(refreshed)))
    }

    @Sendable func signOut(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        try await services.simulator.signOut(session: session.id, in: session.workspace)
        return .noContent
    }
}

extension Problem {
    static func unknownSession(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-session", title: "There is no such session",
            detail: "No session of this workspace has the id \(id.prefix(40)).",
            call: "GET /api/sessions lists them.")
    }
}
