import Simulator
import Surroundings
import Web

/// `/api/tokens`: a token taken apart, a session's backend asked; and what is
/// tried with a session on purpose.
struct TokensAPI: Sendable {
    let sessions: SessionsAPI

    private var services: Services { sessions.services }

    /// Nothing of the token is kept, logged or told on.
    @Sendable func inspect(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        var body = try BodyReader(visit.request)
        let given = body.required("token", limit: TokensPages.limit)
        // The rest is checked of a text that could be read.
        try body.finish()
        let token = TokensPages.bare(given)
        if token.isEmpty { body.fail("token", "is empty") }
        try body.finish()
        return .json(
            TokenReading(
                token, backend: services.backend,
                now: services.now(in: try sessions.visitors.workspace(of: visit))
            ).json)
    }

    /// Whether the session's backend takes its access token now.
    @Sendable func probe(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        var body = try BodyReader(visit.request)
        let id = body.required("session")
        let number = body.integer("token", in: Self.numbers)
        try body.finish()
        let workspace = try sessions.visitors.workspace(of: visit)
        guard let session = try await services.simulator.session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        let answered = try await EvidenceReader(services: services, judge: sessions.judge).probe(
            session, token: number)
        return .json([
            "session": .string(session.id),
            "accepted": answered?.isAccepted.map(JSON.bool) ?? .null,
            "exchange": JSON(answered?.exchange),
            "call": JSON(answered?.call),
            "status": JSON(answered?.status),
            "at": JSON(answered?.at.iso8601),
            "why": .string(Self.why(answered)),
        ])
    }

    /// Two tabs at once, an old token again, or an answer lost.
    @Sendable func trial(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let session = try await services.session(of: visit, sessions.visitors)
        var body = try BodyReader(visit.request)
        let kind = body.choice("kind", of: Trial.Kind.self)
        if kind == nil, !body.has("kind") { body.fail("kind", "is missing") }
        let generation = body.integer("generation", in: Self.numbers)
        let token = body.integer("token", in: Self.numbers)
        let isNamed = body.has("generation") || body.has("token")
        if kind == .replay, !isNamed {
            body.fail(
                "generation",
                "is missing: which one is used again; or the number of a kept token, as token")
        }
        if let kind, kind != .replay {
            if generation != nil { body.fail("generation", "goes with kind replay only") }
            if token != nil { body.fail("token", "goes with kind replay only") }
        }
        if generation != nil, token != nil { body.fail("token", "goes without generation") }
        try body.finish()
        let simulator = services.simulator
        let trial: Trial? =
            switch (kind, token) {
            case (.race, _): try await simulator.race(session: session.id, in: session.workspace)
            case (.replay, let token?):
                try await simulator.replay(session: session.id, token: token, in: session.workspace)
            case (.replay, nil):
                try await simulator.replay(
                    session: session.id, generation: generation ?? 0, in: session.workspace)
            case (.lostAnswer, _):
                try await simulator.loseAnswer(session: session.id, in: session.workspace)
            case (nil, _): nil
            }
        return .json([
            "session": .string(session.id), "kind": JSON(trial?.kind.rawValue),
            "sendings": .array(
                (trial?.sendings ?? []).map { sending in
                    [
                        "exchange": .string(sending.exchange), "status": JSON(sending.status),
                        "outcome": .string(sending.outcome.rawValue),
                        "generation": JSON(sending.generation), "why": .string(sending.words),
                    ]
                }),
        ])
    }

    /// Those that tokens and generations can have.
    private static let numbers = 1...1_000_000

    private static func why(_ answered: Answered?) -> String {
        guard let answered else {
            return "The app makes no call that would tell. Its manifest can "
                + "name one: session.probe."
        }
        let status = answered.status.map { " with \($0)" }
        switch answered.isAccepted {
        case true?: return "\(answered.call) was answered\(status ?? "")."
        case false?: return "\(answered.call) was refused\(status ?? "")."
        case nil:
            return status.map { "\(answered.call) was answered\($0), which does not tell." }
                ?? "\(answered.call) got no answer."
        }
    }
}
