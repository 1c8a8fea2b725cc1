import Inspection
import Simulator
import Web

/// `/api/sessions`: stored sessions of all devices and apps.
struct SessionsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let signatureVerifier: SignatureVerifier

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let paging = try Paging(context, otherParameters: SessionsBuilder.filters)
        var query = try SessionQuery(
            context.query(allowing: SessionsBuilder.filters + Paging.parameterNames),
            in: try scopeResolver.workspace(of: context))
        query.limit = paging.limit
        query.before = try paging.sequence()
        await services.simulator.sessionChecks.waitUntilIdle(in: query.workspace)
        let page = try await services.simulator.sessions(query)
        let verdicts = try await signatureVerifier.verdicts(of: page.items.map(\.session))
        return .json(
            Paging.list(
                total: page.total, isExact: page.totalIsExact,
                page.items.map { item in item.session.json(signature: verdicts[item.session.id]) },
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let session = try await services.session(of: context, scopeResolver)
        let sources = try await services.sessionSourcesReader.sources(
            of: session)
        return .json(try await sources.session.detailJSON(sources, services.simulator))
    }

    @Sendable func refresh(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        let session = try await services.session(of: context, scopeResolver)
        let refreshed = try await services.simulator.refresh(
            session: session.id, in: session.workspace)
        return .json(refreshed.json(signature: try await signatureVerifier.verdict(refreshed)))
    }

    @Sendable func signOut(_ context: RequestContext) async throws -> Response {
        let session = try await services.session(of: context, scopeResolver)
        try await services.simulator.signOut(session: session.id, in: session.workspace)
        return .noContent
    }
}

extension Problem {
    static func unknownSession(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-session", title: "Unknown session",
            detail: "No session of this workspace has the id \(id.prefix(40)).",
            apiHint: "GET /api/sessions lists them.")
    }
}
