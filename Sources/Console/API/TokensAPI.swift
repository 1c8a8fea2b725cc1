import Core
import Simulator
import Web

/// `/api/tokens`: a token taken apart, a session's backend asked; and what is
/// tried with a session on purpose.
struct TokensAPI: Sendable {
    let sessions: SessionsAPI

    private var services: Services { sessions.services }

    /// Nothing of the token is kept, logged or told on.
    @Sendable func inspect(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        var body = try BodyReader(context.request)
        let given = body.requiredString("token", limit: TokensPages.maxTokenBytes)
        // The rest is checked of a text that could be read.
        try body.finish()
        let token = TokensPages.strippedToken(given)
        if token.isEmpty { body.addError("token", "is empty") }
        try body.finish()
        return .json(
            TokenInspection(
                token, backend: services.backend,
                now: services.now(in: try sessions.scopeResolver.workspace(of: context))
            ).json)
    }

    /// Whether the session's backend takes its access token now.
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
        let observation = try await SessionSourcesReader(
            services: services, signatureVerifier: sessions.signatureVerifier
        ).probe(
            session, token: number)
        return .json([
            "session": .string(session.id),
            "accepted": observation?.isAccepted.map(JSON.bool) ?? .null,
            "exchange": JSON(observation?.exchange),
            "call": JSON(observation?.call),
            "status": JSON(observation?.status),
            "at": JSON(observation?.at.iso8601),
            "why": .string(Self.probeExplanation(observation)),
        ])
    }

    /// Two tabs at once, an old token again, or an answer lost.
    @Sendable func runRefreshTest(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let session = try await services.session(of: context, sessions.scopeResolver)
        var body = try BodyReader(context.request)
        let kind = body.choice("kind", of: RefreshTest.Kind.self)
        if kind == nil, !body.has("kind") { body.addError("kind", "is missing") }
        let generation = body.integer("generation", in: Self.validNumbers)
        let token = body.integer("token", in: Self.validNumbers)
        let isNamed = body.has("generation") || body.has("token")
        if kind == .replay, !isNamed {
            body.addError(
                "generation",
                "is missing: which one is used again; or the number of a kept token, as token")
        }
        if let kind, kind != .replay {
            if generation != nil { body.addError("generation", "goes with kind replay only") }
            if token != nil { body.addError("token", "goes with kind replay only") }
        }
        if generation != nil, token != nil { body.addError("token", "goes without generation") }
        try body.finish()
        let simulator = services.simulator
        let trial: RefreshTest? =
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
            "session": .string(session.id), "kind": JSON(trial?.kind.rawValue),
            "sendings": .array(
                (trial?.requests ?? []).map { sending in
                    [
                        "exchange": .string(sending.exchange), "status": JSON(sending.status),
                        "outcome": .string(sending.outcome.rawValue),
                        "generation": JSON(sending.generation), "why": .string(sending.message),
                    ]
                }),
        ])
    }

    /// Those that tokens and generations can have.
    private static let validNumbers = 1...1_000_000

    private static func probeExplanation(_ observation: SessionObservation?) -> String {
        guard let observation else {
            return "The app makes no call that would tell. Its manifest can "
                + "name one: session.probe."
        }
        let status = observation.status.map { " with \($0)" }
        switch observation.isAccepted {
        case true?: return "\(observation.call) was answered\(status ?? "")."
        case false?: return "\(observation.call) was refused\(status ?? "")."
        case nil:
            return status.map { "\(observation.call) was answered\($0), which does not tell." }
                ?? "\(observation.call) got no answer."
        }
    }
}
