import Apps
import Core
import SQLite
import Traffic
import Web

extension Simulator {
    /// A page of sessions, newest first, each as it is now.
    package func sessions(_ query: SessionQuery) async throws -> SessionPage {
        let now = clocks.now(in: query.workspace)
        if query.text != nil { try await stateStore.sessionIndex.catchUp() }
        return try await database.readThrowingProblems { connection in
            try SessionList.page(query, now: now, connection)
        }
    }

    /// How many are kept of a workspace.
    package func sessionCount(in workspace: String) async throws -> Int {
        try await database.readThrowingProblems { connection in
            try SessionList.count(workspace, connection)
        }
    }

    package func session(_ id: String, in workspace: String) async throws -> Session? {
        let now = clocks.now(in: workspace)
        return try await database.readThrowingProblems { connection in
            try SessionTable.session(id, workspace, connection)
        }?.withState(at: now)
    }

    /// The session under way of an app on a device.
    package func currentSession(_ instance: AppInstance) async throws -> Session? {
        let now = stateStore.now(in: instance)
        return try await database.readThrowingProblems { connection in
            try SessionTable.activeSession(of: instance, connection)?.session
        }?.withState(at: now)
    }

    /// What happened to it, oldest first; its newest 500 moments and the
    /// first.
    package func history(ofSession id: String, in workspace: String) async throws
        -> [SessionHistoryEntry]
    {
        try await database.readThrowingProblems { connection in
            try SessionTable.history(of: id, workspace, connection)
        }
    }

    /// Refreshes now, through the same single flight as a silent refresh.
    ///
    /// Answers the session as it is then: refreshed, or revoked. Throws a
    /// `Problem` if it has ended, cannot be refreshed, or if the backend gave
    /// no usable answer.
    package func refresh(session id: String, in workspace: String) async throws -> Session {
        let (session, instance, app) = try await requireActiveSession(id, workspace)
        guard app.session.refreshCall != nil else { throw Problem.refreshUnsupported(app) }
        let launchID = try await runner.context(instance, app).transient.launchID
        let run = ActionRun(
            instance: instance, app: app, launchID: launchID, initiator: .manual, startEvent: nil)
        let renewal: Runner.RefreshResult
        do {
            renewal = try await runner.refreshOnce(run, nil, after: nil)
        } catch is DeviceStateStore.AppTerminated {
            throw Problem.appTerminated
        }
        if case .unavailable(let failure) = renewal {
            throw Problem(
                status: 502, code: "refresh-failed",
                title: "The backend did not refresh the session",
                detail: failure.message + " The tokens are kept.")
        }
        return try await self.session(id, in: workspace) ?? session
    }

    /// Signs the device out of the app as its own logout would.
    ///
    /// An app without a logout has its tokens forgotten.
    package func signOut(session id: String, in workspace: String) async throws {
        let (_, instance, app) = try await requireActiveSession(id, workspace)
        for screen in app.screens {
            for action in screen.allActions where action.areasToClear.contains(.keychain) {
                try await signOut(instance, app, screen, action)
                return
            }
        }
        try await clearStorage(instance)
    }

    /// From wherever the app stands: a session page has no way to settings.
    private func signOut(_ instance: AppInstance, _ app: App, _ screen: Screen, _ action: Action)
        async throws
    {
        let launchID = try await runner.context(instance, app).transient.launchID
        do {
            try await runner.navigate(instance, app, to: screen, launchID: launchID)
        } catch is DeviceStateStore.AppTerminated {
            throw Problem.appTerminated
        }
        let result = try await runner.runAction(instance, app, screen, action, form: [:])
        if !result.succeeded, try await storedValue(instance, holding: App.accessTokenName) != nil {
            throw Problem(
                status: 409, code: "sign-out-failed", title: "\(app.name) did not sign out",
                detail: "Its \(action.label) did not succeed; the page of the"
                    + " app says why. Its storage can be forgotten by hand.")
        }
    }

    /// A session that has not ended, and where it is.
    private func requireActiveSession(_ id: String, _ workspace: String) async throws -> (
        Session, AppInstance, App
    ) {
        guard let session = try await session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        guard session.endedAt == nil else { throw Problem.sessionEnded(session) }
        let instance = AppInstance(workspace: workspace, device: session.device, app: session.app)
        return (session, instance, try app(instance))
    }
}

extension Problem {
    static var appTerminated: Problem {
        Problem(
            status: 409, code: "app-killed", title: "The app was killed",
            detail: "It was started anew while this was under way, so nothing"
                + " came of it. Try again.")
    }
}
