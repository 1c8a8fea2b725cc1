import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Web

/// `/api/sessions`: stored sessions of all devices and apps.
enum SessionsAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/sessions", "listSessions", "Lists sessions, newest first.",
            reading: { (SessionQuery(&$0.query), Paging(&$0.query)) },
            returning: .ok(.list(of: VerifiedSession.representation), "The list of sessions.")
        ) { call, input in
            var (query, paging) = input
            query.workspace = try call.workspace
            query.keyset = try paging.keyset()
            await call.services.simulator.sessionChecks.waitUntilIdle(in: query.workspace)
            let page = try await call.services.simulator.sessions(query).page
            let verdicts = try await call.services.signatureVerifier.verdicts(of: page.items)
            return ListPage(page) { VerifiedSession(session: $0, signature: verdicts[$0.id]) }
        },

        Endpoint(
            .delete, "/api/sessions", "endSessions",
            "Signs out all sessions that match, with each app's own logout.",
            reading: { SessionQuery(&$0.query) },
            returning: .ok(
                Representation<(signedOut: Int, failures: [String])>(
                    "SignedOutSessions",
                    [
                        .init("signedOut") { $0.signedOut },
                        .init(
                            "failed", { $0.failures.count },
                            description: "Sessions that are still open."),
                        .init("reasons") { Array($0.failures.prefix(20)) },
                    ]), "The numbers of sessions.")
        ) { call, query in
            var query = query
            query.workspace = try call.workspace
            return try await call.services.signOutAll(query)
        },

        Endpoint(
            .get, sessionPath, "readSession",
            "Returns one session, with the mismatches between device, token and server.",
            returning: .ok(SessionDetail.representation, "The session.")
        ) { call in
            let session = try await session(call)
            let sources = try await call.services.sessionSourcesReader.sources(of: session)
            return SessionDetail(
                sources,
                try await call.services.simulator.archivedTokens(
                    ofSession: session.id, in: session.workspace))
        },

        Endpoint(
            .get, sessionPath + "/wait", "waitForSessionState",
            "Waits until a session has a state.",
            reading: {
                (
                    $0.query.choice(
                        "state", "The state; by default any that is not active.",
                        of: Session.State.self), $0.query.waitTimeout()
                )
            },
            returning: .ok(VerifiedSession.representation, "The session in that state."),
            errors: [504: "The session did not get the state in time."]
        ) { call, input in
            let (state, timeout) = input
            let reached = try await EventWaiter(call).result(
                within: timeout,
                after: { [.sessionChanged, .sessionEnded, .clockChanged].contains($0.kind) }
            ) {
                let session = try await session(call)
                let isReached = state.map { $0 == session.state } ?? (session.state != .active)
                return (
                    isReached ? session : nil,
                    recheck: call.services.timeUntilExpiry(of: session)
                )
            }
            guard let reached else {
                throw Problem.waitTimedOut(
                    "The session did not get the state in time",
                    "It is \(try await session(call).state.rawValue), waited for "
                        + "\(state?.rawValue ?? "any other state than active").")
            }
            return VerifiedSession(
                session: reached,
                signature: try await call.services.signatureVerifier.verdict(reached))
        },

        Endpoint(
            .post, sessionPath + "/refresh", "refreshSession", "Refreshes a session's tokens.",
            returning: .ok(VerifiedSession.representation, "The refreshed session."),
            errors: [409: "The session has ended, or the backend rejected the refresh."]
        ) { call in
            let session = try await session(call)
            let refreshed = try await call.services.simulator.refresh(
                session: session.id, in: session.workspace)
            return VerifiedSession(
                session: refreshed,
                signature: try await call.services.signatureVerifier.verdict(refreshed))
        },

        Endpoint(
            .delete, sessionPath, "endSession", "Signs the device out of the app.",
            returning: .noContent("The device was signed out."),
            errors: [409: "The session has already ended."]
        ) { call in
            let session = try await session(call)
            try await call.services.simulator.signOut(session: session.id, in: session.workspace)
        },

        Endpoint(
            .post, sessionPath + "/refresh-tests", "runRefreshTest",
            "Tests a session's refresh: concurrent refreshes, reuse of an old token, "
                + "or a dropped response.", reading: { RefreshTestRequest(&$0.body) },
            returning: .ok(refreshTest, "The requests, in the order of their responses."),
            errors: [409: "The session has no such token."]
        ) { call, request in
            let session = try await session(call)
            return (session.id, try await request.run(call.services.simulator, session))
        },
    ]

    private static let sessionPath = "/api/sessions/{session}"

    private static func session(_ call: APICall) async throws -> Session {
        try await call.services.session(of: call.context)
    }

    private static let refreshTest = Representation<(session: String, test: RefreshTest)>(
        "RefreshTestResult",
        [
            .init("session") { $0.session }, .init("kind") { $0.test.kind.rawValue },
            .init(
                "requests",
                array: Representation<RefreshTest.Request>([
                    .init("exchange") { $0.exchange }, .init("status") { $0.status },
                    .init("outcome", choice: { $0.outcome }), .init("generation") { $0.generation },
                    .init("reason") { $0.message },
                ])
            ) { $0.test.requests },
        ])
}

extension Services {
    /// The time until the session's access token expires by the workspace's clock; nil if it does
    /// not, or has expired, or the clock is frozen.
    fileprivate func timeUntilExpiry(of session: Session) -> Duration? {
        guard simulator.clocks.clock(of: session.workspace).frozenAt == nil,
            let end = session.accessToken?.expiresAt
        else { return nil }
        let seconds = end.timeIntervalSince(now(in: session.workspace))
        return seconds > 0 ? .seconds(seconds) + .milliseconds(1) : nil
    }
}

/// The body that runs a refresh test.
private struct RefreshTestRequest: Sendable {
    /// Nil only if the body is invalid.
    let kind: RefreshTest.Kind?
    let generation: Int?
    let token: Int?

    init(_ body: inout BodyReader) {
        kind = body.choice("kind", of: RefreshTest.Kind.self, isRequired: true)
        generation = body.integer("generation", in: TokensAPI.validNumbers)
        token = body.integer("token", in: TokensAPI.validNumbers)
        if kind == .replay, !body.has("generation"), !body.has("token") {
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
    }

    func run(_ simulator: Simulator, _ session: Session) async throws -> RefreshTest {
        let (id, workspace) = (session.id, session.workspace)
        return switch (kind, token) {
        case (.replay, let token?):
            try await simulator.testTokenReuse(session: id, token: token, in: workspace)
        case (.replay, nil):
            try await simulator.testTokenReuse(
                session: id, generation: generation ?? 0, in: workspace)
        case (.dropResponse, _): try await simulator.testDroppedResponse(session: id, in: workspace)
        case (.concurrent, _), (nil, _):
            try await simulator.testConcurrentRefresh(session: id, in: workspace)
        }
    }
}

/// A session and the verification of its access token, nil if the token is no longer stored.
struct VerifiedSession: Sendable {
    var session: Session
    let signature: SignatureVerification?

    static let representation = Representation("Session", members)

    fileprivate static let members: [Representation<Self>.Member] = [
        .init("id") { $0.session.id }, .init("app") { $0.session.app },
        .init("device") { $0.session.device }, .init("backend") { $0.session.backend },
        .init("user", Representation([.init("id") { $0.userID }, .init("email") { $0.email }])) {
            $0.session
        },
        .init("state", choice: { $0.session.state }), .init("createdAt") { $0.session.createdAt },
        .init("refreshedAt") { $0.session.refreshedAt },
        .init("refreshCount") { $0.session.refreshCount }, .init("endedAt") { $0.session.endedAt },
        .init("accessToken", optional: token) { session in
            session.session.accessToken.map { ($0, session.signature) }
        },
        .init("refreshToken", optional: token) {
            $0.session.refreshToken.map { (token: $0, signature: nil) }
        },
        .init("authentication", optional: authentication) {
            $0.session.accessToken?.claims.flatMap(TokenAuthentication.init)
        },
        .init(
            "discrepancyCount", { $0.session.discrepancyCount },
            description: "Number of mismatches: \(Discrepancy.countingRule)"),
    ]

    private static let authentication = Representation<TokenAuthentication>(
        "TokenAuthentication",
        [
            .init("provider") { $0.provider }, .init("methods") { $0.methods },
            .init("assuranceLevel") { $0.assuranceLevel },
            .init("secondFactor") { $0.secondFactor },
        ])

    /// A token, masked, with its claims and the status of its signature as far as it could be
    /// verified.
    private static let token = Representation<
        (token: Session.TokenSummary, signature: SignatureVerification?)
    >(
        "Token",
        [
            .init("masked") { $0.token.maskedValue },
            .init("kind", schema: Schema.choice(["jwt", "opaque"], named: "TokenFormat")) {
                $0.token.isJWT ? "jwt" : "opaque"
            }, .init("algorithm") { $0.token.algorithm }, .init("keyId") { $0.token.keyID },
            .init(
                "signature",
                choice: { token, signature in
                    signature?.status ?? (token.isJWT ? .unverified : .opaque)
                }), .init("issuedAt") { $0.token.issuedAt },
            .init("expiresAt") { $0.token.expiresAt }, .init("bytes") { $0.token.byteCount },
            .init("receivedAt") { $0.token.receivedAt },
            .init("claims", schema: Schema.nullable(Schema.anyObject)) { $0.token.claims ?? .null },
        ])
}

/// A session with its refresh family, its discrepancies and its stored tokens.
private struct SessionDetail: Sendable {
    let session: VerifiedSession
    let sources: SessionSources
    let comparison: SessionComparison
    let archivedTokens: [ArchivedToken]

    init(_ sources: SessionSources, _ archivedTokens: [ArchivedToken]) {
        self.sources = sources
        comparison = SessionComparison(sources: sources)
        self.archivedTokens = archivedTokens
        var session = sources.session
        session.discrepancyCount = session.endedAt == nil ? comparison.discrepancyCount : 0
        self.session = VerifiedSession(session: session, signature: sources.verdict)
    }

    static let representation = Representation<SessionDetail>(
        "SessionDetail",
        VerifiedSession.members.map { $0.of { $0.session } } + [
            .init("family", optional: family) { detail in
                detail.sources.serverState.flatMap { state in state.session.map { ($0, state) } }
            },
            .init(
                "comparison",
                array: Representation(
                    [.init("field") { $0.id }] + values + [
                        .init("agrees") { $0.discrepancy != nil ? false : $0.isAgreed ? true : nil }
                    ])
            ) { $0.comparison.fields },
            .init("discrepancies", array: discrepancy) { $0.comparison.discrepancies },
            .init(
                "lastResponse",
                optional: Representation([
                    .init("at") { $0.at }, .init("exchange") { $0.exchange },
                    .init("call") { $0.call }, .init("status") { $0.status },
                    .init("accepted") { $0.isAccepted },
                ])
            ) { $0.sources.lastResponse },
            .init("archivedTokens", array: archivedToken) { detail in
                let lineage = detail.sources.lineage
                return detail.archivedTokens.map { ($0, lineage) }
            },
        ])

    private static let family = Representation<
        (session: BackendSession, state: ServerSessionState)
    >([
        .init("id") { $0.session.id }, .init("generation") { $0.session.generation },
        .init("revokedAt") { $0.session.revokedAt?.date },
        .init("revocationReason") { $0.session.revocationReason },
        .init(
            "refreshTokens",
            array: Representation([
                .init("generation") { $0.generation }, .init("issuedAt") { $0.issuedAt },
                .init("usedAt") { $0.usedAt }, .init("reusedAt") { $0.reusedAt },
            ])
        ) { $0.state.issuedTokens },
    ])

    private static let values: [Representation<ComparedField>.Member] = [
        .init("device") { $0.deviceValue.content?.displayText },
        .init("token") { $0.tokenValue.content?.displayText },
        .init("server") { $0.serverValue.content?.displayText },
    ]

    private static let discrepancy = Representation<
        (field: ComparedField, discrepancy: Discrepancy)
    >(
        [
            .init("field") { $0.field.id }, .init("kind", choice: { $0.discrepancy.kind }),
            .init("outlier", choice: { $0.discrepancy.outlier }),
        ] + values.map { $0.of { $0.field } } + [
            .init("explanation") { $0.discrepancy.explanation },
            .init("fix") { $0.discrepancy.fix },
        ])

    /// Includes the generation as the device counts it and as the server does.
    private static let archivedToken = Representation<(token: ArchivedToken, lineage: Lineage)>([
        .init("number") { $0.token.number }, .init("kind", choice: { $0.token.kind }),
        .init("generation") { $0.token.generation },
        .init("name") { $0.lineage.generations.name(of: $0.token).label },
        .init("serverGeneration") {
            $0.lineage.serverToken($0.lineage.generations.name(of: $0.token))?.generation
        }, .init("origin", choice: { $0.token.origin }),
        .init("masked") { $0.token.summary.maskedValue },
        .init("expiresAt") { $0.token.summary.expiresAt }, .init("exchange") { $0.token.exchange },
    ])
}

extension Problem {
    static func unknownSession(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-session", title: "Unknown session",
            detail: "No session of this workspace has the id \(id.prefix(40)).",
            apiHint: "GET /api/sessions lists them.")
    }
}
