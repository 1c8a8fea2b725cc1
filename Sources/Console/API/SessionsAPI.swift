import Simulator
import Web

/// `/api/sessions`: stored sessions of all devices and apps.
struct SessionsAPI: Sendable {
    let services: Services
    let visitors: Visitors
    let judge: SignatureJudge

    @Sendable func list(_ visit: Visit) async throws -> Response {
        var query = SessionQuery(workspace: try visitors.workspace(of: visit))
        let names = ["app", "device", "backend", "state", "q"]
        let paging = try Paging(visit, others: names)
        let asked = try visit.query(allowing: names + Paging.names)
        query.app = asked["app"]
        query.device = asked["device"]
        query.backend = asked["backend"]
        query.text = asked["q"]
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
        return .json(
            Paging.list(
                total: page.total,
                page.items.map { $0.session.json(
                    signature: verdicts[$0.session.id]) },
                next: page.hasOlder
                    ? page.items.last.map { String($0.sequence) } : nil))
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let session = try await named(visit)
        return .json(session.json(signature: try await judge.verdict(session)))
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

    private func named(_ visit: Visit) async throws -> Session {
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
