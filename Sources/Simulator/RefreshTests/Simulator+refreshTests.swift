import Apps
import Core
import Crypto
import SQLite
import Traffic
import Web

extension Simulator {
    /// Two clients refresh concurrently with the same token, outside the single flight; the device
    /// stores the first result.
    package func testConcurrentRefresh(session id: String, in workspace: String) async throws
        -> RefreshTest
    {
        let context = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let token = try context.currentRefreshToken()
        let attempts = try await reportingTermination {
            try await runner.sendConcurrentRefreshes(token, context.run)
        }
        let generation = context.session.generation
        var requests: [RefreshTest.Request] = []
        var hasWinner = false
        for (index, attempt) in attempts.enumerated() {
            let clientName = RefreshTest.clientNames[index == 0 ? 0 : 1]
            if case .accepted(let captured) = attempt.outcome, !hasWinner {
                hasWinner = true
                try await reportingTermination {
                    try await runner.storeTokens(
                        captured, attempt.run, title: "Refreshed by two clients")
                }
                requests.append(
                    RefreshTest.Request(
                        attempt, .stored, generation,
                        "\(clientName) was first: the device stores its tokens"))
            } else {
                requests.append(
                    try await finishRequest(
                        attempt, context, generation, .otherClient, sender: clientName))
            }
        }
        return try await recordTest(
            RefreshTest(kind: .concurrent, requests: requests), context, attempts)
    }

    /// The backend processes the refresh, but the response never reaches the device.
    package func testDroppedResponse(session id: String, in workspace: String) async throws
        -> RefreshTest
    {
        let context = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let token = try context.currentRefreshToken()
        let attempt = try await reportingTermination {
            try await runner.sendRefresh(
                token, context.run, initiator: .manual, fault: .dropResponse)
        }
        let request = try await finishRequest(
            attempt, context, context.session.generation, .responseLost, sender: "The refresh")
        return try await recordTest(
            RefreshTest(kind: .dropResponse, requests: [request]), context, [attempt])
    }

    // MARK: Shared steps

    /// A session with everything that a refresh test needs.
    struct TokenTestContext: Sendable {
        var session: Session
        var instance: AppInstance
        var run: ActionRun
        var archivedTokens: [(token: ArchivedToken, sealed: String)]
        /// The stored refresh token.
        var refreshToken: String?

        func currentRefreshToken() throws -> String {
            guard let refreshToken, session.endedAt == nil else {
                throw Problem(
                    status: 409, code: "no-refresh-token", title: "No refresh token on the device",
                    detail: "Only old generations can be reused.")
            }
            return refreshToken
        }
    }

    /// Throws a `Problem` unless the app still uses the session's backend.
    func makeTokenTestContext(_ id: String, _ workspace: String, needsRefresh: Bool = false)
        async throws -> TokenTestContext
    {
        let session = try await requireSession(id, workspace)
        let instance = session.instance
        let app = try app(instance)
        if needsRefresh, app.session.refreshCall == nil { throw Problem.refreshUnsupported(app) }
        let context = try await runner.context(instance, app)
        guard context.backend == session.backend else {
            throw Problem(
                status: 409, code: "other-backend", title: "The app uses another backend now",
                detail: "The session is at \(session.backend), the app uses"
                    + " \(context.backend). Switch the app back to test the session.")
        }
        let archived = try await database.readThrowingProblems { connection in
            try ArchivedTokenTable.all(of: id, workspace, connection)
        }
        let isLive = context.persisted.session?.id == id
        return TokenTestContext(
            session: session, instance: instance,
            run: ActionRun(
                instance: instance, app: app, launchID: context.transient.launchID,
                initiator: .manual, startEvent: nil), archivedTokens: archived,
            refreshToken: isLive ? context.persisted.refreshToken(in: app) : nil)
    }

    /// The result of `work`; throws a `Problem` if the app was killed during it.
    func reportingTermination<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch is DeviceStateStore.AppTerminated {
            throw Problem.appTerminated
        }
    }

    /// The record of a request whose tokens the device does not store; they are archived.
    func finishRequest(
        _ attempt: Runner.RefreshAttempt, _ context: TokenTestContext, _ generation: Int,
        _ origin: ArchivedToken.Origin, sender: String
    ) async throws -> RefreshTest.Request {
        let outcome: RefreshTest.Outcome
        let result: String
        switch attempt.outcome {
        case .accepted(let captured):
            try await archiveTokens(captured, attempt, context, generation, origin)
            outcome = .accepted
            result =
                origin == .responseLost
                ? "was processed, but its response was lost: the device still holds generation"
                    + " \(generation)"
                : "was accepted: the backend issued tokens that this device does not store"
        case .rejected(let reason):
            outcome = .rejected
            result = "was rejected" + (attempt.status.map { " with \($0)" } ?? "") + ": \(reason)"
        case .noResponse(let reason):
            outcome = .noResponse
            result = "got no usable response: \(reason)"
        }
        return RefreshTest.Request(attempt, outcome, generation, "\(sender) \(result)")
    }

    private func archiveTokens(
        _ captured: [String: JSON], _ attempt: Runner.RefreshAttempt, _ context: TokenTestContext,
        _ generation: Int, _ origin: ArchivedToken.Origin
    ) async throws {
        let now = stateStore.now(in: context.instance)
        let names: [(String, ArchivedToken.Kind)] = [
            (App.accessTokenName, .access), (App.refreshTokenName, .refresh),
        ]
        let sealed = try names.compactMap { name, kind in
            try captured[name]?.scalarText.map { value in
                SealedTokenDraft(
                    draft: ArchivedTokenDraft(
                        session: context.session.id, kind: kind, generation: generation + 1,
                        origin: origin, summary: Session.TokenSummary(token: value, at: now),
                        value: value, exchange: attempt.exchange),
                    sealed: try stateStore.sealer.seal(value))
            }
        }
        try await database.writeThrowingProblems { connection in
            for token in sealed { try ArchivedTokenTable.add(token, connection) }
        }
    }

    /// Adds the test to the session's history, with the number of the archived `token` it sent, and
    /// publishes the change.
    func recordTest(
        _ test: RefreshTest, _ context: TokenTestContext, _ attempts: [Runner.RefreshAttempt],
        token: Int? = nil
    ) async throws -> RefreshTest {
        let entries = test.requests.map { request in
            SessionHistoryEntry(
                at: stateStore.now(in: context.instance),
                kind: "\(test.kind.rawValue).\(request.outcome.rawValue)", title: request.message,
                generation: request.generation, exchange: request.exchange, tokenNumber: token)
        }
        let id = context.session.id
        try await database.writeThrowingProblems { connection in
            for entry in entries { try SessionTable.addHistoryEntry(entry, to: id, connection) }
        }
        sessionChecks.enqueue(context.instance)
        runner.publish(
            context.instance, .sessionChanged, test.requests.map(\.message).joined(separator: "; "),
            subject: id, cause: attempts.last?.run.lastEvent, details: ["kind": test.kind.rawValue])
        return test
    }
}

extension RefreshTest.Request {
    fileprivate init(
        _ attempt: Runner.RefreshAttempt, _ outcome: RefreshTest.Outcome, _ generation: Int,
        _ message: String
    ) {
        self.init(
            exchange: attempt.exchange, status: attempt.status, outcome: outcome,
            generation: generation, message: message)
    }
}

extension Simulator {
    /// Sends the refresh token of a generation again, as an attacker would; the device receives
    /// nothing of the response.
    ///
    /// It is the device's own token of that generation: the stored one, or else the retired one.
    package func testTokenReuse(session id: String, generation: Int, in workspace: String)
        async throws -> RefreshTest
    {
        try await sendReusedToken(of: id, workspace, description: "of generation \(generation)") {
            $0.deviceToken(ofGeneration: generation)
        }
    }

    /// Sends any archived refresh token again, by its number, including other clients' tokens.
    package func testTokenReuse(session id: String, token number: Int, in workspace: String)
        async throws -> RefreshTest
    {
        try await sendReusedToken(of: id, workspace, description: "with number \(number)") {
            $0.archivedToken(number: number)
        }
    }

    private func sendReusedToken(
        of id: String, _ workspace: String, description tokenDescription: String,
        _ choose: (TokenGenerations) -> TokenGenerations.NamedToken?
    ) async throws -> RefreshTest {
        let context = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let generations = try await tokenGenerations(of: context.session)
        guard let namedToken = choose(generations) else {
            throw Problem(
                status: 409, code: "no-such-generation", title: "Refresh token not stored",
                detail: "No refresh token \(tokenDescription) is stored for this session. Foyer"
                    + " stores the newest \(ArchivedTokenTable.maxPerSession) tokens of each session."
            )
        }
        let attempt = try await reportingTermination {
            try await runner.sendRefresh(namedToken.value, context.run, initiator: .replay)
        }
        // Only a token that the device replaced by refreshing was certainly used before.
        let usageText =
            generations.isSuperseded(namedToken)
            ? RefreshTest.reusedText : RefreshTest.usedElsewhereText
        let request = try await finishRequest(
            attempt, context, namedToken.token?.generation ?? generations.currentGeneration, .reuse,
            sender: "\(namedToken.name.title), \(usageText),")
        return try await recordTest(
            RefreshTest(kind: .replay, requests: [request]), context, [attempt],
            token: namedToken.token?.number)
    }
}
