import Apps
import SQLite
import Surroundings
import Traffic
import Web

extension Simulator {
    /// A page of sessions, newest first, each as it is now.
    package func sessions(_ query: SessionQuery) async throws -> SessionPage {
        let now = clocks.now(in: query.workspace)
        if query.text != nil { try await cupboard.index.catchUp() }
        return try await database.reading { connection in
            try SessionList.page(query, now: now, connection)
        }
    }

    /// How many are kept of a workspace.
    package func sessionCount(in workspace: String) async throws -> Int {
        try await database.reading { connection in try SessionList.count(workspace, connection) }
    }

    package func session(_ id: String, in workspace: String) async throws -> Session? {
        let now = clocks.now(in: workspace)
        return try await database.reading { connection in
            try SessionTable.session(id, workspace, connection)
        }?.judged(at: now)
    }

    /// The session under way of an app on a device.
    package func sessionUnderWay(_ place: Place) async throws -> Session? {
        let now = cupboard.now(in: place)
        return try await database.reading { connection in
            try SessionTable.current(of: place, connection)?.session
        }?.judged(at: now)
    }

    /// What happened to it, oldest first; its newest 500 moments and the
    /// first.
    package func history(ofSession id: String, in workspace: String) async throws -> [SessionMoment]
    {
        try await database.reading { connection in
            try SessionTable.moments(of: id, workspace, connection)
        }
    }

    /// Refreshes now, through the same single flight as a silent refresh.
    ///
    /// Answers the session as it is then: refreshed, or revoked. Throws a
    /// `Problem` if it has ended, cannot be refreshed, or if the backend gave
    /// no usable answer.
    package func refresh(session id: String, in workspace: String) async throws -> Session {
        let (session, place, app) = try await underWay(id, workspace)
        guard app.session.refresh != nil else { throw Problem.noRefresh(app) }
        let life = try await runner.facts(place, app).shown.life
        let run = Run(place: place, app: app, life: life, why: .hand, started: nil)
        let renewal: Runner.Renewal
        do { renewal = try await runner.renew(run, nil, after: nil) } catch is Cupboard.Dropped {
            throw Problem.appKilled
        }
        if case .unavailable(let trouble) = renewal {
            throw Problem(
                status: 502, code: "refresh-failed",
                title: "The backend did not refresh the session",
                detail: trouble.message + " The tokens are kept.")
        }
        return try await self.session(id, in: workspace) ?? session
    }

    /// Signs the device out of the app as its own logout would.
    ///
    /// An app without a logout has its tokens forgotten.
    package func signOut(session id: String, in workspace: String) async throws {
        let (_, place, app) = try await underWay(id, workspace)
        for screen in app.screens {
            for action in screen.allActions where action.clear.contains(.keychain) {
                try await signOut(place, app, screen, action)
                return
            }
        }
        try await forgetAll(place)
    }

    /// From wherever the app stands: a session page has no way to settings.
    private func signOut(_ place: Place, _ app: App, _ screen: Screen, _ action: Action)
        async throws
    {
        let life = try await runner.facts(place, app).shown.life
        do { try await runner.go(place, app, to: screen, life: life) } catch is Cupboard.Dropped {
            throw Problem.appKilled
        }
        let outcome = try await runner.act(place, app, screen, action, form: [:])
        if !outcome.succeeded, try await peek(place, holding: App.accessToken) != nil {
            throw Problem(
                status: 409, code: "sign-out-failed", title: "\(app.name) did not sign out",
                detail: "Its \(action.label) did not succeed; the page of the"
                    + " app says why. Its storage can be forgotten by hand.")
        }
    }

    /// A session that has not ended, and where it is.
    private func underWay(_ id: String, _ workspace: String) async throws -> (Session, Place, App) {
        guard let session = try await session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        guard session.endedAt == nil else { throw Problem.sessionEnded(session) }
        let place = Place(workspace: workspace, device: session.device, app: session.app)
        return (session, place, try app(place))
    }
}

extension Problem {
    static var appKilled: Problem {
        Problem(
            status: 409, code: "app-killed", title: "The app was killed",
            detail: "It was started anew while this was under way, so nothing"
                + " came of it. Try again.")
    }
}
