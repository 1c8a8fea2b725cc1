import Apps
import Backend
import Core
import Inspection
import Simulator
import Templates
import Traffic
import Web
import Workspaces

/// `/studio/{app}`: the phone beside the live inspector, and the page's actions.
struct StudioPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.studio, handler: show),
            Route(.post, Links.relaunch, handler: action(relaunch)),
            Route(.post, Links.kill, handler: action(kill)),
            Route(.post, Links.killNext, handler: action(armKill)),
            Route(.post, Links.expireToken, handler: action(expireToken)),
            Route(.post, Links.refreshToken, handler: action(refreshSession)),
            Route(.post, Links.studioDevice, handler: action(updateDevice)),
            Route(.post, Links.seed, handler: action(signInFromSeed)),
            Route(.post, Links.studioBackend, handler: chooseBackend),
            Route(.get, Links.studioBackend, handler: backendPage),
            Route(.get, Links.clearStorage, handler: confirmClearStorage),
            Route(.post, Links.clearStorage, handler: action(clearStorage)),
            Route(.get, Links.storedItem, handler: itemPage),
            Route(.post, Links.storedItem, handler: saveItem),
            Route(.post, Links.deleteStoredItem, handler: action(deleteItem)),
        ] + restoreRoutes + timelineRoutes
    }

    /// The page, or one section of it if `part` is given.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["part", "reveal"])
        if let errorPage = ManifestErrorPage(context, services, navItemID: "studio") {
            return try await errorPage.response()
        }
        let (instance, cookie) = try await resolveInstance(of: context)
        var revealed: (key: String, value: String)?
        if let key = query["reveal"] {
            revealed = (key, try await services.simulator.reveal(instance, key: key))
        }
        let page = try await StudioBuilder(
            services: services, instance: instance, revealed: revealed
        ).build()
        return try await services.respond(
            to: context, page, "studio/studio",
            parts: [
                "actions": "studio/actions", "device": "studio/device",
                "kills": "studio/kills", "state": "studio/state",
                "tokens": "studio/tokens", "storage": "studio/storage",
                "exchanges": "studio/exchanges", "mail": "studio/mail",
                "timeline": "studio/timeline",
            ], setting: cookie)
    }

    // MARK: Actions

    @Sendable private func relaunch(_ instance: AppInstance, _: RequestContext) async throws {
        try await services.simulator.relaunch(instance, isKill: false)
    }

    /// Kills the app during the current action and restarts it.
    @Sendable private func kill(_ instance: AppInstance, _: RequestContext) async throws {
        try await services.simulator.killDuringAction(instance)
    }

    /// Kills the app when the next action sends its request, for example during a registration.
    @Sendable private func armKill(_ instance: AppInstance, _ context: RequestContext) async throws
    {
        let armed = try Form(context.request).choice("armed", of: ["on", "off"]) ?? "on"
        try await services.simulator.setKillOnNextSubmit(instance, isArmed: armed == "on")
    }

    @Sendable private func expireToken(_ instance: AppInstance, _: RequestContext) async throws {
        try await services.tokenExpirer.expire(instance)
    }

    @Sendable private func refreshSession(_ instance: AppInstance, _: RequestContext) async throws {
        let status = try await services.simulator.status(instance)
        guard let session = status.session else {
            throw Problem(
                status: 409, code: "no-session", title: "No session on this device",
                detail: "There is nothing to refresh. Sign in first.")
        }
        _ = try await services.simulator.refresh(session: session.id, in: instance.workspace)
    }

    // MARK: Helpers

    /// The requested app on this browser's device.
    func resolveInstance(of context: RequestContext) async throws -> (AppInstance, cookie: String?)
    {
        let id = try services.app(of: context).id
        let (scope, cookie) = try await services.scopeResolver.resolve(context)
        return (scope.instance(id), cookie)
    }

    /// Handles a form that acts on the app on this browser's device, and returns to the studio.
    func action(
        _ act: @escaping @Sendable (AppInstance, RequestContext) async throws -> Void
    ) -> @Sendable (RequestContext) async throws -> Response {
        { context in
            let (instance, _) = try await resolveInstance(of: context)
            try await act(instance, context)
            return redirectToStudio(instance)
        }
    }

    func redirectToStudio(_ instance: AppInstance) -> Response {
        .redirect(to: Links.studio(instance.app))
    }

    /// A page or dialog of the studio.
    func studioPage<Model>(_ title: String, _ instance: AppInstance, _ model: Model) -> Page<Model>
    {
        Page(
            title, navItem: "studio", url: Links.studio(instance.app),
            needsStudioScript: true, model)
    }
}

/// The device controls below the phone.
extension StudioPages {
    /// Changes the submitted settings only.
    @Sendable func updateDevice(_ instance: AppInstance, _ context: RequestContext) async throws {
        let form = try Form(context.request)
        let display = try DisplayChange(form)
        let build = try form.choice("build", of: Device.Build.self)
        let kind = try form.choice("biometrics", of: Device.Biometrics.Kind.self)
        _ = try await services.simulator.updateDevice(instance.device, in: instance.workspace) {
            device in
            device.display = display.applied(to: device.display)
            if let build { device.build = build }
            if let kind { device.biometrics.kind = kind }
        }
    }
}

/// The timeline as a page of its own, a list for narrow screens.
extension StudioPages {
    var timelineRoutes: [Route] { [Route(.get, Links.timeline, handler: showTimeline)] }

    @Sendable private func showTimeline(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let status = try await services.simulator.status(instance)
        let timelineURL = Links.timeline(instance.app)
        let page = Page(
            "\(status.app.name) timeline", navItem: "studio",
            url: timelineURL,
            TimelineListModel(services.timeline(of: instance), of: instance, status))
        return try await services.respond(
            to: context, page, "studio/timelinepage", parts: ["groups": "studio/timelinelist"],
            setting: cookie)
    }
}
