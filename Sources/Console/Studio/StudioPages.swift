import Apps
import Backend
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
            .studioPage(Links.timeline, handler: showTimeline),
            .studioPage(Links.appLog) { context in
                let target = try await target(of: context)
                let status = try await services.simulator.status(target.instance)
                return .plainText(try services.appLogText(of: target.instance, status))
            },
            // Of two devices side by side at the same time.
            onBoth(Links.relaunch) { try await $0.relaunch($1, isKill: false) },
            // Kills the app during the current action and restarts it.
            onBoth(Links.kill) { try await $0.relaunch($1, isKill: true) },
            // Kills the app when the next action sends its request, as during a registration.
            action(Links.killNext) { instance, context in
                let armed = try Form(context.request).choice("armed", of: ["on", "off"]) ?? "on"
                try await services.simulator.setKillOnNextSubmit(instance, isArmed: armed == "on")
            },
            onBoth(Links.background) { try await $0.enterBackground($1) },
            onBoth(Links.foreground) { try await $0.enterForeground($1) },
            Route(.post, Links.expireToken, handler: expireTokens),
            action(Links.refreshToken, refreshSession), action(Links.seed, signInFromSeed),
            action(Links.studioDevice, updateDevice),
        ] + deviceRoutes + dialogRoutes
    }

    /// The page, or one section of it if `part` is given.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["part", "reveal"] + StudioLinks.parameterNames)
        if let errorPage = try await services.manifestErrorPage(context, navItemID: "studio") {
            return errorPage
        }
        if let confirmation = try await confirmSwitch(context) { return confirmation }
        let target = try await target(of: context)
        var revealed: (key: String, value: String)?
        if let key = query["reveal"] {
            revealed = (key, try await services.simulator.reveal(target.instance, key: key))
        }
        let page = try await StudioBuilder(
            services: services, target: target, revealed: revealed
        ).build()
        return try await services.respond(
            to: context, page, "studio/studio",
            parts: [
                "actions": "studio/actions", "device": "studio/device",
                "kills": "studio/kills", "state": "studio/state",
                "tokens": "studio/tokens", "storage": "studio/storage",
                "exchanges": "studio/exchanges", "mail": "studio/mail",
                "log": "studio/log", "timeline": "studio/timeline", "devices": "studio/devices",
                "second": "studio/secondphone", "secondstatus": "studio/secondstatus",
            ], setting: target.cookie)
    }

    /// The timeline as a page of its own, a list for narrow screens.
    @Sendable private func showTimeline(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let instance = target.instance
        let status = try await services.simulator.status(instance)
        let timeline = TimelineModel(
            services.timeline(of: instance, base: status.baseURL, limit: 400), links: target.links,
            groupLimit: .max, markLimit: .max)
        let empty = TemplateModel.noItems(
            "No events yet",
            "Screens, requests, storage changes and messages of this app on this device appear "
                + "here. Start the app on the device.",
            drawing: .traffic, call: "GET /api/events?after=0", studioOf: instance.app)
        let page = Page(
            title: "\(status.app.name) timeline", navItem: "studio",
            url: target.links(Links.timeline),
            model: [
                "appID": instance.app, "appName": status.app.name, "deviceID": instance.device,
                "studioURL": target.links.page,
                "empty": timeline.groups.isEmpty ? empty : nil,
                // The newest first.
                "groups": Array(timeline.groups.reversed()),
            ])
        return try await services.respond(
            to: context, page, "studio/timelinepage", parts: ["groups": "studio/timelinelist"],
            setting: target.cookie)
    }

    // MARK: Actions

    /// A form that acts on the app on the shown devices, one or two, and returns to the studio.
    private func onBoth(
        _ path: PagePath,
        _ act: @escaping @Sendable (Simulator, AppInstance) async throws -> Void
    ) -> Route {
        Route(.post, path) { context in
            let target = try await target(of: context)
            try await act(services.simulator, target.instance)
            if let second = target.secondInstance { try await act(services.simulator, second) }
            return .redirect(to: target.links.page)
        }
    }

    /// Expires the access tokens of the shown devices.
    @Sendable private func expireTokens(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        try await services.simulator.expireAccessToken(target.instance, at: services.backend)
        if let second = target.secondInstance,
            try await services.simulator.status(second).session?.accessToken?.isJWT == true
        {
            try await services.simulator.expireAccessToken(second, at: services.backend)
        }
        return .redirect(to: target.links.page)
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

    /// Creates an account on the embedded backend and signs it in on this device, as far as the
    /// requested state goes.
    @Sendable private func signInFromSeed(_ instance: AppInstance, _ context: RequestContext)
        async throws
    {
        let form = try Form(context.request)
        let states = Seed.State.allCases.filter(\.isSignedIn).map(\.rawValue)
        let state = try form.choice("state", of: states).flatMap(Seed.State.init) ?? .signedIn
        _ = try await services.seed(
            Seed(app: instance.app, state: state), on: instance, opensScreen: true)
    }

    /// Changes the submitted device settings only.
    @Sendable private func updateDevice(_ instance: AppInstance, _ context: RequestContext)
        async throws
    {
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

    // MARK: Helpers

    /// A form that acts on the app on the requested device, and returns to the studio.
    func action(
        _ path: PagePath,
        _ act: @escaping @Sendable (AppInstance, RequestContext) async throws -> Void
    ) -> Route {
        Route(.post, path) { context in
            let target = try await target(of: context)
            try await act(target.instance, context)
            return .redirect(to: target.links.page)
        }
    }

    /// A page or dialog of the studio.
    func studioPage(_ title: String, _ target: StudioTarget, _ model: TemplateModel) -> Page {
        Page(
            title: title, navItem: "studio", url: target.links.page, needsStudioScript: true,
            model: model)
    }

    func target(of context: RequestContext) async throws -> StudioTarget {
        try await services.studioTarget(of: context)
    }
}

extension Seed.State {
    /// The name on a control: `Signed in`, `Expired token`.
    var label: String {
        switch self {
        case .unverified: "Unverified"
        case .verified: "Verified"
        case .locked: "Locked"
        case .signedIn: "Signed in"
        case .expired: "Expired token"
        case .revoked: "Revoked session"
        }
    }
}
