import Apps
import Core
import Crypto
import SQLite
import Synchronization
import Traffic
import Web

extension Simulator {
    /// The archived tokens, oldest first.
    package func archivedTokens(ofSession id: String, in workspace: String) async throws
        -> [ArchivedToken]
    { try await storedTokens(of: id, in: workspace).map(\.token) }

    /// The session's refresh tokens, unmasked and named.
    package func tokenGenerations(of session: Session) async throws -> TokenGenerations {
        let archived = try await storedTokens(of: session.id, in: session.workspace)
        var all: [(token: ArchivedToken?, value: String)] = archived.compactMap {
            guard $0.token.kind == .refresh,
                let value = stateStore.unsealIfPossible(
                    $0.value, "an archived refresh token of \(session.id)")
            else { return nil }
            return ($0.token, value)
        }
        if session.endedAt == nil,
            let current = try await storedValue(
                session.instance, holding: App.refreshTokenName, allowsUnreadable: true)
        {
            all.append((nil, current))
        }
        return TokenGenerations(session, tokens: all)
    }

    /// The backend's last response about the session; nil without one since the console started.
    package func lastObservation(ofSession id: String) -> SessionObservation? {
        observedStatus.withLock { $0.latest.value(for: id) }
    }

    /// The result of the last check of one of its tokens.
    package func lastProbe(ofSession id: String, token masked: String) -> SessionObservation? {
        observedStatus.withLock { $0.probes.value(for: [id, masked]) }
    }

    /// Checks at the session's backend, with the app's own call, whether it accepts an access
    /// token: the stored one or, by its number, an archived one.
    ///
    /// `hasEnded` is whether the session has already ended, as far as the caller knows. Nil if the
    /// app has no call that checks a token. The device's state does not change. Throws a `Problem`
    /// if there is no such token.
    package func probe(
        session id: String, token number: Int? = nil, in workspace: String, hasEnded: Bool? = nil
    ) async throws -> SessionObservation? {
        let test = try await makeTokenTestContext(id, workspace)
        let (value, masked) = try await accessToken(number, test.session)
        guard let name = test.run.app.probeCall(for: test.state.backend),
            let response = try await send(name, with: value, as: App.accessTokenName, test, .probe)
        else { return nil }
        var observation = makeObservation(response, name, test.state, masked: masked, isProbe: true)
        observation.hadEnded = hasEnded
        let isNew = observedStatus.withLock { [observation] status in
            status.record(observation, of: id, isCurrent: number == nil)
        }
        if isNew { sessionChecks.enqueue(test.run.instance) }
        hub.publish(
            test.run.instance, .sessionChanged, "Token tested at the backend", subject: id,
            details: ["kind": "probed"])
        return observation
    }

    /// The device's access token, or an archived one.
    private func accessToken(_ number: Int?, _ session: Session) async throws -> (
        value: String, masked: String
    ) {
        if number == nil, session.endedAt == nil,
            let value = try await storedValue(session.instance, holding: App.accessTokenName)
        {
            return (value, Token.masked(value))
        }
        let archived = try await storedTokens(of: session.id, in: session.workspace).last {
            $0.token.kind == .access
                && (number == nil ? $0.token.origin == .device : $0.token.number == number)
        }
        guard let archived else {
            throw Problem(
                status: 409, code: "no-access-token", title: "Access token not found",
                detail: "Neither the device nor Foyer stores it.",
                apiHint: "GET /api/sessions/\(session.id) lists the stored ones.")
        }
        return (
            try stateStore.sealer.openThrowingProblems(archived.value),
            archived.token.summary.maskedValue
        )
    }

    /// The archived tokens, oldest first, with their sealed values.
    private func storedTokens(of session: String, in workspace: String) async throws
        -> [StoredToken]
    {
        try await database.rows(
            """
            SELECT t.number, t.kind, t.generation, t.branch, t.held, \
            t.claims, t.exchange, t.sealed \
            FROM sessions s JOIN session_tokens t ON t.session = s.sequence \
            WHERE s.id = ? AND s.workspace = ? ORDER BY t.number
            """, [.text(session), .text(workspace)]
        ) { row in
            Session.TokenSummary(storedJSON: row.text(4), claims: row.optionalText(5)).map {
                StoredToken(
                    session: session,
                    token: ArchivedToken(
                        number: Int(row.integer(0)), kind: .init(rawValue: row.text(1)) ?? .access,
                        generation: Int(row.integer(2)),
                        origin: .init(rawValue: row.text(3)) ?? .device, summary: $0,
                        exchange: row.optionalText(6)), value: row.text(7))
            }
        }.compactMap(\.self)
    }
}
