package import Apps
import Core
import Web

/// Links that open a screen of an app: with the app's own URL scheme, or by the screen's URL.
extension Simulator {
    /// Opens `link`, such as `atlas://settings`; returns the screen shown then.
    ///
    /// A screen that needs a session and cannot be shown yet is remembered until the next cold
    /// start. It replaces the first home screen to which a launch, a sign-in or a verification
    /// leads.
    package func openLink(_ instance: AppInstance, _ link: String) async throws -> String {
        let app = try app(instance)
        let target = try app.screen(ofLink: link)
        do {
            try await enterForeground(instance)
            let context = try await context(instance, app)
            hub.publish(
                instance, .actionSubmitted, "Opened \(app.scheme)://\(target.id)",
                subject: target.id,
                details: ["screen": context.persisted.screen, "action": "link", "label": "Link"])
            if try await navigateOrRedirect(context, to: target) != nil {
                // The user stays, at a form of the sign-in for example.
                rememberLink(to: target, context)
                return try await self.context(instance, app).persisted.screen
            }
            _ = try await load(target, try await self.context(instance, app))
            let current = try await self.context(instance, app)
            // The session may have expired during the load.
            if current.persisted.accessToken(in: app) == nil {
                rememberLink(to: target, current)
            }
            return current.persisted.screen
        } catch is AppTerminated { return app.launchScreenID }
    }

    /// Remembers a screen that needs a session, for the time after the sign-in.
    func rememberLink(to screen: Screen, _ context: ActionContext) {
        guard screen.requirement == .session else { return }
        stateStore.updateTransient(context.instance, launchID: context.transient.launchID) {
            $0.linkedScreen = screen.id
        }
    }
}

extension App {
    /// The screens to which links lead.
    package var linkableScreens: [Screen] { screens.filter { $0.kind != .launch } }

    /// The screen that `link` names: `<scheme>://<screen>`, with or without a query.
    func screen(ofLink link: String) throws(Problem) -> Screen {
        let parts = URLParts(link)
        guard let authority = parts.authority, parts.scheme == scheme else {
            throw Problem(
                status: 422, code: "foreign-link", title: "Not a link of \(name)",
                detail: "Its links begin with \(scheme)://, followed by a screen.")
        }
        let id = (authority + parts.path).split(separator: "/").joined(separator: "/")
        guard let screen = linkableScreens.first(where: { $0.id == id }) else {
            throw Problem.unknown(
                "screen", "\(name) has no screen \(id.prefix(40)); its links lead to ",
                available: linkableScreens.map(\.id))
        }
        return screen
    }
}

extension ActionContext {
    /// The screen to show instead of `destination`, because a link to it was opened before; nil if
    /// there is none or it needs a session that is missing. The values after `run` decide whether
    /// the linked screen leads to another.
    func linkedScreen(
        insteadOf destination: String?, after run: ActionRun, hasSession: Bool
    ) -> String? {
        guard let id = transient.linkedScreen, let linked = app.screen(id), hasSession,
            destination.flatMap(app.screen)?.kind == .home
        else { return nil }
        let values = availableValues(after: run)
        return app.navigationRules(of: linked).first { $0.matches(values) }?.destination ?? id
    }
}
