import Apps
import Web

/// Whether an app would show a screen now that somebody asks for by address.
enum NavigationDecision: Sendable, Equatable {
    /// It is shown already.
    case stay
    /// It may be shown instead of the current one.
    case navigate
    /// This one is shown instead.
    case redirect(String)

    init(_ context: ActionContext, to target: Screen) {
        let app = context.app
        let start = app.launchScreenID
        let current = context.persisted.screen
        let isIn = context.persisted.accessToken(in: app) != nil
        if target.id == start {
            // The splash is passed once; afterwards the app goes on.
            let isThere = current == start || app.screen(current) == nil
            self = isThere ? .stay : .redirect(current)
        } else if target.requirement == .session, !isIn, !context.isSessionBypassed {
            self = .redirect(Self.signedOutTarget(context))
        } else if current == start || app.screen(current) == nil {
            // Not started yet: only where the table would not ask anybody.
            let row = app.launch.first { $0.matches(context) }
            let mayPass = !isIn && row?.calls.isEmpty ?? true
            self = mayPass ? .navigate : .redirect(start)
        } else if isIn, let other = Self.signedInRedirect(of: target, context) {
            self = .redirect(other)
        } else if target.id == current {
            self = .stay
        } else if isIn, target.requirement == nil, target.kind == .form || target.kind == .verify,
            !app.hasLink(from: current, to: target.id)
        {
            // Back to a form that signing in has left.
            self = .redirect(current)
        } else {
            self = .navigate
        }
    }

    /// What a signed-in person is shown instead, by the screen's own rows.
    private static func signedInRedirect(of target: Screen, _ context: ActionContext) -> String? {
        guard !target.navigationRules.isEmpty else { return nil }
        let held = context.availableValues()
        let row = target.navigationRules.first { $0.matches(held) }
        return row?.destination == target.id ? nil : row?.destination
    }

    /// Where the launch table leads without a session: at once if it asks
    /// nobody, else to the splash.
    private static func signedOutTarget(_ context: ActionContext) -> String {
        let app = context.app
        guard let row = app.launch.first(where: { $0.matches(context) }), row.calls.isEmpty,
            row.navigationRules.isEmpty, row.areasToClear.isEmpty,
            let screen = app.screen(row.destination),
            screen.requirement == nil
        else { return app.launchScreenID }
        return row.destination
    }
}

extension ActionContext {
    /// Whether screens that need a session open without one: somebody went
    /// round it, and the device still has an action that does.
    fileprivate var isSessionBypassed: Bool {
        transient.isSessionBypassed
            && app.screens.contains { screen in
                screen.allActions.contains { $0.bypassesSession && device.supports($0) }
            }
    }
}

extension LaunchRow {
    /// Whether what is stored makes this the row to take.
    func matches(_ context: ActionContext) -> Bool {
        let item = { (name: String) in context.persisted.item(holding: name, in: context.app) }
        return requiredNames.allSatisfy { item($0) != nil }
            && !absentNames.contains { item($0) != nil }
            && `expectedValues`.allSatisfy { item($0.key)?.json.scalarText == $0.value }
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
