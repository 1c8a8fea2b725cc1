import Apps
import Core
import SQLite
import Traffic
import Web

extension Simulator {
    /// A page of sessions, newest first, with their current state.
    package func sessions(_ query: SessionQuery) async throws -> SessionPage {
        let now = clocks.now(in: query.workspace)
        if query.text != nil { try await stateStore.sessionIndex.catchUp() }
        return try await database.readThrowingProblems { try SessionList.page(query, now: now, $0) }
    }

    /// Number of sessions stored for a workspace.
    package func sessionCount(in workspace: String) async throws -> Int {
        try await database.readThrowingProblems { try SessionList.count(workspace, $0) }
    }

    package func session(_ id: String, in workspace: String) async throws -> Session? {
        let now = clocks.now(in: workspace)
        return try await database.readThrowingProblems { connection in
            try SessionTable.session(id, workspace, connection)
        }?.withState(at: now)
    }

    /// The active session of an app on a device.
    package func currentSession(_ instance: AppInstance) async throws -> Session? {
        let now = stateStore.now(in: instance)
        return try await database.readThrowingProblems { connection in
            try SessionTable.activeSession(of: instance, connection)?.session
        }?.withState(at: now)
    }

    /// The session's history, oldest first: the first entry and the newest 500.
    package func history(ofSession id: String, in workspace: String) async throws
        -> [SessionHistoryEntry]
    { try await database.readThrowingProblems { try SessionTable.history(of: id, workspace, $0) } }

    /// Refreshes now, in the same single flight as a silent refresh.
    ///
    /// Returns the session afterwards: refreshed, or revoked. Throws a `Problem` if it has ended,
    /// cannot be refreshed, or if the backend gave no usable response.
    package func refresh(session id: String, in workspace: String) async throws -> Session {
        let (session, instance, app) = try await requireActiveSession(id, workspace)
        guard app.session.refreshCall != nil else { throw Problem.refreshUnsupported(app) }
        let launchID = try await runner.context(instance, app).transient.launchID
        let run = ActionRun(
            instance: instance, app: app, launchID: launchID, initiator: .manual, startEvent: nil)
        let result = try await reportingTermination {
            try await runner.refreshOnce(run, nil, after: nil)
        }
        if case .unavailable(let failure) = result {
            throw Problem(
                status: 502, code: "refresh-failed", title: "Refresh failed",
                detail: failure.message + " The tokens are unchanged.")
        }
        return try await self.session(id, in: workspace) ?? session
    }

    /// Signs the device out with the app's own logout action.
    ///
    /// Without such an action, the app's storage is cleared.
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

    /// Navigates to the screen first: a session page can be opened while the app shows any screen.
    private func signOut(_ instance: AppInstance, _ app: App, _ screen: Screen, _ action: Action)
        async throws
    {
        let launchID = try await runner.context(instance, app).transient.launchID
        try await reportingTermination {
            try await runner.navigate(instance, app, to: screen, launchID: launchID)
        }
        let result = try await runner.runAction(instance, app, screen, action, form: [:])
        if !result.succeeded, try await storedValue(instance, holding: App.accessTokenName) != nil {
            throw Problem(
                status: 409, code: "sign-out-failed", title: "Sign-out failed",
                detail: "\(action.label) failed; the page of \(app.name)"
                    + " shows why. You can clear its app data instead.")
        }
    }

    /// A session that has not ended, with its app instance.
    private func requireActiveSession(_ id: String, _ workspace: String) async throws -> (
        Session, AppInstance, App
    ) {
        let session = try await requireSession(id, workspace)
        guard session.endedAt == nil else { throw Problem.sessionEnded(session) }
        return (session, session.instance, try app(session.instance))
    }

    func requireSession(_ id: String, _ workspace: String) async throws -> Session {
        guard let session = try await session(id, in: workspace) else {
            throw Problem.unknownSession(id)
        }
        return session
    }
}

extension Problem {
    static var appTerminated: Problem {
        Problem(
            status: 409, code: "app-killed", title: "The app was force-quit",
            detail: "It was relaunched during this request. Try again.")
    }
}
