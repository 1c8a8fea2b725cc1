import Apps
import SQLite
import Secrets
import Surroundings
import Traffic
import Web

extension Simulator {
    /// Two tabs refresh with the same token at once, outside the single
    /// flight; the device keeps what came first.
    package func race(session id: String, in workspace: String) async throws -> Trial {
        let scene = try await scene(id, workspace, refreshing: true)
        let token = try scene.current()
        let came = try await carefully { try await runner.presentTwice(token, scene.run) }
        let generation = scene.session.generation
        var sendings: [Trial.Sending] = []
        var isWon = false
        for (index, one) in came.enumerated() {
            let tab = Trial.tabs[index == 0 ? 0 : 1]
            if case .taken(let captured) = one.end, !isWon {
                isWon = true
                try await carefully {
                    try await runner.keep(captured, one.run, words: "Refreshed by two tabs")
                }
                sendings.append(
                    sending(one, .kept, generation, "\(tab) won: the device keeps its tokens"))
            } else {
                sendings.append(try await settle(one, scene, generation, .rival, who: tab))
            }
        }
        return try await close(Trial(kind: .race, sendings: sendings), scene, came)
    }

    /// The refresh is sent and the backend does its work, but the answer
    /// never reaches the device.
    package func loseAnswer(session id: String, in workspace: String) async throws -> Trial {
        let scene = try await scene(id, workspace, refreshing: true)
        let token = try scene.current()
        let one = try await carefully {
            try await runner.present(token, scene.run, why: .hand, condition: .lostAnswer)
        }
        let sending = try await settle(
            one, scene, scene.session.generation, .unheard, who: "The refresh")
        return try await close(Trial(kind: .lostAnswer, sendings: [sending]), scene, [one])
    }

    // MARK: Parts

    /// A session with everything a trial needs of it.
    struct Scene: Sendable {
        var session: Session
        var place: Place
        var run: Run
        var kept: [(token: KeptToken, sealed: String)]
        /// The stored refresh token.
        var refreshToken: String?

        func current() throws -> String {
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
    func scene(_ id: String, _ workspace: String, refreshing: Bool = false) async throws -> Scene {
        guard let session = try await session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        let place = Place(workspace: workspace, device: session.device, app: session.app)
        let app = try app(place)
        if refreshing, app.session.refresh == nil { throw Problem.noRefresh(app) }
        let facts = try await runner.facts(place, app)
        guard facts.backend == session.backend else {
            throw Problem(
                status: 409, code: "other-backend", title: "The app speaks to another backend now",
                detail: "The session is with \(session.backend), the app"
                    + " with \(facts.backend). Switch it back to ask there.")
        }
        let kept = try await database.reading { connection in
            try TokenTable.all(of: id, workspace, connection)
        }
        let isLive = facts.kept.session?.id == id
        return Scene(
            session: session, place: place,
            run: Run(place: place, app: app, life: facts.shown.life, why: .hand, started: nil),
            kept: kept, refreshToken: isLive ? facts.kept.refreshToken(in: app) : nil)
    }

    func carefully<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch is Cupboard.Dropped { throw Problem.appKilled }
    }

    private func sending(
        _ one: Runner.Presented, _ outcome: Trial.Outcome, _ generation: Int, _ words: String
    ) -> Trial.Sending {
        Trial.Sending(
            exchange: one.exchange, status: one.status, outcome: outcome, generation: generation,
            words: words)
    }

    /// What came of a request whose tokens the device does not keep; if it
    /// brought some, they are kept aside.
    func settle(
        _ one: Runner.Presented, _ scene: Scene, _ generation: Int, _ branch: KeptToken.Branch,
        who: String
    ) async throws -> Trial.Sending {
        switch one.end {
        case .taken(let captured):
            try await keepAside(captured, one, scene, generation, branch)
            let words =
                switch branch {
                case .unheard:
                    "\(who) was done, and its answer lost: the device still "
                        + "holds generation \(generation)"
                default:
                    "\(who) was taken: the backend gave tokens that this device does not hold"
                }
            return sending(one, .taken, generation, words)
        case .refused(let why):
            return sending(
                one, .refused, generation,
                "\(who) was refused" + (one.status.map { " with \($0)" } ?? "") + ": \(why)")
        case .unanswered(let why):
            return sending(one, .unanswered, generation, "\(who) got no usable answer: \(why)")
        }
    }

    private func keepAside(
        _ captured: [String: JSON], _ one: Runner.Presented, _ scene: Scene, _ generation: Int,
        _ branch: KeptToken.Branch
    ) async throws {
        let now = cupboard.now(in: scene.place)
        let names: [(String, KeptToken.Kind)] = [
            (App.accessToken, .access), (App.refreshToken, .refresh),
        ]
        let sealed = try names.compactMap { name, kind in
            try captured[name]?.text.map { value in
                SealedToken(
                    draft: TokenDraft(
                        session: scene.session.id, kind: kind, generation: generation + 1,
                        branch: branch, held: Session.Held(token: value, at: now), value: value,
                        exchange: one.exchange), sealed: try cupboard.sealer.seal(value))
            }
        }
        try await database.writing { connection in
            for token in sealed { try TokenTable.add(token, connection) }
        }
    }

    /// Notes the trial in the session's history, with the number of the kept
    /// `token` it showed, and tells who watches.
    func close(_ trial: Trial, _ scene: Scene, _ came: [Runner.Presented], token: Int? = nil)
        async throws -> Trial
    {
        let moments = trial.sendings.map { sending in
            SessionMoment(
                at: cupboard.now(in: scene.place),
                kind: "\(trial.kind.rawValue).\(sending.outcome.rawValue)", title: sending.words,
                generation: sending.generation, exchange: sending.exchange, token: token)
        }
        let id = scene.session.id
        try await database.writing { connection in
            for moment in moments { try SessionTable.add(moment, to: id, connection) }
        }
        checks.note(scene.place)
        runner.tell(
            scene.place, .sessionChanged, trial.sendings.map(\.words).joined(separator: "; "),
            subject: id, cause: came.last?.run.event, facts: ["kind": trial.kind.rawValue])
        return trial
    }
}
