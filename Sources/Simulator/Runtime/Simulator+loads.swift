import Apps
import Core
import Traffic
import Web

/// The calls that load a screen: when it is opened, reloaded, pulled to refresh, and when the app
/// returns to the foreground.
extension Simulator {
    /// Performs the screen's loads that are due; false if none is. Concurrent callers share them.
    func load(_ screen: Screen, _ context: ActionContext) async throws -> Bool {
        guard context.needsLoad(for: screen) else { return false }
        let run = ActionRun(context, .load)
        try await runOnce(run, screen: screen.id, in: screenLoads, ifTerminated: ()) { [self] in
            try await performLoad(run, screen)
        }
        return true
    }

    /// What the screen shows stays if a call fails, unless its failure leads to another screen. A
    /// screen that shows such failures does so until its loads succeed.
    private func performLoad(_ run: ActionRun, _ screen: Screen) async throws {
        let context = try await context(run)
        let names = screen.callsOnLoad.filter(context.needsLoad(byCall:))
        guard !names.isEmpty else { return }
        // A failed load is not repeated by every request for the page.
        defer {
            updateTransient(run) { transient in
                transient.dueLoads.subtract(names)
                transient.loadEvent = nil
            }
        }
        var run = run
        run.startEvent = context.transient.loadEvent ?? context.transient.screenEvent
        var failures: [(call: String, failure: CallFailure)] = []
        for name in names {
            guard !run.app.isCallMissing(name, backend: context.backend) else {
                if case .sessionExpired = try await refreshIfExpiring(name, run) { return }
                continue
            }
            switch try await performCall(name, &run) {
            case .success: break
            case .sessionExpired: return
            case .failure(let failure):
                if let target = failure.targetScreen {
                    return try await showFailure(failure, target, run)
                }
                failures.append((name, failure))
            }
        }
        if screen.showsLoadFailures { showLoadFailures(failures, run) }
        let persisted = try await self.context(run).persisted
        let changed = run.captured.filter { name, value in
            persisted.item(holding: name, in: run.app).map { $0.json != value } ?? false
        }
        try await storeCaptured(run, storing: changed.keys.sorted())
    }

    /// Shows the first failure of the loads, or removes what was shown before if there is none.
    private func showLoadFailures(
        _ failures: [(call: String, failure: CallFailure)], _ run: ActionRun
    ) {
        let failure = failures.first?.failure
        updateTransient(run) { transient in
            transient.failedLoads = Set(failures.map(\.call))
            transient.failure = failure.map { AppStatus.Failure($0) }
        }
        guard let failure else { return }
        publishFailure(failure.message, kind: failure.kind, exchange: failure.exchange, run)
    }

    /// Makes the screen's loads due, at the user's request; the event is their cause.
    func requestLoads(of screen: Screen, _ context: ActionContext, label: String) {
        guard context.canLoad(screen) else { return }
        let event = hub.publish(
            context.instance, .actionSubmitted, "\(label) on \(screen.id)", subject: screen.id,
            details: ["screen": screen.id, "action": Action.refreshName, "label": label])
        stateStore.updateTransient(context.instance, launchID: context.transient.launchID) {
            transient in
            transient.dueLoads = Set(screen.callsOnLoad)
            transient.loadEvent = event
        }
    }

    // MARK: Reload and refresh

    /// Repeats the loads of the screen if the app shows it; returns the screen shown then.
    package func refreshScreen(_ instance: AppInstance, screen: String) async throws -> String {
        let app = try app(instance)
        let screen = try self.screen(screen, of: app)
        do {
            let context = try await context(instance, app)
            guard context.persisted.screen == screen.id else { return context.persisted.screen }
            requestLoads(of: screen, context, label: "Refresh")
            _ = try await load(screen, try await self.context(instance, app))
            return try await self.context(instance, app).persisted.screen
        } catch is AppTerminated { return app.launchScreenID }
    }

    /// The browser is about to follow a form's redirect. Browsers ask for it as for a reload: with
    /// `Cache-Control: max-age=0`.
    package func expectRedirect(_ instance: AppInstance) {
        stateStore.updateTransient(instance) { $0.isRedirectExpected = true }
    }

    /// Whether a request that looks like a reload is one.
    func takeReload(_ instance: AppInstance, _ isReload: Bool) -> Bool {
        let isRedirect = stateStore.updateTransient(instance) { transient in
            defer { transient.isRedirectExpected = false }
            return transient.isRedirectExpected
        }
        return isReload && isRedirect != true
    }

    // MARK: Background and foreground

    /// Sends the app to the background, where it makes no calls, until a cold start or
    /// `enterForeground`.
    package func enterBackground(_ instance: AppInstance) async throws {
        let app = try await context(instance).app
        let wasInBackground = stateStore.updateTransient(instance) { transient in
            defer { transient.isInBackground = true }
            return transient.isInBackground
        }
        guard wasInBackground == false else { return }
        hub.publish(instance, .appBackgrounded, "\(app.name) went to the background")
    }

    /// Brings the app back from the background, and repeats the loads of its screen.
    package func enterForeground(_ instance: AppInstance) async throws {
        let app = try app(instance)
        do {
            let context = try await context(instance, app)
            guard context.transient.isInBackground else { return }
            let screen = app.screen(context.persisted.screen)
            // Before the event: its subscribers ask for the screen at once.
            stateStore.updateTransient(instance) { transient in
                transient.isInBackground = false
                transient.dueLoads = Set(screen?.callsOnLoad ?? [])
            }
            let event = hub.publish(
                instance, .appForegrounded, "\(app.name) returned to the foreground")
            stateStore.updateTransient(instance) { $0.loadEvent = event }
            guard let screen else { return }
            _ = try await load(screen, try await self.context(instance, app))
        } catch is AppTerminated {}
    }
}

extension ActionContext {
    /// Whether a load of the screen is due.
    func needsLoad(for screen: Screen) -> Bool {
        screen.callsOnLoad.contains(where: needsLoad(byCall:))
    }

    /// Whether a load call is due: it has to be repeated, or it has not succeeded since the sign-in
    /// or the app's start and a value it captures is missing, unless its failure is shown.
    func needsLoad(byCall name: String) -> Bool {
        guard canLoad(byCall: name) else { return false }
        if transient.dueLoads.contains(name) { return true }
        guard !app.isCallMissing(name, backend: backend),
            let call = app.call(name, backend: backend),
            !transient.completedCalls.contains(name), !transient.failedLoads.contains(name)
        else { return false }
        let values = availableValues()
        return call.success.capturePointers.keys.contains { values[$0] == nil }
    }

    /// Whether the screen has loads that the app can make now.
    func canLoad(_ screen: Screen) -> Bool { screen.callsOnLoad.contains(where: canLoad(byCall:)) }

    /// Where the backend does not support a load, an expiring token is refreshed all the same.
    private func canLoad(byCall name: String) -> Bool {
        !transient.isInBackground && persisted.accessToken(in: app) != nil
            && (app.session.refreshLeadSeconds > 0 || !app.isCallMissing(name, backend: backend))
    }
}
