import Apps
import Core
import Crypto
import SQLite
import Traffic
import Web

/// Deliberate refreshes outside the single flight, without the app's rules: no retry of a rejected
/// call, no session expiry.
extension Simulator {
    /// Two clients refresh concurrently with the same token, outside the single flight; the device
    /// stores the first result.
    package func testConcurrentRefresh(session id: String, in workspace: String) async throws
        -> RefreshTest
    {
        let test = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let token = try test.currentRefreshToken()
        // Both requests are sent before either response; the results are in order of completion.
        let responses = try await withThrowingTaskGroup(of: CallResponse.self) { group in
            for _ in RefreshTest.clientNames {
                group.addTask { try await self.sendRefresh(token, test, .manual) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let generation = test.session.generation
        var requests: [RefreshTest.Request] = []
        var hasWinner = false
        for (clientName, response) in zip(RefreshTest.clientNames, responses) {
            guard case .success(let captured) = response.interpretation, !hasWinner else {
                requests.append(
                    try await finishRequest(
                        response, test, generation, .otherClient, sender: clientName))
                continue
            }
            hasWinner = true
            var run = test.run
            run.record(response.sent)
            try await reportingTermination {
                try await storeTokens(captured, run, title: "Refreshed by two clients")
            }
            requests.append(
                RefreshTest.Request(
                    response, .stored, generation,
                    "\(clientName) was first: the device stores its tokens"))
        }
        return try await recordTest(.concurrent, requests, test, cause: responses.last)
    }

    /// The backend processes the refresh, but the response never reaches the device.
    package func testDroppedResponse(session id: String, in workspace: String) async throws
        -> RefreshTest
    {
        let test = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let token = try test.currentRefreshToken()
        let response = try await sendRefresh(token, test, .manual, fault: .dropResponse)
        let request = try await finishRequest(
            response, test, test.session.generation, .responseLost, sender: "The refresh")
        return try await recordTest(.dropResponse, [request], test, cause: response)
    }

    /// Sends an archived refresh token again, as an attacker would; the device receives nothing of
    /// the response.
    ///
    /// It is the device's own token of a generation (the stored one, or else the retired one), or
    /// the one with a `number`, which may be another client's.
    package func testTokenReuse(
        session id: String, generation: Int? = nil, token number: Int? = nil, in workspace: String
    ) async throws -> RefreshTest {
        let test = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let generations = try await tokenGenerations(of: test.session)
        guard
            let namedToken = number.map(generations.archivedToken(number:))
                ?? generation.map(generations.deviceToken(ofGeneration:)) ?? nil
        else {
            let tokenDescription =
                number.map { "with number \($0)" } ?? "of generation \(generation ?? 0)"
            throw Problem(
                status: 409, code: "no-such-generation", title: "Refresh token not stored",
                detail: "No refresh token \(tokenDescription) is stored for this session. Foyer"
                    + " stores the newest \(ArchivedTokenTable.maxPerSession) tokens of each session."
            )
        }
        let response = try await sendRefresh(namedToken.value, test, .replay)
        // Only a token that the device replaced by refreshing was certainly used before.
        let usageText =
            generations.isSuperseded(namedToken)
            ? RefreshTest.reusedText : RefreshTest.usedElsewhereText
        let request = try await finishRequest(
            response, test, namedToken.token?.generation ?? generations.currentGeneration, .reuse,
            sender: "\(namedToken.name.title), \(usageText),")
        return try await recordTest(
            .replay, [request], test, cause: response, token: namedToken.token?.number)
    }

    // MARK: Requests

    /// Throws a `Problem` unless the app still uses the session's backend.
    func makeTokenTestContext(_ id: String, _ workspace: String, needsRefresh: Bool = false)
        async throws -> TokenTestContext
    {
        let session = try await requireSession(id, workspace)
        let app = try app(session.instance)
        if needsRefresh, app.session.refreshCall == nil { throw Problem.refreshUnsupported(app) }
        let context = try await context(session.instance, app)
        guard context.backend == session.backend else {
            throw Problem(
                status: 409, code: "other-backend", title: "The app uses another backend now",
                detail: "The session is at \(session.backend), the app uses"
                    + " \(context.backend). Switch the app back to test the session.")
        }
        return TokenTestContext(
            session: session, state: context, run: ActionRun(context, .manual))
    }

    /// Sends the app's refresh call with `token`.
    private func sendRefresh(
        _ token: String, _ test: TokenTestContext, _ cause: ExchangeContext.Cause,
        fault: Fault.Draft? = nil
    ) async throws -> CallResponse {
        let app = test.run.app
        guard let name = app.session.refreshCall,
            !app.isCallMissing(name, backend: test.state.backend),
            let response = try await send(
                name, with: token, as: App.refreshTokenName, test, cause, fault: fault)
        else { throw Problem.refreshUnsupported(app) }
        return response
    }

    /// Sends one of the app's calls with `token` as the value `tokenName`; nil if the backend has
    /// no such call.
    func send(
        _ name: String, with token: String, as tokenName: String, _ test: TokenTestContext,
        _ cause: ExchangeContext.Cause, fault: Fault.Draft? = nil
    ) async throws -> CallResponse? {
        var run = test.run
        guard let call = run.app.call(name, backend: test.state.backend) else { return nil }
        if let message = test.state.missingSettingMessage(for: call) {
            throw Problem(
                status: 409, code: "request-impossible", title: "The request cannot be sent",
                detail: message)
        }
        run.captured[tokenName] = .string(token)
        return try await reportingTermination {
            try await sendWithRetries(name, call, test.state, &run, cause, fault: fault)
        }
    }

    /// The result of `work`; throws a `Problem` if the app was killed during it.
    func reportingTermination<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch is AppTerminated {
            throw Problem(
                status: 409, code: "app-killed", title: "The app was force-quit",
                detail: "It was relaunched during this request. Try again.")
        }
    }

    // MARK: Results

    /// The record of a request whose tokens the device does not store; they are archived.
    private func finishRequest(
        _ response: CallResponse, _ test: TokenTestContext, _ generation: Int,
        _ origin: ArchivedToken.Origin, sender: String
    ) async throws -> RefreshTest.Request {
        let outcome: RefreshTest.Outcome
        let result: String
        switch response.interpretation {
        case .success(let captured):
            try await archiveTokens(captured, response, test, generation, origin)
            outcome = .accepted
            result =
                origin == .responseLost
                ? "was processed, but its response was lost: the device still holds generation"
                    + " \(generation)"
                : "was accepted: the backend issued tokens that this device does not store"
        case .failure(_, let message, let status):
            outcome = .rejected
            result = "was rejected with \(status): \(message ?? "status \(status)")"
        case .invalid, nil:
            outcome = .noResponse
            result = "got no usable response: \(response.problem)"
        }
        return RefreshTest.Request(response, outcome, generation, "\(sender) \(result)")
    }

    private func archiveTokens(
        _ captured: [String: JSON], _ response: CallResponse, _ test: TokenTestContext,
        _ generation: Int, _ origin: ArchivedToken.Origin
    ) async throws {
        let now = stateStore.now(in: test.run.instance)
        let names: [(String, ArchivedToken.Kind)] = [
            (App.accessTokenName, .access), (App.refreshTokenName, .refresh),
        ]
        let tokens = try names.compactMap { name, kind in
            try captured[name]?.scalarText.map { value in
                StoredToken(
                    session: test.session.id,
                    token: ArchivedToken(
                        kind: kind, generation: generation + 1, origin: origin,
                        summary: Session.TokenSummary(decoding: value, at: now),
                        exchange: response.sent.id),
                    value: try stateStore.sealer.sealThrowingProblems(value))
            }
        }
        try await database.writeThrowingProblems { connection in
            for token in tokens { try ArchivedTokenTable.add(token, connection) }
        }
    }

    /// Adds the test to the session's history, with the number of the archived `token` it sent, and
    /// publishes the change, caused by the last response.
    private func recordTest(
        _ kind: RefreshTest.Kind, _ requests: [RefreshTest.Request], _ test: TokenTestContext,
        cause: CallResponse?, token: Int? = nil
    ) async throws -> RefreshTest {
        let instance = test.run.instance
        let entries = requests.map { request in
            SessionHistoryEntry(
                at: stateStore.now(in: instance),
                kind: "\(kind.rawValue).\(request.outcome.rawValue)", title: request.message,
                generation: request.generation, exchange: request.exchange, tokenNumber: token)
        }
        let id = test.session.id
        try await database.writeThrowingProblems { connection in
            for entry in entries { try SessionTable.addHistoryEntry(entry, to: id, connection) }
        }
        sessionChecks.enqueue(instance)
        hub.publish(
            instance, .sessionChanged, requests.map(\.message).joined(separator: "; "), subject: id,
            cause: cause?.sent.eventID, details: ["kind": kind.rawValue])
        return RefreshTest(kind: kind, requests: requests)
    }
}

extension Problem {
    static func refreshUnsupported(_ app: App) -> Problem {
        Problem(
            status: 409, code: "no-refresh", title: "\(app.name) has no refresh call",
            detail: "Its manifest declares none for this backend.")
    }
}
