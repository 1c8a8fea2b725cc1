import Inspection
import Simulator
import Web

/// The buttons that test a session; each sends real requests.
extension SessionsPages {
    /// Checks the stored access token at the backend or, with `token`, the archived one with that
    /// number.
    @Sendable func probe(_ session: Session, _ context: RequestContext) async throws {
        let number = try Form(context.request)["token"]?.nonEmpty.map {
            try Self.parseNumber($0, "token")
        }
        let observation = try await services.sessionSourcesReader.probe(session, token: number)
        guard observation != nil else { throw Problem.probeUnavailable }
    }

    @Sendable func testConcurrentRefresh(_ session: Session, _: RequestContext) async throws {
        _ = try await services.simulator.testConcurrentRefresh(
            session: session.id, in: session.workspace)
    }

    @Sendable func testTokenReuse(_ session: Session, _ context: RequestContext) async throws {
        let number = try Self.parseNumber(try Form(context.request)["token"] ?? "", "token")
        _ = try await services.simulator.testTokenReuse(
            session: session.id, token: number, in: session.workspace)
    }

    @Sendable func testDroppedResponse(_ session: Session, _: RequestContext) async throws {
        _ = try await services.simulator.testDroppedResponse(
            session: session.id, in: session.workspace)
    }

    /// Compares two access tokens of the session claim by claim.
    @Sendable func compareTokens(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["from", "to", "part"])
        let session = try await services.session(of: context)
        let archivedTokens = try await services.simulator.archivedTokens(
            ofSession: session.id, in: session.workspace
        ).filter { $0.kind == .access }
        let generations = try await services.simulator.tokenGenerations(of: session)
        func tokenAndTitle(_ name: String) throws -> (Session.TokenSummary, String) {
            guard let text = query[name] else {
                guard let summary = session.accessToken else { throw Problem.unknownToken(name) }
                return (summary, "Current")
            }
            let number = try Self.parseNumber(text, "?" + name)
            guard let token = archivedTokens.first(where: { $0.number == number }) else {
                throw Problem.unknownToken(name)
            }
            return (token.summary, generations.title(of: token))
        }
        let (before, beforeName) = try tokenAndTitle("from")
        let (after, afterName) = try tokenAndTitle("to")
        let pageURL = Links.session(session.id)
        let page = Page(
            "Compare tokens", navItem: "sessions",
            url: Links.url(
                Links.compareTokens(session.id), [("from", query["from"]), ("to", query["to"])]),
            TokenComparisonModel(
                backURL: pageURL, backText: session.userLabel,
                diff: TokenDiffModel(
                    TokenDiff(before: before.comparedParts, after: after.comparedParts),
                    before: beforeName, after: afterName),
                otherPairs: archivedTokens.count < 2
                    ? []
                    : zip(archivedTokens, archivedTokens.dropFirst()).map {
                        .init(
                            href: Links.tokenComparison(session.id, from: $0.number, to: $1.number),
                            text: [$0, $1].map { generations.name(of: $0).label }.joined(
                                separator: " → "))
                    }))
        return try await services.respond(to: context, page, "sessions/tokencomparison")
    }

    private static func parseNumber(_ text: String, _ name: String) throws(Problem) -> Int {
        guard let number = Int(text), number > 0 else {
            throw Problem(
                status: 400, code: "bad-number", title: "Invalid token number",
                detail: "\(name) must be a positive integer.")
        }
        return number
    }
}

extension Session.TokenSummary {
    /// The parts that a comparison uses.
    var comparedParts: TokenParts { TokenParts(header: header, claims: claims) }
}

extension Problem {
    static var probeUnavailable: Problem {
        Problem(
            status: 409, code: "no-probe", title: "The token cannot be tested",
            detail: "The app has no read-only call with its access token."
                + " Name one in its manifest: session.probe.")
    }

    fileprivate static func unknownToken(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-token", title: "Access token not stored",
            detail: "\(name) matches no stored token of this session.")
    }
}
