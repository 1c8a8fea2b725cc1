import Simulator
import Web

/// `/api/sessions`: stored sessions of all devices and apps.
struct SessionsAPI: Sendable {
    let services: Services
    let visitors: Visitors
    let judge: SignatureJudge

    @Sendable func list(_ visit: Visit) async throws -> Response {
        var query = SessionQuery(workspace: try visitors.workspace(of: visit))
        let names = ["app", "device", "backend", "state", "disagrees", "q"]
        let paging = try Paging(visit, others: names)
        let asked = try visit.query(allowing: names + Paging.names)
        query.app = asked["app"]
        query.device = asked["device"]
        query.backend = asked["backend"]
        query.text = asked["q"]
        if let word = asked["disagrees"] {
            guard word == "true" else {
                throw Problem.badParameter("disagrees", "can be true")
            }
            query.disagreeing = true
        }
        query.limit = paging.limit
        query.before = try paging.sequence()
        if let word = asked["state"] {
            guard let state = Session.State(rawValue: word) else {
                let known = Session.State.allCases.map(\.rawValue)
                throw Problem.badParameter(
                    "state", "can be \(known.joined(separator: ", "))")
            }
            query.state = state
        }
        let page = try await services.simulator.sessions(query)
        let verdicts = try await judge.verdicts(
            of: page.items.map(\.session))
        let drift = try await EvidenceReader(
            services: services, judge: judge
        ).drift(of: page.items.map(\.session))
        return .json(
            Paging.list(
                total: page.total, isWhole: page.totalIsWhole,
                page.items.map { item in
                    var session = item.session
                    session.disagreements = drift[session.id] ?? 0
                    return session.json(signature: verdicts[session.id])
                },
                next: page.hasOlder
                    ? page.items.last.map { String($0.sequence) } : nil))
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let session = try await named(visit)
        let reader = EvidenceReader(services: services, judge: judge)
        let evidence = try await reader.evidence(of: session)
        if session.endedAt == nil {
            let drift = ThreeViews(evidence: evidence).drift
            try await reader.keep([session.id: drift], [session])
        }
        return .json(try await session.detail(evidence, services.simulator))
    }

    @Sendable func refresh(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let session = try await named(visit)
        let refreshed = try await services.simulator.refresh(
            session: session.id, in: session.workspace)
        return .json(
            refreshed.json(signature: try await judge.verdict(refreshed)))
    }

    @Sendable func signOut(_ visit: Visit) async throws -> Response {
        let session = try await named(visit)
        try await services.simulator.signOut(
            session: session.id, in: session.workspace)
        return .noContent
    }

    func named(_ visit: Visit) async throws -> Session {
        let id = visit.parameters["session"] ?? ""
        let workspace = try visitors.workspace(of: visit)
        guard
            let session = try await services.simulator.session(
                id, in: workspace)
        else { throw Problem.unknownSession(id) }
        return session
    }
}

extension Problem {
    static func unknownSession(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-session",
            title: "There is no such session",
            detail: """
                No session of this workspace has the id \(id.prefix(40)). \
                GET /api/sessions lists them.
                """)
    }
}
