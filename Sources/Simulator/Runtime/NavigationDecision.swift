import Apps
import Web

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
            let row = app.launch.first { $0.matches(context) }
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
        guard !target.navigationRules.isEmpty else { return nil }
        let values = context.availableValues()
        let row = target.navigationRules.first { $0.matches(values) }
        return row?.destination == target.id ? nil : row?.destination
    }

    /// The launch table's target without a session if the row makes no call, else the launch
    /// screen.
    private static func signedOutTarget(_ context: ActionContext) -> String {
        let app = context.app
        guard let row = app.launch.first(where: { $0.matches(context) }), row.calls.isEmpty,
            row.navigationRules.isEmpty, row.areasToClear.isEmpty,
            let screen = app.screen(row.destination), screen.requirement == nil
        else { return app.launchScreenID }
        return row.destination
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

extension LaunchRow {
    /// Whether the stored items match the row's conditions.
    func matches(_ context: ActionContext) -> Bool {
        conditions.areMet { context.persisted.item(holding: $0, in: context.app)?.json }
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
