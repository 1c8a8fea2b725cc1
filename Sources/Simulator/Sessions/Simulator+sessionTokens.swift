import Apps
import Core
import Crypto
import SQLite
package import Web

extension Simulator {
    /// The tokens the device does not hold any more, oldest first.
    package func archivedTokens(ofSession id: String, in workspace: String) async throws
        -> [ArchivedToken]
    {
        try await database.readThrowingProblems { connection in
            try ArchivedTokenTable.all(of: id, workspace, connection)
        }.map(\.token)
    }

    /// The session's refresh tokens, whole and by name.
    package func tokenGenerations(of session: Session) async throws -> TokenGenerations {
        let kept = try await database.readThrowingProblems { connection in
            try ArchivedTokenTable.all(of: session.id, session.workspace, connection)
        }
        var all: [(token: ArchivedToken?, value: String)] = kept.compactMap {
            guard $0.token.kind == .refresh,
                let value = stateStore.unsealIfPossible(
                    $0.sealed, "a kept refresh token of \(session.id)")
            else { return nil }
            return ($0.token, value)
        }
        if session.endedAt == nil,
            let current = try await readableValue(
                AppInstance(workspace: session.workspace, device: session.device, app: session.app),
                holding: App.refreshTokenName)
        {
            all.append((nil, current))
        }
        return TokenGenerations(session, tokens: all)
    }

    /// What the session's backend was last heard to say; nil if nobody asked
    /// since the console started.
    package func lastObservation(ofSession id: String) -> SessionObservation? {
        runner.observedStatus.latest(id)
    }

    /// What came of probing one of its tokens last.
    package func lastProbe(ofSession id: String, token masked: String) -> SessionObservation? {
        runner.observedStatus.latestProbe(id, of: masked)
    }

    /// Asks the session's backend, with the app's own call, whether it takes
    /// an access token now: the stored one or, by its number, a kept one.
    ///
    /// `isOver` is whether the session is over already, as far as the asker
    /// knows. Nil if the app has no call that would tell. Nothing of the
    /// device changes. Throws a `Problem` if there is no such token.
    package func probe(
        session id: String, token number: Int? = nil, in workspace: String, hasEnded: Bool? = nil
    ) async throws -> SessionObservation? {
        let scene = try await makeTokenTestContext(id, workspace)
        let (value, masked) = try await accessToken(number, scene)
        var observation: SessionObservation?
        do {
            observation = try await runner.probe(value, masked: masked, scene.run)
        } catch is DeviceStateStore
            .AppTerminated
        { throw Problem.appTerminated }
        observation?.hadEnded = hasEnded
        guard let observation else { return nil }
        let isNew = runner.observedStatus.record(observation, of: id, isCurrent: number == nil)
        if isNew { sessionChecks.enqueue(scene.instance) }
        runner.publish(
            scene.instance, .sessionChanged, "The backend was asked about it", subject: id,
            details: ["kind": "probed"])
        return observation
    }

    /// How many were last found in disagreement.
    package func outOfSyncSessionCount(in workspace: String) async throws -> Int {
        try await database.readThrowingProblems { connection in
            Int(
                try connection.integer(
                    """
                    SELECT count(*) FROM sessions \
                    WHERE workspace = ? AND disagreements > 0
                    """, [.text(workspace)]) ?? 0)
        }
    }

    private func accessToken(_ number: Int?, _ scene: TokenTestContext) async throws -> (
        value: String, masked: String
    ) {
        if number == nil, scene.session.endedAt == nil,
            let value = try await storedValue(scene.instance, holding: App.accessTokenName)
        {
            return (value, Token.masked(value))
        }
        let found =
            number.map { number in
                scene.archivedTokens.first { $0.token.number == number && $0.token.kind == .access }
            }
            ?? scene.archivedTokens.last { $0.token.kind == .access && $0.token.origin == .device }
        guard let found else {
            throw Problem(
                status: 409, code: "no-access-token",
                title: "There is no such access token to ask about",
                detail: "Neither the device nor the console holds it any more.",
                apiHint: "GET /api/sessions/\(scene.session.id) lists those that are kept.")
        }
        do {
            return (try stateStore.sealer.open(found.sealed), found.token.summary.maskedValue)
        } catch {
            throw Problem(error)
        }
    }
}

extension Simulator {
    /// What an app keeps by the captured names it is held under, but for
    /// tokens and what was typed.
    package func storedValues(_ instance: AppInstance) async throws -> [String: JSON] {
        let app = try app(instance)
        let persisted = try await stateStore.state(instance, app, allowsUnreadable: true).kept
        var stored: [String: JSON] = [:]
        for key in app.storage where key.fields.isEmpty {
            guard let name = key.capturedName, !app.isToken(name),
                let item = persisted.items[key.key]
            else {
                continue
            }
            stored[name] = item.json
        }
        return stored
    }
}
