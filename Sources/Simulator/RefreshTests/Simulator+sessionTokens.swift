import Apps
import Core
import Crypto
import SQLite
package import Web

extension Simulator {
    /// The archived tokens, oldest first.
    package func archivedTokens(ofSession id: String, in workspace: String) async throws
        -> [ArchivedToken]
    {
        try await database.readThrowingProblems { connection in
            try ArchivedTokenTable.all(of: id, workspace, connection)
        }.map(\.token)
    }

    /// The session's refresh tokens, unmasked and named.
    package func tokenGenerations(of session: Session) async throws -> TokenGenerations {
        let archived = try await database.readThrowingProblems { connection in
            try ArchivedTokenTable.all(of: session.id, session.workspace, connection)
        }
        var all: [(token: ArchivedToken?, value: String)] = archived.compactMap {
            guard $0.token.kind == .refresh,
                let value = stateStore.unsealIfPossible(
                    $0.sealed, "an archived refresh token of \(session.id)")
            else { return nil }
            return ($0.token, value)
        }
        if session.endedAt == nil,
            let current = try await readableValue(session.instance, holding: App.refreshTokenName)
        {
            all.append((nil, current))
        }
        return TokenGenerations(session, tokens: all)
    }

    /// The backend's last response about the session; nil without one since the console started.
    package func lastObservation(ofSession id: String) -> SessionObservation? {
        runner.observedStatus.latest(id)
    }

    /// The result of the last check of one of its tokens.
    package func lastProbe(ofSession id: String, token masked: String) -> SessionObservation? {
        runner.observedStatus.latestProbe(id, of: masked)
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
        let context = try await makeTokenTestContext(id, workspace)
        let (value, masked) = try await accessToken(number, context)
        var observation = try await reportingTermination {
            try await runner.probe(value, masked: masked, context.run)
        }
        observation?.hadEnded = hasEnded
        guard let observation else { return nil }
        let isNew = runner.observedStatus.record(observation, of: id, isCurrent: number == nil)
        if isNew { sessionChecks.enqueue(context.instance) }
        runner.publish(
            context.instance, .sessionChanged, "Token tested at the backend", subject: id,
            details: ["kind": "probed"])
        return observation
    }

    /// Number of sessions with discrepancies at the last check.
    package func outOfSyncSessionCount(in workspace: String) async throws -> Int {
        try await database.readThrowingProblems { connection in
            Int(
                try connection.integer(
                    "SELECT count(*) FROM sessions WHERE workspace = ? AND disagreements > 0",
                    [.text(workspace)]) ?? 0)
        }
    }

    private func accessToken(_ number: Int?, _ context: TokenTestContext) async throws -> (
        value: String, masked: String
    ) {
        if number == nil, context.session.endedAt == nil,
            let value = try await storedValue(context.instance, holding: App.accessTokenName)
        {
            return (value, Token.masked(value))
        }
        let archived =
            number.map { number in
                context.archivedTokens.first {
                    $0.token.number == number && $0.token.kind == .access
                }
            }
            ?? context.archivedTokens.last {
                $0.token.kind == .access && $0.token.origin == .device
            }
        guard let archived else {
            throw Problem(
                status: 409, code: "no-access-token", title: "Access token not found",
                detail: "Neither the device nor Foyer stores it.",
                apiHint: "GET /api/sessions/\(context.session.id) lists the stored ones.")
        }
        do {
            return (try stateStore.sealer.open(archived.sealed), archived.token.summary.maskedValue)
        } catch { throw Problem(error) }
    }
}

extension Simulator {
    /// The stored values of an app by captured name, without tokens and form fields.
    package func storedValues(_ instance: AppInstance) async throws -> [String: JSON] {
        let (app, persisted) = try await persistedState(instance)
        var values: [String: JSON] = [:]
        for key in app.storage where key.fields.isEmpty {
            guard let name = key.capturedName, !app.isToken(name),
                let item = persisted.items[key.key]
            else { continue }
            values[name] = item.json
        }
        return values
    }
}
