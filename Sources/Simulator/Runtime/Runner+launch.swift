import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Number of attempts of a launch whose session expires during it.
    private static let maxLaunchAttempts = 3

    /// Runs the launch table if the app shows its launch screen.
    func launch(_ instance: AppInstance, _ app: App) async throws -> ActionResult {
        let launchID = try await context(instance, app).transient.launchID
        let key = RunKey(
            instance: instance, launchID: launchID, screen: app.launchScreenID, action: "launch")
        let terminated = ActionResult(screen: app.launchScreenID, succeeded: false)
        return try await runOnce(key, in: actions, ifTerminated: terminated) { [self] in
            try await performLaunch(instance, app, launchID)
        }
    }

    private func performLaunch(_ instance: AppInstance, _ app: App, _ launchID: Int) async throws
        -> ActionResult
    {
        let context = try await context(instance, app)
        guard
            context.persisted.screen == app.launchScreenID
                || app.screen(context.persisted.screen) == nil
        else { return ActionResult(screen: context.persisted.screen, succeeded: true) }
        let startEvent =
            context.transient.startEvent
            ?? (context.transient.failure == nil
                ? publish(instance, .appLaunched, "\(app.name) started")
                : publish(
                    instance, .actionSubmitted, "\(app.name) retried", subject: app.launchScreenID,
                    details: ["screen": app.launchScreenID, "action": "retry", "label": "Retry"]))
        stateStore.updateTransient(instance, launchID: launchID) { transient in
            transient.clearMessages()
            transient.startEvent = nil
        }
        if context.persisted.visits.isEmpty {
            let now = stateStore.now(in: instance)
            try await stateStore.update(instance, app, launchID: launchID, cause: startEvent) {
                persisted, _ in persisted.showScreen(app.launchScreenID, at: now)
            }
        }
        let newRun = ActionRun(
            instance: instance, app: app, launchID: launchID, initiator: .launch,
            startEvent: startEvent)
        for _ in 0..<Self.maxLaunchAttempts {
            var run = newRun
            do { if let result = try await applyLaunchRow(&run) { return result } } catch let
                terminated as DeviceStateStore.AppTerminated
            {
                publishDropped(run, "the launch")
                throw terminated
            }
        }
        return stayOnLaunchScreen(nil, newRun)
    }

    /// Applies the matching row; nil if the session expired and the launch starts again.
    private func applyLaunchRow(_ run: inout ActionRun) async throws -> ActionResult? {
        let app = run.app
        let context = try await context(run.instance, app)
        guard let row = app.launch.first(where: { $0.matches(context) }) else {
            return stayOnLaunchScreen(nil, run)
        }
        if !row.areasToClear.isEmpty {
            try await update(run) { persisted, _ in persisted.clearItems(row.areasToClear, of: app)
            }
        }
        if row.refreshesExpiredToken, let bearer = expiringToken(context) {
            switch try await refreshOnce(run, bearer, after: nil) {
            case .refreshed: break
            case .sessionExpired: return try await resultAfterExpiry(run)
            case .unavailable(let failure): return try await handleLaunchFailure(failure, row, run)
            }
        }
        for name in row.calls where !app.isCallMissing(name, backend: context.backend) {
            let isBestEffort = app.call(name, backend: context.backend)?.isBestEffort ?? false
            switch try await performCall(name, &run) {
            case .success: break
            case .sessionExpired: return try await resultAfterExpiry(run)
            case .failure(let failure):
                if isBestEffort { break }
                return try await handleLaunchFailure(failure, row, run)
            }
        }
        return try await finishLaunch(row, run)
    }

    /// The result after a session expiry; nil starts the launch again.
    private func resultAfterExpiry(_ run: ActionRun) async throws -> ActionResult? {
        let screen = try await context(run.instance, run.app).persisted.screen
        if screen == run.app.launchScreenID { return nil }
        return ActionResult(screen: screen, succeeded: false)
    }

    /// Stores the row's items and leaves the launch screen.
    func finishLaunch(_ row: LaunchRow, _ run: ActionRun) async throws -> ActionResult {
        let app = run.app
        let now = stateStore.now(in: run.instance)
        let context = try await context(run.instance, app)
        let values = context.availableValues().merging(run.captured) { $1 }
        let target =
            row.navigationRules.first { $0.matches(values) }?.destination ?? row.destination
        var isInaccessible = false
        let persisted = try await update(run, captured: run.captured) { persisted, transient in
            persisted.storeItems(row.namesToStore, of: run, transient, context, at: now)
            // A screen that needs a missing session would redirect here indefinitely.
            isInaccessible =
                app.screen(target)?.requirement == .session && persisted.accessToken(in: app) == nil
            if !isInaccessible { persisted.showScreen(target, at: now) }
        } then: { transient in
            transient.leaveScreen()
            transient.addResults(of: run, app, stored: row.namesToStore)
        }
        guard !isInaccessible else { return stayOnLaunchScreen(nil, run) }
        return ActionResult(screen: persisted.screen, succeeded: true)
    }

    /// Applies the row's failure rule.
    private func handleLaunchFailure(_ failure: CallFailure, _ row: LaunchRow, _ run: ActionRun)
        async throws -> ActionResult
    {
        let target =
            row.onFailure[failure.kind] ?? failure.targetScreen ?? row.onFailure["failed"] ?? "stay"
        guard target != "stay", target != run.app.launchScreenID else {
            guard stateStore.isRunning(run.instance, launchID: run.launchID) else {
                throw DeviceStateStore.AppTerminated()
            }
            return stayOnLaunchScreen(failure, run)
        }
        try await showFailure(failure, target, run)
        return ActionResult(
            screen: target, succeeded: false, matchedFailure: failure.matchedFailure)
    }

    /// Shows the error and Retry on the launch screen; without a failure the launch cannot go on.
    private func stayOnLaunchScreen(_ failure: CallFailure?, _ run: ActionRun) -> ActionResult {
        let failure = failure ?? CallFailure(message: run.app.network.messages.invalidResponse)
        stateStore.updateTransient(run.instance, launchID: run.launchID) { transient in
            transient.failure = AppStatus.Failure(failure)
        }
        publishFailure(failure, run)
        return ActionResult(
            screen: run.app.launchScreenID, succeeded: false, matchedFailure: failure.matchedFailure
        )
    }

    // MARK: Cold starts

    /// Clears what is not stored and shows the launch screen. Running actions belong to the
    /// terminated launch from now on.
    func coldStart(_ instance: AppInstance, _ app: App, isKill: Bool) async throws {
        let now = stateStore.now(in: instance)
        let launchID = stateStore.makeLaunchID()
        // Reset before the events: their subscribers read the state at once, before it is written.
        stateStore.updateTransient(instance) { $0.willKillOnNextSubmit = false }
        let killEvent = isKill ? publish(instance, .appKilled, "\(app.name) was killed") : nil
        let startEvent = publish(instance, .appLaunched, "\(app.name) started", cause: killEvent)
        try await stateStore.update(instance, app, cause: startEvent) { persisted, _ in
            persisted.showScreen(app.launchScreenID, at: now)
        } then: { transient in
            transient = TransientAppState(launchID: launchID)
            transient.startEvent = startEvent
        }
    }
}
