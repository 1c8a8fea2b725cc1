import Simulator
import Web

/// The buttons that put a session to the test; each is a real exchange.
extension SessionsPages {
    /// Asks the backend about the stored access token or, with `token`, about
    /// a kept one by its number.
    @Sendable func probe(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        let number = try Form(visit.request)["token"]?.given.map { try Self.number($0, "token") }
        let answered = try await EvidenceReader(services: services, judge: judge).probe(
            session, token: number)
        guard answered != nil else { throw Problem.noProbe }
        return .redirect(to: Links.session(session.id))
    }

    @Sendable func race(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        _ = try await services.simulator.race(session: session.id, in: session.workspace)
        return .redirect(to: Links.session(session.id))
    }

    @Sendable func replay(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        let number = try Self.number(try Form(visit.request)["token"] ?? "", "token")
        _ = try await services.simulator.replay(
            session: session.id, token: number, in: session.workspace)
        return .redirect(to: Links.session(session.id))
    }

    @Sendable func lose(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        _ = try await services.simulator.loseAnswer(session: session.id, in: session.workspace)
        return .redirect(to: Links.session(session.id))
    }

    /// Two access tokens of the session, claim by claim.
    @Sendable func compare(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["from", "to", "part"])
        let session = try await services.session(of: visit, visitors)
        let kept = try await services.simulator.keptTokens(
            ofSession: session.id, in: session.workspace
        ).filter { $0.kind == .access }
        let generations = try await services.simulator.generations(of: session)
        func held(_ name: String) throws -> (Session.Held, String) {
            guard let text = asked[name] else {
                guard let held = session.accessToken else { throw Problem.noToken(name) }
                return (held, "Now")
            }
            let number = try Self.number(text, "?" + name)
            guard let token = kept.first(where: { $0.number == number }) else {
                throw Problem.noToken(name)
            }
            return (token.held, generations.title(of: token))
        }
        let (before, beforeName) = try held("from")
        let (after, afterName) = try held("to")
        let page = Links.session(session.id)
        let model = CompareModel(
            frame: try await frames.frame(
                "Two tokens", place: "sessions", workspace: session.workspace, csrf: visit.csrf,
                partURL: Links.part(
                    page + "/compare", [("from", asked["from"]), ("to", asked["to"])])),
            backURL: page, backText: session.who,
            diff: TokenDiffModel(
                TokenDiff(before: before.parts, after: after.parts), before: beforeName,
                after: afterName),
            others: kept.count < 2
                ? []
                : zip(kept, kept.dropFirst()).map {
                    .init(
                        href: Links.compare(session.id, from: $0.number, to: $1.number),
                        text: [$0, $1].map { generations.name(of: $0).label }.joined(
                            separator: " → "))
                })
        return try PageParts(templates: services.templates, page: "sessions/compare", parts: [:])
            .answer(asked["part"], model, frame: model.frame)
    }

    private static func number(_ text: String, _ name: String) throws(Problem) -> Int {
        guard let number = Int(text), number > 0 else {
            throw Problem(
                status: 400, code: "bad-number", title: "That is no number of a token",
                detail: "\(name) must be a whole number above zero.")
        }
        return number
    }
}

extension Session.Held {
    /// What a comparison looks at.
    var parts: TokenParts { TokenParts(header: header, claims: claims) }
}

extension Problem {
    static var noProbe: Problem {
        Problem(
            status: 409, code: "no-probe", title: "Nothing can be asked",
            detail: "The app makes no call that only reads with its access"
                + " token. Its manifest can name one: session.probe.")
    }

    fileprivate static func noToken(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-token", title: "That access token is not kept",
            detail: "\(name) names none of this session's kept tokens.")
    }
}
