import Apps
import SQLite
import Secrets
import Surroundings
package import Web

extension Simulator {
    /// The tokens the device does not hold any more, oldest first.
    package func keptTokens(ofSession id: String, in workspace: String) async throws -> [KeptToken]
    {
        try await database.reading { connection in try TokenTable.all(of: id, workspace, connection)
        }.map(\.token)
    }

    /// The session's refresh tokens, whole and by name.
    package func generations(of session: Session) async throws -> Generations {
        let kept = try await database.reading { connection in
            try TokenTable.all(of: session.id, session.workspace, connection)
        }
        var all: [(token: KeptToken?, value: String)] = kept.compactMap {
            guard $0.token.kind == .refresh,
                let value = cupboard.opened($0.sealed, "a kept refresh token of \(session.id)")
            else { return nil }
            return ($0.token, value)
        }
        if session.endedAt == nil,
            let current = try await readable(
                Place(workspace: session.workspace, device: session.device, app: session.app),
                holding: App.refreshToken)
        {
            all.append((nil, current))
        }
        return Generations(session, tokens: all)
    }

    /// What the session's backend was last heard to say; nil if nobody asked
    /// since the console started.
    package func lastAnswer(ofSession id: String) -> Answered? { runner.answers.last(id) }

    /// What came of probing one of its tokens last.
    package func lastProbe(ofSession id: String, token masked: String) -> Answered? {
        runner.answers.probe(id, of: masked)
    }

    /// Asks the session's backend, with the app's own call, whether it takes
    /// an access token now: the stored one or, by its number, a kept one.
    ///
    /// `isOver` is whether the session is over already, as far as the asker
    /// knows. Nil if the app has no call that would tell. Nothing of the
    /// device changes. Throws a `Problem` if there is no such token.
    package func probe(
        session id: String, token number: Int? = nil, in workspace: String, isOver: Bool? = nil
    ) async throws -> Answered? {
        let scene = try await scene(id, workspace)
        let (value, masked) = try await accessToken(number, scene)
        var answered: Answered?
        do { answered = try await runner.probe(value, masked: masked, scene.run) } catch is Cupboard
            .Dropped
        { throw Problem.appKilled }
        answered?.wasOver = isOver
        guard let answered else { return nil }
        let isNew = runner.answers.note(answered, of: id, isCurrent: number == nil)
        if isNew { checks.note(scene.place) }
        runner.tell(
            scene.place, .sessionChanged, "The backend was asked about it", subject: id,
            facts: ["kind": "probed"])
        return answered
    }

    /// How many were last found in disagreement.
    package func disagreeing(in workspace: String) async throws -> Int {
        try await database.reading { connection in
            Int(
                try connection.integer(
                    """
                    SELECT count(*) FROM sessions \
                    WHERE workspace = ? AND disagreements > 0
                    """, [.text(workspace)]) ?? 0)
        }
    }

    private func accessToken(_ number: Int?, _ scene: Scene) async throws -> (
        value: String, masked: String
    ) {
        if number == nil, scene.session.endedAt == nil,
            let value = try await peek(scene.place, holding: App.accessToken)
        {
            return (value, Token.masked(value))
        }
        let found =
            number.map { number in
                scene.kept.first { $0.token.number == number && $0.token.kind == .access }
            } ?? scene.kept.last { $0.token.kind == .access && $0.token.branch == .own }
        guard let found else {
            throw Problem(
                status: 409, code: "no-access-token",
                title: "There is no such access token to ask about",
                detail: "Neither the device nor the console holds it any more.",
                call: "GET /api/sessions/\(scene.session.id) lists those that are kept.")
        }
        do { return (try cupboard.sealer.open(found.sealed), found.token.held.masked) } catch {
            throw Problem(error)
        }
    }
}

extension Simulator {
    /// What an app keeps by the captured names it is held under, but for
    /// tokens and what was typed.
    package func stored(_ place: Place) async throws -> [String: JSON] {
        let app = try app(place)
        let kept = try await cupboard.look(place, app, damaged: true).kept
        var stored: [String: JSON] = [:]
        for key in app.storage where key.fields.isEmpty {
            guard let name = key.holds, !app.isToken(name), let item = kept.items[key.key] else {
                continue
            }
            stored[name] = item.json
        }
        return stored
    }
}
