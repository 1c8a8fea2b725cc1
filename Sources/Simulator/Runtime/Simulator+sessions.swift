package import Apps
import Core
import SQLite
import Traffic
import Web

extension Simulator {
    /// A page of sessions, newest first, with their current state.
    package func sessions(_ query: SessionQuery) async throws -> SessionPage {
        let now = clocks.now(in: query.workspace)
        if query.text != nil { try await stateStore.sessionIndex.catchUp() }
        return try await database.readThrowingProblems(isLong: query.text != nil) {
            try SessionList.page(query, now: now, $0)
        }
    }

    /// Number of sessions stored for a workspace.
    package func sessionCount(in workspace: String) async throws -> Int {
        try await database.count(
            "SELECT sum(sessions) FROM session_totals WHERE workspace = ?", [.text(workspace)])
    }

    /// Number of sessions with discrepancies at the last check.
    package func outOfSyncSessionCount(in workspace: String) async throws -> Int {
        try await database.count(
            "SELECT count(*) FROM sessions WHERE workspace = ? AND disagreements > 0",
            [.text(workspace)])
    }

    package func session(_ id: String, in workspace: String) async throws -> Session? {
        let now = clocks.now(in: workspace)
        return try await database.row(
            "SELECT \(SessionTable.columns) FROM sessions s WHERE s.id = ? AND s.workspace = ?",
            [.text(id), .text(workspace)], SessionTable.session)?.withState(at: now)
    }

    /// The active session of an app on a device.
    package func currentSession(_ instance: AppInstance) async throws -> Session? {
        let now = stateStore.now(in: instance)
        return try await database.readThrowingProblems {
            try SessionTable.activeSession(of: instance, $0)
        }?.withState(at: now)
    }

    /// The session's history, oldest first: the first entry and the newest 500.
    package func history(ofSession id: String, in workspace: String) async throws
        -> [SessionHistoryEntry]
    {
        try await database.rows(
            """
            SELECT m.at, m.kind, m.title, m.generation, m.exchange, m.token \
            FROM sessions s JOIN session_moments m ON m.session = s.sequence \
            WHERE s.id = ? AND s.workspace = ? ORDER BY m.number
            """, [.text(id), .text(workspace)]
        ) { row in
            SessionHistoryEntry(
                at: row.date(0), kind: row.text(1), title: row.text(2),
                generation: Int(row.integer(3)), exchange: row.optionalText(4),
                tokenNumber: row.optionalInteger(5).map { Int($0) })
        }
    }

    /// Refreshes now, in the same single flight as a silent refresh.
    ///
    /// Returns the session afterwards: refreshed, or revoked. Throws a `Problem` if it has ended,
    /// cannot be refreshed, or if the backend gave no usable response.
    package func refresh(session id: String, in workspace: String) async throws -> Session {
        let (session, instance, app) = try await requireActiveSession(id, workspace)
        guard app.session.refreshCall != nil else { throw Problem.refreshUnsupported(app) }
        let run = ActionRun(try await context(instance, app), .manual)
        let result = try await reportingTermination { try await refreshOnce(run, nil, after: nil) }
        if case .failure(let failure) = result {
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
                // A session page can be opened while the app shows any screen.
                let context = try await context(instance, app)
                try await reportingTermination { try await navigate(context, to: screen) }
                let result = try await runAction(
                    instance, screen: screen.id, action: action.name, form: [:])
                guard !result.succeeded,
                    try await storedValue(instance, holding: App.accessTokenName) != nil
                else { return }
                throw Problem(
                    status: 409, code: "sign-out-failed", title: "Sign-out failed",
                    detail: "\(action.label) failed; the page of \(app.name)"
                        + " shows why. You can clear its app data instead.")
            }
        }
        try await clearStorage(instance)
    }

    /// A session that has not ended, with its app instance.
    private func requireActiveSession(_ id: String, _ workspace: String) async throws -> (
        Session, AppInstance, App
    ) {
        let session = try await requireSession(id, workspace)
        guard session.endedAt == nil else {
            throw Problem(
                status: 409, code: "session-ended", title: "The session has ended",
                detail: "It is \(session.state.rawValue): the device no longer stores its tokens.")
        }
        let context = try await context(session.instance)
        guard !context.isLocked(App.accessTokenName) else {
            throw Problem(
                status: 409, code: "session-locked", title: "The session is locked",
                detail: "\(context.app.name) cannot read its tokens before the sensor matched on"
                    + " \(context.device.label). Unlock it there first.")
        }
        return (session, session.instance, context.app)
    }

    func requireSession(_ id: String, _ workspace: String) async throws -> Session {
        guard let session = try await session(id, in: workspace) else {
            throw Problem.unknown(
                "session", "No session of this workspace has the id \(id.prefix(40)).")
        }
        return session
    }

    // MARK: Signing in

    /// Signs a user in through the UI: finds the screen that needs only an email address and a
    /// password or a mailed code, and submits it.
    ///
    /// Pages that the app shows before its own screens, such as an introduction, are passed.
    ///
    /// `code` is called for the mailed code after the app requested one. Throws a `Problem` if the
    /// app has no such screen or none of them signs in; it then contains the last failure.
    package func signIn(
        _ instance: AppInstance, email: String, password: String?,
        code: @Sendable () async throws -> String?
    ) async throws -> Session {
        let app = try app(instance)
        _ = try await launch(instance)
        if let session = try await status(instance).session,
            try await !context(instance, app).isLocked(App.accessTokenName)
        {
            return session
        }
        var lastFailure: String?
        for screen in app.signInScreens {
            guard let form = screen.signInForm(email: email, password: password) else { continue }
            try await navigate(try await context(instance, app), to: screen)
            var input = form
            if let field = screen.fields.first(where: { $0.type == .code }) {
                guard try await requestMail(instance, on: screen, form) != nil,
                    let mailedCode = try await code()
                else { continue }
                input[field.name] = mailedCode
            }
            _ = try await runAction(
                instance, screen: screen.id, action: Action.submitName, form: input)
            if let session = try await status(instance).session {
                try await passIntroduction(instance, app)
                return session
            }
            lastFailure = try await status(instance).failure?.message ?? lastFailure
        }
        throw Problem(
            status: 409, code: "sign-in-failed", title: "\(app.name) did not sign in",
            detail: lastFailure.map { "Message: \($0)" }
                ?? "It has no screen that signs in with just an email and"
                + " password, or an emailed code.")
    }

    /// Leaves pages without tabs: by an action that makes no call, or by a link to a page not seen.
    private func passIntroduction(_ instance: AppInstance, _ app: App) async throws {
        var seen: Set<String> = []
        while let page = app.screen(try await status(instance).screen), page.kind == .page,
            page.tabs.isEmpty, seen.insert(page.id).inserted
        {
            let leaving = page.actions.first {
                $0.calls.isEmpty && !$0.isInert && !$0.hasPrompt && $0.destination != nil
            }
            if let leaving {
                _ = try await runAction(
                    instance, screen: page.id, action: leaving.name, form: [:])
            } else if let next = page.links.first(where: { !seen.contains($0.screen) }) {
                try await navigate(
                    try await context(instance, app), to: try screen(next.screen, of: app))
            }
        }
    }

    /// Performs the action that requests a mail without leaving the screen; returns it, or nil if
    /// the screen has no such action.
    package func requestMail(_ instance: AppInstance, on screen: Screen, _ form: [String: String])
        async throws -> Action?
    {
        let device = try await status(instance).device
        for action in screen.actions
        where !action.calls.isEmpty && !action.isInert && action.destination == nil
            && action.navigationRules.isEmpty && device.supports(action)
        {
            let result = try await runAction(
                instance, screen: screen.id, action: action.name, form: form)
            if result.succeeded { return action }
        }
        return nil
    }
}

extension App {
    /// Forms that need no session, the ones with the fewest fields first: a sign-in has fewer than
    /// a registration.
    fileprivate var signInScreens: [Screen] {
        screens.filter { $0.requirement == nil && $0.submitAction?.calls.isEmpty == false }
            .enumerated().sorted {
                ($0.element.fields.count, $0.offset) < ($1.element.fields.count, $1.offset)
            }.map(\.element)
    }
}

extension Screen {
    /// The form's values; nil if it needs others.
    fileprivate func signInForm(email: String, password: String?) -> [String: String]? {
        var form: [String: String] = [:]
        var hasAddress = false
        var hasSecret = false
        for field in fields {
            switch field.type {
            case .email:
                form[field.name] = email
                hasAddress = true
            case .password:
                guard let password, !hasSecret else { return nil }
                form[field.name] = password
                hasSecret = true
            case .code:
                guard !hasSecret else { return nil }
                hasSecret = true
            case .toggle, .choice: continue
            case .text, .phone: return nil
            }
        }
        return hasAddress && hasSecret ? form : nil
    }
}
