import Apps
import Core
import Traffic
import Web

extension Simulator {
    /// Number of attempts of a launch whose session expires during it.
    private static let maxLaunchAttempts = 3

    /// Runs the launch table, also for Retry on the launch screen. An app that has left its launch
    /// screen is not started again: the result is its current screen.
    package func launch(_ instance: AppInstance) async throws -> ActionResult {
        let run = ActionRun(try await context(instance), .launch)
        return try await runOnce(
            run, screen: run.app.launchScreenID, action: "launch", in: actions,
            ifTerminated: run.terminatedResult
        ) { [self] in try await performLaunch(run) }
    }

    private func performLaunch(_ run: ActionRun) async throws -> ActionResult {
        let (instance, app) = (run.instance, run.app)
        let context = try await context(run)
        guard
            context.persisted.screen == app.launchScreenID
                || app.screen(context.persisted.screen) == nil
        else { return ActionResult(screen: context.persisted.screen, succeeded: true) }
        try await enterForeground(instance)
        var newRun = run
        newRun.startEvent =
            context.transient.startEvent
            ?? (context.transient.failure == nil
                ? hub.publish(instance, .appLaunched, "\(app.name) started")
                : hub.publish(
                    instance, .actionSubmitted, "\(app.name) retried", subject: app.launchScreenID,
                    details: ["screen": app.launchScreenID, "action": "retry", "label": "Retry"]))
        updateTransient(run) { transient in
            transient.clearMessages()
            transient.startEvent = nil
        }
        if context.persisted.visits.isEmpty {
            try await update(newRun, reason: .manual) { persisted, _, now in
                persisted.showScreen(app.launchScreenID, at: now)
            }
        }
        for _ in 0..<Self.maxLaunchAttempts {
            var run = newRun
            do { if let result = try await applyLaunchRow(&run) { return result } } catch let
                terminated as AppTerminated
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
        let context = try await context(run)
        guard let row = context.launchRow else {
            return stayOnLaunchScreen(nil, run)
        }
        if !row.areasToClear.isEmpty {
            try await update(run) { persisted, _, _ in
                persisted.clearItems(row.areasToClear, of: app)
            }
        }
        if row.refreshesExpiredToken, let bearer = expiringToken(context) {
            switch try await refreshOnce(run, bearer, after: nil) {
            case .success: break
            case .sessionExpired: return try await resultAfterExpiry(run)
            case .failure(let failure): return try await handleLaunchFailure(failure, row, run)
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
        let screen = try await context(run).persisted.screen
        return screen == run.app.launchScreenID
            ? nil : ActionResult(screen: screen, succeeded: false)
    }

    /// Stores the row's items and leaves the launch screen.
    func finishLaunch(_ row: LaunchRow, _ run: ActionRun) async throws -> ActionResult {
        let app = run.app
        let context = try await context(run)
        let values = context.availableValues(after: run)
        var target =
            row.navigationRules.first { $0.matches(values) }?.destination ?? row.destination
        var linked: String?
        let isLocked =
            context.isLocked(App.accessTokenName) && run.captured[App.accessTokenName] == nil
        var isInaccessible = false
        let persisted = try await update(run, captured: run.captured) { persisted, transient, now in
            persisted.storeItems(row.namesToStore, of: run, transient, context, at: now)
            // A screen that needs a missing session would redirect here indefinitely.
            let hasSession = !isLocked && persisted.accessToken(in: app) != nil
            linked = context.with(persisted, transient).linkedScreen(
                insteadOf: target, after: run, hasSession: hasSession)
            target = linked ?? target
            isInaccessible = app.screen(target)?.requirement == .session && !hasSession
            if !isInaccessible { persisted.showScreen(target, at: now) }
        } then: { transient in
            transient.leaveScreen()
            transient.addResults(of: run, stored: row.namesToStore)
            if linked != nil { transient.linkedScreen = nil }
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
            try stateStore.requireRunning(run.instance, launchID: run.launchID)
            return stayOnLaunchScreen(failure, run)
        }
        try await showFailure(failure, target, run)
        return ActionResult(failure, on: target)
    }

    /// Shows the error and Retry on the launch screen; without a failure the launch cannot go on.
    private func stayOnLaunchScreen(_ failure: CallFailure?, _ run: ActionRun) -> ActionResult {
        let failure = failure ?? CallFailure(message: run.app.network.messages.invalidResponse)
        updateTransient(run) { $0.failure = AppStatus.Failure(failure) }
        publishFailure(failure.message, kind: failure.kind, exchange: failure.exchange, run)
        return ActionResult(failure, on: run.app.launchScreenID)
    }
}
