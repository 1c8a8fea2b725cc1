import Core
import Inspection
import Simulator
import Web

/// `/api/tokens`: token inspection, token checks and refresh tests.
struct TokensAPI: Sendable {
    let sessions: SessionsAPI

    private var services: Services { sessions.services }

    /// The token is not stored, logged or published.
    @Sendable func inspect(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        var body = try BodyReader(context.request)
        let text = body.requiredString("token", limit: TokensPages.maxTokenBytes)
        // Further checks need a readable string.
        try body.finish()
        let token = TokensPages.strippedToken(text)
        if token.isEmpty { body.addError("token", "is empty") }
        try body.finish()
        return .json(
            TokenInspection(
                token, backend: services.backend,
                now: services.now(in: try sessions.scopeResolver.workspace(of: context))
            ).json)
    }

    /// Checks whether the session's backend accepts the access token now.
    @Sendable func probe(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        var body = try BodyReader(context.request)
        let id = body.requiredString("session")
        let number = body.integer("token", in: Self.validNumbers)
        try body.finish()
        let workspace = try sessions.scopeResolver.workspace(of: context)
        guard let session = try await services.simulator.session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        let observation = try await services.sessionSourcesReader.probe(
            session, token: number)
        return .json([
            "session": .string(session.id),
            "accepted": observation?.isAccepted.map(JSON.bool) ?? .null,
            "exchange": JSON(observation?.exchange),
            "call": JSON(observation?.call),
            "status": JSON(observation?.status),
            "at": JSON(observation?.at.iso8601),
            "reason": .string(Self.probeExplanation(observation)),
        ])
    }

    /// Runs a refresh test: concurrent refresh, token reuse or a dropped response.
    @Sendable func runRefreshTest(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let session = try await services.session(of: context, sessions.scopeResolver)
        var body = try BodyReader(context.request)
        let kind = body.choice("kind", of: RefreshTest.Kind.self)
        if kind == nil, !body.has("kind") { body.addError("kind", "is missing") }
        let generation = body.integer("generation", in: Self.validNumbers)
        let token = body.integer("token", in: Self.validNumbers)
        let namesToken = body.has("generation") || body.has("token")
        if kind == .replay, !namesToken {
            body.addError(
                "generation",
                "is missing; give the generation to reuse, or token, a stored token's number")
        }
        if let kind, kind != .replay {
            if generation != nil { body.addError("generation", "requires kind replay") }
            if token != nil { body.addError("token", "requires kind replay") }
        }
        if generation != nil, token != nil {
            body.addError("token", "cannot be combined with generation")
        }
        try body.finish()
        let simulator = services.simulator
        let refreshTest: RefreshTest? =
            switch (kind, token) {
            case (.concurrent, _):
                try await simulator.testConcurrentRefresh(
                    session: session.id, in: session.workspace)
            case (.replay, let token?):
                try await simulator.testTokenReuse(
                    session: session.id, token: token, in: session.workspace)
            case (.replay, nil):
                try await simulator.testTokenReuse(
                    session: session.id, generation: generation ?? 0, in: session.workspace)
            case (.dropResponse, _):
                try await simulator.testDroppedResponse(session: session.id, in: session.workspace)
            case (nil, _): nil
            }
        return .json([
            "session": .string(session.id), "kind": JSON(refreshTest?.kind.rawValue),
            "requests": .array(
                (refreshTest?.requests ?? []).map { request in
                    [
                        "exchange": .string(request.exchange), "status": JSON(request.status),
                        "outcome": .string(request.outcome.rawValue),
                        "generation": JSON(request.generation), "reason": .string(request.message),
                    ]
                }),
        ])
    }

    /// The numbers that tokens and generations can have.
    private static let validNumbers = 1...1_000_000

    private static func probeExplanation(_ observation: SessionObservation?) -> String {
        guard let observation else {
            return "The app has no call that checks a token. Its manifest can "
                + "name one: session.probe."
        }
        let status = observation.status.map { " with \($0)" }
        switch observation.isAccepted {
        case true?: return "\(observation.call) was accepted\(status ?? "")."
        case false?: return "\(observation.call) was rejected\(status ?? "")."
        case nil:
            return status.map { "\(observation.call) was inconclusive\($0)." }
                ?? "\(observation.call) got no response."
        }
    }
}
