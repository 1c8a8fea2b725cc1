import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Shows `screen`, or returns the one shown instead; after a kill in between, the launch
    /// screen.
    func openScreen(_ instance: AppInstance, _ app: App, _ screen: Screen) async throws
        -> ScreenResult
    {
        do { return try await resolveScreen(instance, app, screen) } catch is DeviceStateStore
            .AppTerminated
        { return .redirect(screen: app.launchScreenID) }
    }

    private func resolveScreen(_ instance: AppInstance, _ app: App, _ screen: Screen) async throws
        -> ScreenResult
    {
        var context = try await context(instance, app)
        if NavigationDecision(context, to: screen) != .stay {
            if let other = try await navigateOrRedirect(context, to: screen) {
                return .redirect(screen: other)
            }
            context = try await self.context(instance, app)
        }
        if !screen.callsOnLoad.isEmpty, context.needsLoad(for: screen) {
            let launchID = context.transient.launchID
            let key = RunKey(instance: instance, launchID: launchID, screen: screen.id)
            try await runOnce(key, in: screenLoads, ifTerminated: ()) { [self] in
                try await performLoad(instance, app, screen, launchID)
            }
            context = try await self.context(instance, app)
            guard NavigationDecision(context, to: screen) == .stay else {
                return .redirect(screen: context.persisted.screen)
            }
        }
        var status = status(context)
        if status.toast != nil {
            // Of two concurrent requests, one receives the toast.
            status.toast =
                stateStore.updateTransient(instance) { transient in
                    defer { transient.toast = nil }
                    return transient.toast
                } ?? nil
        }
        return .show(status)
    }

    /// Performs the calls that load a screen.
    private func performLoad(_ instance: AppInstance, _ app: App, _ screen: Screen, _ launchID: Int)
        async throws
    {
        let context = try await context(instance, app)
        guard context.needsLoad(for: screen) else { return }
        var run = ActionRun(
            instance: instance, app: app, launchID: launchID, initiator: .load,
            startEvent: context.transient.screenEvent)
        for name in screen.callsOnLoad where context.needsLoad(byCall: name) {
            switch try await performCall(name, &run) {
            case .success: break
            case .sessionExpired: return
            case .failure(let failure):
                if let target = failure.targetScreen {
                    return try await showFailure(failure, target, run)
                }
            }
        }
        let finishedRun = run
        try await update(
            run, captured: run.captured, then: { $0.addResults(of: finishedRun, app, stored: []) })
    }

    /// Applies a failure that leads to another screen.
    func showFailure(_ failure: CallFailure, _ target: String, _ run: ActionRun) async throws {
        let now = stateStore.now(in: run.instance)
        try await update(run, reason: .manual) { persisted, _ in
            persisted.showScreen(target, at: now)
        } then: { transient in
            transient.leaveScreen()
            transient.failure = AppStatus.Failure(failure)
        }
        publishFailure(failure, run)
    }

    func publishFailure(_ failure: CallFailure, _ run: ActionRun) {
        publishFailure(failure.message, kind: failure.kind, exchange: failure.exchange, run)
    }

    func publishFailure(_ message: String, kind: String, exchange: String?, _ run: ActionRun) {
        publish(
            run.instance, .actionFailed, message, subject: exchange, cause: run.causeEvent,
            details: ["kind": kind])
    }

    // MARK: Status

    /// Everything that a page shows of an app on a device.
    func status(_ context: ActionContext) -> AppStatus {
        let (app, persisted, transient) = (context.app, context.persisted, context.transient)
        let screen = app.screen(persisted.screen)
        let id = screen?.id ?? app.launchScreenID
        let available = context.displayableValues
        var values = transient.fieldValues
        for field in screen?.fields ?? [] where values[field.name] == nil {
            let prefilled = field.prefillName.flatMap { available[$0]?.scalarText }
            values[field.name] = prefilled ?? field.initialValue
        }
        return AppStatus(
            app: app, device: context.device, screen: id, screenSince: persisted.screenSince,
            isLaunching: id == app.launchScreenID && transient.failure == nil,
            backend: context.backend, baseURL: context.baseURL, fieldValues: values,
            fieldErrors: transient.fieldErrors, failure: transient.failure, toast: transient.toast,
            notice: transient.notice, alert: transient.alert, availableValues: available,
            session: persisted.session?.withState(
                at: stateStore.clocks.now(in: context.device.workspace)), visits: persisted.visits,
            transitions: persisted.transitions,
            lastTransition: persisted.lastTransitionIndex.map { persisted.transitions[$0] },
            willKillOnNextSubmit: transient.willKillOnNextSubmit)
    }
}

extension ActionContext {
    /// Whether data that the screen loads is missing and a call can load it.
    func needsLoad(for screen: Screen) -> Bool {
        screen.callsOnLoad.contains(where: needsLoad(byCall:))
    }

    /// Whether a load call would bring new values: it has not succeeded since the sign-in or the
    /// app's start, and a value it captures is missing.
    func needsLoad(byCall name: String) -> Bool {
        guard persisted.accessToken(in: app) != nil, !app.isCallMissing(name, backend: backend),
            !transient.completedCalls.contains(name), let call = app.call(name, backend: backend)
        else { return false }
        let values = availableValues()
        return call.success.capturePointers.keys.contains { values[$0] == nil }
    }
}

/// The result of opening a screen.
package enum ScreenResult: Sendable {
    /// Shows the screen with this status.
    case show(AppStatus)
    /// Redirects to this screen.
    case redirect(screen: String)
}
