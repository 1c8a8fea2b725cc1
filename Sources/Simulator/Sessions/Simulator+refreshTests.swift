import Apps
import Core
import Crypto
import SQLite
import Traffic
import Web

extension Simulator {
    /// Two tabs refresh with the same token at once, outside the single
    /// flight; the device keeps what came first.
    package func testConcurrentRefresh(session id: String, in workspace: String) async throws
        -> RefreshTest
    {
        let scene = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let token = try scene.currentRefreshToken()
        let came = try await reportingTermination {
            try await runner.sendConcurrentRefreshes(token, scene.run)
        }
        let generation = scene.session.generation
        var sendings: [RefreshTest.Request] = []
        var isWon = false
        for (index, one) in came.enumerated() {
            let tab = RefreshTest.clientNames[index == 0 ? 0 : 1]
            if case .accepted(let captured) = one.outcome, !isWon {
                isWon = true
                try await reportingTermination {
                    try await runner.storeTokens(captured, one.run, title: "Refreshed by two tabs")
                }
                sendings.append(
                    makeRequest(one, .stored, generation, "\(tab) won: the device keeps its tokens")
                )
            } else {
                sendings.append(
                    try await finishRequest(one, scene, generation, .otherClient, sender: tab))
            }
        }
        return try await recordTest(RefreshTest(kind: .concurrent, requests: sendings), scene, came)
    }

    /// The refresh is sent and the backend does its work, but the answer
    /// never reaches the device.
    package func testDroppedResponse(session id: String, in workspace: String) async throws
        -> RefreshTest
    {
        let scene = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let token = try scene.currentRefreshToken()
        let one = try await reportingTermination {
            try await runner.sendRefresh(token, scene.run, initiator: .manual, fault: .dropResponse)
        }
        let sending = try await finishRequest(
            one, scene, scene.session.generation, .responseLost, sender: "The refresh")
        return try await recordTest(
            RefreshTest(kind: .dropResponse, requests: [sending]), scene, [one])
    }

    // MARK: Parts

    /// A session with everything a trial needs of it.
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
                    status: 409, code: "no-refresh-token",
                    title: "The device holds no refresh token",
                    detail: "Only an old generation can be used again.")
            }
            return refreshToken
        }
    }

    /// Throws a `Problem` unless the app still speaks to the backend the
    /// session is with.
    func makeTokenTestContext(_ id: String, _ workspace: String, needsRefresh: Bool = false)
        async throws -> TokenTestContext
    {
        guard let session = try await session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        let instance = AppInstance(workspace: workspace, device: session.device, app: session.app)
        let app = try app(instance)
        if needsRefresh, app.session.refreshCall == nil { throw Problem.refreshUnsupported(app) }
        let context = try await runner.context(instance, app)
        guard context.backend == session.backend else {
            throw Problem(
                status: 409, code: "other-backend", title: "The app speaks to another backend now",
                detail: "The session is with \(session.backend), the app"
                    + " with \(context.backend). Switch it back to ask there.")
        }
        let kept = try await database.readThrowingProblems { connection in
            try ArchivedTokenTable.all(of: id, workspace, connection)
        }
        let isLive = context.persisted.session?.id == id
        return TokenTestContext(
            session: session, instance: instance,
            run: ActionRun(
                instance: instance, app: app, launchID: context.transient.launchID,
                initiator: .manual, startEvent: nil),
            archivedTokens: kept,
            refreshToken: isLive ? context.persisted.refreshToken(in: app) : nil)
    }

    func reportingTermination<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch is DeviceStateStore.AppTerminated {
            throw Problem.appTerminated
        }
    }

    private func makeRequest(
        _ one: Runner.RefreshAttempt, _ outcome: RefreshTest.Outcome, _ generation: Int,
        _ words: String
    ) -> RefreshTest.Request {
        RefreshTest.Request(
            exchange: one.exchange, status: one.status, outcome: outcome, generation: generation,
            message: words)
    }

    /// What came of a request whose tokens the device does not keep; if it
    /// brought some, they are kept aside.
    func finishRequest(
        _ one: Runner.RefreshAttempt, _ scene: TokenTestContext, _ generation: Int,
        _ branch: ArchivedToken.Origin,
        sender: String
    ) async throws -> RefreshTest.Request {
        switch one.outcome {
        case .accepted(let captured):
            try await archiveTokens(captured, one, scene, generation, branch)
            let words =
                switch branch {
                case .responseLost:
                    "\(sender) was done, and its answer lost: the device still "
                        + "holds generation \(generation)"
                default:
                    "\(sender) was taken: the backend gave tokens that this device does not hold"
                }
            return makeRequest(one, .accepted, generation, words)
        case .rejected(let reason):
            return makeRequest(
                one, .rejected, generation,
                "\(sender) was refused" + (one.status.map { " with \($0)" } ?? "") + ": \(reason)")
        case .noResponse(let reason):
            return makeRequest(
                one, .noResponse, generation, "\(sender) got no usable answer: \(reason)")
        }
    }

    private func archiveTokens(
        _ captured: [String: JSON], _ one: Runner.RefreshAttempt, _ scene: TokenTestContext,
        _ generation: Int,
        _ branch: ArchivedToken.Origin
    ) async throws {
        let now = stateStore.now(in: scene.instance)
        let names: [(String, ArchivedToken.Kind)] = [
            (App.accessTokenName, .access), (App.refreshTokenName, .refresh),
        ]
        let sealed = try names.compactMap { name, kind in
            try captured[name]?.scalarText.map { value in
                SealedTokenDraft(
                    draft: ArchivedTokenDraft(
                        session: scene.session.id, kind: kind, generation: generation + 1,
                        origin: branch, summary: Session.TokenSummary(token: value, at: now),
                        value: value,
                        exchange: one.exchange), sealed: try stateStore.sealer.seal(value))
            }
        }
        try await database.writeThrowingProblems { connection in
            for token in sealed { try ArchivedTokenTable.add(token, connection) }
        }
    }

    /// Notes the trial in the session's history, with the number of the kept
    /// `token` it showed, and tells who watches.
    func recordTest(
        _ trial: RefreshTest, _ scene: TokenTestContext, _ came: [Runner.RefreshAttempt],
        token: Int? = nil
    )
        async throws -> RefreshTest
    {
        let moments = trial.requests.map { sending in
            SessionHistoryEntry(
                at: stateStore.now(in: scene.instance),
                kind: "\(trial.kind.rawValue).\(sending.outcome.rawValue)", title: sending.message,
                generation: sending.generation, exchange: sending.exchange, tokenNumber: token)
        }
        let id = scene.session.id
        try await database.writeThrowingProblems { connection in
            for moment in moments { try SessionTable.addHistoryEntry(moment, to: id, connection) }
        }
        sessionChecks.enqueue(scene.instance)
        runner.publish(
            scene.instance, .sessionChanged, trial.requests.map(\.message).joined(separator: "; "),
            subject: id, cause: came.last?.run.lastEvent, details: ["kind": trial.kind.rawValue])
        return trial
    }
}
