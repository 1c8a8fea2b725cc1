import Apps
import Core
import Traffic
import Web

extension Simulator {
    /// Shows `screen` (GET). Redirects if the screen needs a missing session or the app would not
    /// show it now; after a kill in between, to the launch screen.
    ///
    /// `isReload`: the user reloads the page that shows it, which repeats its loads. `isLink`: the
    /// user entered its URL, so the app remembers it like a link.
    package func openScreen(
        _ instance: AppInstance, screen: String, isReload: Bool = false, isLink: Bool = false
    ) async throws -> ScreenResult {
        let app = try app(instance)
        let screen = try self.screen(screen, of: app)
        do {
            var context = try await self.context(instance, app)
            let isShown = NavigationDecision(context, to: screen) == .stay
            if !isShown {
                if let other = try await navigateOrRedirect(context, to: screen) {
                    if isLink { rememberLink(to: screen, context) }
                    return .redirect(screen: other)
                }
                context = try await self.context(instance, app)
            }
            if takeReload(instance, isReload && isShown) {
                requestLoads(of: screen, context, label: "Reload")
                context = try await self.context(instance, app)
            }
            if try await load(screen, context) {
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
        } catch is AppTerminated { return .redirect(screen: app.launchScreenID) }
    }

    /// Applies a failure that leads to another screen.
    func showFailure(_ failure: CallFailure, _ target: String, _ run: ActionRun) async throws {
        try await update(run, reason: .manual) { persisted, _, now in
            persisted.showScreen(target, at: now)
        } then: { transient in
            transient.leaveScreen()
            transient.failure = AppStatus.Failure(failure)
        }
        publishFailure(failure.message, kind: failure.kind, exchange: failure.exchange, run)
    }

    /// Removes the alert.
    package func dismissAlert(_ instance: AppInstance) async throws {
        _ = try await context(instance)
        stateStore.updateTransient(instance) { transient in
            transient.alert = nil
            if transient.failure?.presentation == .alert { transient.failure = nil }
        }
    }

    // MARK: Status

    /// The app's status on this device; does not navigate.
    package func status(_ instance: AppInstance) async throws -> AppStatus {
        status(try await context(instance))
    }

    /// Everything that a page shows of an app on a device.
    private func status(_ context: ActionContext) -> AppStatus {
        let (app, persisted, transient) = (context.app, context.persisted, context.transient)
        let screen = app.screen(persisted.screen)
        let id = screen?.id ?? app.launchScreenID
        let available = context.availableValues().filter { !app.isToken($0.key) }
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
            notice: transient.notice, alert: transient.alert, openedPage: transient.openedPage,
            availableValues: available,
            session: persisted.session?.withState(
                at: stateStore.clocks.now(in: context.device.workspace)), visits: persisted.visits,
            transitions: persisted.transitions,
            lastTransition: persisted.lastTransitionIndex.map { persisted.transitions[$0] },
            willKillOnNextSubmit: transient.willKillOnNextSubmit,
            isInBackground: transient.isInBackground, linkedScreen: transient.linkedScreen,
            canRefresh: screen.map { context.canLoad($0) } ?? false)
    }
}

extension ActionContext {
    /// Whether screens that need a session open without one: the user bypassed it, and the device
    /// still offers an action that does.
    fileprivate var isSessionBypassed: Bool {
        transient.isSessionBypassed
            && app.screens.contains { screen in
                screen.allActions.contains { $0.bypassesSession && device.supports($0) }
            }
    }
}

/// The result of opening a screen.
package enum ScreenResult: Sendable {
    /// Shows the screen with this status.
    case show(AppStatus)
    /// Redirects to this screen.
    case redirect(screen: String)
}

/// Whether an app shows a screen that is requested by its URL.
enum NavigationDecision: Sendable, Equatable {
    /// The screen is shown already.
    case stay
    /// The screen can replace the current one.
    case navigate
    /// This screen is shown instead.
    case redirect(String)

    init(_ context: ActionContext, to target: Screen) {
        let app = context.app
        let start = app.launchScreenID
        let current = context.persisted.screen
        let isSignedIn = context.persisted.accessToken(in: app) != nil
        if target.id == start {
            // After the start, the launch screen leads to the current screen.
            let isOnLaunchScreen = current == start || app.screen(current) == nil
            self = isOnLaunchScreen ? .stay : .redirect(current)
        } else if target.requirement == .session, !isSignedIn, !context.isSessionBypassed {
            self = .redirect(Self.signedOutTarget(context))
        } else if current == start || app.screen(current) == nil {
            // Before the start: only if the launch table makes no call.
            let row = context.launchRow
            let canNavigate = !isSignedIn && row?.calls.isEmpty ?? true
            self = canNavigate ? .navigate : .redirect(start)
        } else if isSignedIn, let other = Self.signedInRedirect(of: target, context) {
            self = .redirect(other)
        } else if target.id == current {
            self = .stay
        } else if isSignedIn, target.requirement == nil,
            target.kind == .form || target.kind == .verify,
            !app.hasLink(from: current, to: target.id)
        {
            // A form that the user left by signing in.
            self = .redirect(current)
        } else {
            self = .navigate
        }
    }

    /// The screen shown to a signed-in user instead, by the screen's navigation rules.
    private static func signedInRedirect(of target: Screen, _ context: ActionContext) -> String? {
        let rules = context.app.navigationRules(of: target)
        guard !rules.isEmpty else { return nil }
        let values = context.availableValues()
        let row = rules.first { $0.matches(values) }
        return row?.destination == target.id ? nil : row?.destination
    }

    /// The launch table's target without a session if the row makes no call, else the launch
    /// screen.
    private static func signedOutTarget(_ context: ActionContext) -> String {
        let app = context.app
        guard let row = context.launchRow, row.calls.isEmpty,
            row.navigationRules.isEmpty, row.areasToClear.isEmpty,
            let screen = app.screen(row.destination), screen.requirement == nil
        else { return app.launchScreenID }
        return row.destination
    }
}

extension ActionContext {
    /// The launch table's row for the stored items.
    var launchRow: LaunchRow? { app.launch.first(where: matches) }

    /// Whether the row's conditions are met. Without a sensor, nothing unlocks what is locked.
    func matches(_ row: LaunchRow) -> Bool {
        row.lockedNames.allSatisfy { isLocked($0) && device.biometrics.isReady }
            && row.conditions.areMet { persisted.item(holding: $0, in: app)?.json }
    }
}

extension App {
    /// Whether a tab, link or action of one screen leads to another.
    func hasLink(from: String, to: String) -> Bool {
        guard let screen = screen(from) else { return true }
        return screen.tabs.contains(to) || screen.links.contains { $0.screen == to }
            || screen.navigationRules.contains { $0.destination == to }
            || screen.allActions.contains { action in
                action.destination == to || action.navigationRules.contains { $0.destination == to }
            }
    }
}
