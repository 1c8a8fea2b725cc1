import Apps
import Web

/// Whether an app would show a screen now that somebody asks for by address.
enum Way: Sendable, Equatable {
    /// It is shown already.
    case here
    /// It may be shown instead of the current one.
    case move
    /// This one is shown instead.
    case elsewhere(String)

    init(_ facts: Facts, to target: Screen) {
        let app = facts.app
        let start = app.launchScreen
        let current = facts.kept.screen
        let isIn = facts.kept.accessToken(in: app) != nil
        if target.id == start {
            // The splash is passed once; afterwards the app goes on.
            let isThere = current == start || app.screen(current) == nil
            self = isThere ? .here : .elsewhere(current)
        } else if target.needs == .session, !isIn, !facts.isBypassed {
            self = .elsewhere(Self.withoutSession(facts))
        } else if current == start || app.screen(current) == nil {
            // Not started yet: only where the table would not ask anybody.
            let row = app.launch.first { $0.fits(facts) }
            let mayPass = !isIn && row?.calls.isEmpty ?? true
            self = mayPass ? .move : .elsewhere(start)
        } else if isIn, let other = Self.instead(of: target, facts) {
            self = .elsewhere(other)
        } else if target.id == current {
            self = .here
        } else if isIn, target.needs == nil, target.kind == .form || target.kind == .verify,
            !app.leads(from: current, to: target.id)
        {
            // Back to a form that signing in has left.
            self = .elsewhere(current)
        } else {
            self = .move
        }
    }

    /// What a signed-in person is shown instead, by the screen's own rows.
    private static func instead(of target: Screen, _ facts: Facts) -> String? {
        guard !target.goWhen.isEmpty else { return nil }
        let held = facts.held()
        let row = target.goWhen.first { $0.fits(held) }
        return row?.go == target.id ? nil : row?.go
    }

    /// Where the launch table leads without a session: at once if it asks
    /// nobody, else to the splash.
    private static func withoutSession(_ facts: Facts) -> String {
        let app = facts.app
        guard let row = app.launch.first(where: { $0.fits(facts) }), row.calls.isEmpty,
            row.goWhen.isEmpty, row.clear.isEmpty, let screen = app.screen(row.go),
            screen.needs == nil
        else { return app.launchScreen }
        return row.go
    }
}

extension Facts {
    /// Whether screens that need a session open without one: somebody went
    /// round it, and the device still has an action that does.
    fileprivate var isBypassed: Bool {
        shown.bypass
            && app.screens.contains { screen in
                screen.allActions.contains { $0.bypass && device.fits($0) }
            }
    }
}

extension LaunchRow {
    /// Whether what is stored makes this the row to take.
    func fits(_ facts: Facts) -> Bool {
        let item = { (name: String) in facts.kept.item(holding: name, in: facts.app) }
        return stored.allSatisfy { item($0) != nil } && !missing.contains { item($0) != nil }
            && `where`.allSatisfy { item($0.key)?.json.text == $0.value }
    }
}

extension App {
    /// Whether a tab, link or action of one screen leads to another.
    func leads(from: String, to: String) -> Bool {
        guard let screen = screen(from) else { return true }
        return screen.tabs.contains(to) || screen.links.contains { $0.screen == to }
            || screen.goWhen.contains { $0.go == to }
            || screen.allActions.contains { action in
                action.go == to || action.goWhen.contains { $0.go == to }
            }
    }
}
