import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Shows `screen`, or tells which one is shown instead; an app that was
    /// killed in between shows its splash.
    func openScreen(_ instance: AppInstance, _ app: App, _ screen: Screen) async throws
        -> ScreenResult
    {
        do { return try await resolveScreen(instance, app, screen) } catch is DeviceStateStore
            .AppTerminated
        {
            return .redirect(screen: app.launchScreenID)
        }
    }

    private func resolveScreen(_ instance: AppInstance, _ app: App, _ screen: Screen) async throws
        -> ScreenResult
    {
        var context = try await context(instance, app)
        if NavigationDecision(context, to: screen) != .stay {
            if let other = try await redirectIfNeeded(context, to: screen) {
                return .redirect(screen: other)
            }
            context = try await self.context(instance, app)
        }
        if !screen.callsOnLoad.isEmpty, context.needsLoad(for: screen) {
            try await loadScreen(instance, app, screen, context.transient.launchID)
            context = try await self.context(instance, app)
            guard NavigationDecision(context, to: screen) == .stay else {
                return .redirect(screen: context.persisted.screen)
            }
        }
        var status = status(context)
        if status.toast != nil {
            // Of two pages that ask at once, one takes it.
            status.toast =
                stateStore.updateTransient(instance) { transient in
                    defer { transient.toast = nil }
                    return transient.toast
                } ?? nil
        }
        return .show(status)
    }

    /// Makes the calls a screen is filled with, once for all who wait.
    private func loadScreen(_ instance: AppInstance, _ app: App, _ screen: Screen, _ launchID: Int)
        async throws
    {
        let key = ScreenLoadKey(instance: instance, launchID: launchID, screen: screen.id)
        try await screenLoads.run(key) { [self] in
            await stateStore.withRetainedState(instance) {
                do {
                    return .success(try await performLoad(instance, app, screen, launchID))
                } catch is DeviceStateStore
                    .AppTerminated
                { return .success(()) } catch { return .failure(error) }
            }
        }.get()
    }

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
                if let go = failure.targetScreen { return try await showFailure(failure, go, run) }
            }
        }
        let done = run
        try await stateStore.update(
            instance, app, launchID: launchID, reason: .run(exchange: run.lastExchange),
            cause: run.causeEvent,
            captured: run.captured
        ) { _, _ in
        } then: { transient in
            transient.addResults(of: done, app, stored: [])
        }
    }

    /// A failure that leads to another screen does so whoever asked.
    func showFailure(_ failure: CallFailure, _ go: String, _ run: ActionRun) async throws {
        let now = stateStore.now(in: run.instance)
        try await stateStore.update(
            run.instance, run.app, launchID: run.launchID, cause: run.causeEvent
        ) { persisted, _ in
            persisted.showScreen(go, at: now)
        } then: { transient in
            transient.leaveScreen()
            transient.failure = AppStatus.Failure(
                message: failure.message, title: nil, presentation: .inline,
                exchange: failure.exchange)
        }
        publish(
            run.instance, .actionFailed, failure.message, subject: failure.exchange,
            cause: run.causeEvent,
            details: ["kind": failure.kind])
    }

    // MARK: Situations

    /// Everything a page shows of an app on a device.
    func status(_ context: ActionContext) -> AppStatus {
        let (app, persisted, transient) = (context.app, context.persisted, context.transient)
        let screen = app.screen(persisted.screen)
        let id = screen?.id ?? app.launchScreenID
        let held = context.displayableValues
        var values = transient.fieldValues
        for field in screen?.fields ?? [] where values[field.name] == nil {
            let known = field.prefillName.flatMap { held[$0]?.scalarText }
            values[field.name] = known ?? field.initialValue
        }
        return AppStatus(
            app: app, device: context.device, screen: id, screenSince: persisted.screenSince,
            isLaunching: id == app.launchScreenID && transient.failure == nil,
            backend: context.backend,
            baseURL: context.baseURL, fieldValues: values, fieldErrors: transient.fieldErrors,
            failure: transient.failure, toast: transient.toast, notice: transient.notice,
            alert: transient.alert,
            availableValues: held,
            session: persisted.session?.withState(
                at: stateStore.clocks.now(in: context.device.workspace)),
            visits: persisted.visits, transitions: persisted.transitions,
            lastTransition: persisted.lastTransitionIndex.map { persisted.transitions[$0] },
            willKillOnNextSubmit: transient.willKillOnNextSubmit)
    }
}

extension ActionContext {
    /// Whether what the screen loads is not there yet, and could be asked for.
    func needsLoad(for screen: Screen) -> Bool {
        screen.callsOnLoad.contains(where: needsLoad(byCall:))
    }

    /// Whether a screen's call would bring something new: it was not answered
    /// since the person signed in or the app started, and something of what
    /// it captures is not there.
    func needsLoad(byCall name: String) -> Bool {
        guard persisted.accessToken(in: app) != nil, !app.isCallMissing(name, backend: backend),
            !transient.completedCalls.contains(name), let call = app.call(name, backend: backend)
        else { return false }
        let held = availableValues()
        return call.success.capturePointers.keys.contains { held[$0] == nil }
    }
}
