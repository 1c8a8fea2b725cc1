import Apps
import Core
import Simulator
import Templates
import Web

/// `/apps/…`: the apps' screens on the browser's device; the same below `/devices/{device}` for a
/// device without a browser.
struct ScreenPages: Sendable {
    let services: Services
    private let renderedScreens = SharedCache<RenderedScreenKey, [UInt8]>(capacity: 256)

    init(services: Services) { self.services = services }

    /// Query parameters of a screen's URL.
    private static let parameterNames = ["confirm", "dismissed", "still"]

    var routes: [Route] {
        ["", "/devices/{device}"].flatMap { prefix in
            [
                Route(.get, "\(prefix)/apps/{app}", handler: start),
                Route(.get, "\(prefix)/apps/{app}/{screen}", handler: show),
                Route(.post, "\(prefix)/apps/{app}/{screen}", handler: switchTab),
                Route(.post, "\(prefix)/apps/{app}/{screen}/check", handler: validateFields),
                Route(.post, "\(prefix)/apps/{app}/{screen}/refresh", handler: refresh),
                Route(.post, "\(prefix)/apps/{app}/{screen}/{action}", handler: performAction),
                Route(.get, "\(prefix)/apps/{app}/{screen}/{action}/return", handler: showReturn),
            ]
        }
    }

    /// Starts the app, or redirects to its current screen.
    @Sendable private func start(_ context: RequestContext) async throws -> Response {
        let target = try await resolve(context)
        return target.redirect(to: try await services.simulator.status(target.instance).screen)
    }

    /// Shows the screen, or redirects to the one that the app shows instead.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: Self.parameterNames)
        let target = try await resolve(context)
        let screen = try requestedScreen(context, of: target)
        if query["dismissed"] != nil {
            try await services.simulator.dismissAlert(target.instance)
        }
        let isStatic = query["still"] != nil
        switch try await services.simulator.openScreen(
            target.instance, screen: screen.id, isReload: context.isReload && !isStatic,
            isLink: context.isEnteredURL)
        {
        case .redirect(let other): return target.redirect(to: other, [("still", query["still"])])
        case .show(let status):
            let builder = ScreenBuilder(
                status: status, screen: screen, csrf: context.csrfToken,
                confirmingAction: query["confirm"], isFramed: context.isFramed,
                isStatic: isStatic, screenLinks: target.links)
            return .screen(
                try render(builder), for: context, target.links, setting: target.cookie)
        }
    }

    /// Renders a screen; one without a user's values is rendered once for a browser and a state of
    /// the app.
    private func render(_ builder: ScreenBuilder) throws -> [UInt8] {
        let status = builder.status
        let template = services.template(of: builder.screen, in: status.app.id)
        func render() throws(TemplateError) -> [UInt8] {
            try services.templates.render(template, builder.build(), layout: "layouts/screen")
        }
        guard status.availableValues.isEmpty, status.fieldValues.values.allSatisfy(\.isEmpty)
        else { return try render() }
        let key = RenderedScreenKey(
            template: template, templatesVersion: services.templates.version, builder: builder)
        return try renderedScreens.value(for: key, make: render)
    }

    /// Switches to another tab's screen, with the values entered in this form.
    @Sendable private func switchTab(_ context: RequestContext) async throws -> Response {
        let target = try await resolve(context)
        let screen = try requestedScreen(context, of: target)
        if let response = try await beginSubmit(target) { return response }
        return target.redirect(
            to: try await services.simulator.switchTab(
                target.instance, to: screen.id, form: try Form(context.request).firstValues))
    }

    /// Repeats the screen's loads, then redirects (303) to the resulting screen.
    @Sendable private func refresh(_ context: RequestContext) async throws -> Response {
        let target = try await resolve(context)
        let screen = try requestedScreen(context, of: target)
        if let response = try await beginSubmit(target) { return response }
        return target.redirect(
            to: try await services.simulator.refreshScreen(target.instance, screen: screen.id))
    }

    /// The response for an app in the background, whose controls have no effect; nil for others,
    /// whose redirect follows.
    private func beginSubmit(_ target: Target) async throws -> Response? {
        let status = try await services.simulator.status(target.instance)
        services.simulator.expectRedirect(target.instance)
        return status.isInBackground ? target.redirect(to: status.screen) : nil
    }

    /// Performs an action, then redirects (303) to the resulting screen.
    @Sendable private func performAction(_ context: RequestContext) async throws -> Response {
        let target = try await resolve(context)
        let screen = try requestedScreen(context, of: target)
        let name = context.parameters["action"] ?? ""
        if let response = try await beginSubmit(target) { return response }
        if screen.kind == .launch, name == "launch" || name == "retry" {
            return target.redirect(to: try await services.simulator.launch(target.instance).screen)
        }
        var form = try Form(context.request).firstValues
        form["csrf"] = nil
        var sensor: Device.Biometrics.Result?
        var pageResult: [String: String]?
        // Only the answer to the action's own prompt is no field.
        if let action = screen.action(name), action.hasPrompt {
            if action.biometricCheck != nil {
                sensor = form.removeValue(forKey: "sensor").flatMap(Device.Biometrics.Result.init)
            } else if form.removeValue(forKey: Self.returnField) != nil {
                pageResult = form
            }
            guard sensor != nil || pageResult != nil else {
                // The screen with the prompt over it.
                let result = try await services.simulator.preparePrompt(
                    target.instance, screen: screen.id, action: name, form: form,
                    returnURL: services.origin(of: context)
                        + target.links.returnURL(screen.id, name))
                return target.redirect(
                    to: result.screen, [("confirm", result.succeeded ? name : nil)])
            }
        }
        return target.redirect(
            to: try await services.simulator.runAction(
                target.instance, screen: screen.id, action: name, form: form, sensor: sensor,
                pageResult: pageResult
            ).screen)
    }

    /// The field that distinguishes the result of a page from the press of its button.
    private static let returnField = "returned"

    /// The end of a page that an action opened. It posts the page's result to the action: a GET
    /// changes nothing.
    @Sendable private func showReturn(_ context: RequestContext) async throws -> Response {
        let target = try await resolve(context)
        let screen = try requestedScreen(context, of: target)
        let name = context.parameters["action"] ?? ""
        guard let action = screen.action(name), action.browserPage != nil else {
            throw Problem.unknown(
                "action", "Actions of \(screen.id) with a page: ",
                available: screen.allActions.filter { $0.browserPage != nil }.map(\.name))
        }
        let builder = ScreenBuilder(
            status: try await services.simulator.status(target.instance), screen: screen,
            csrf: context.csrfToken, confirmingAction: nil, isFramed: context.isFramed,
            isStatic: false, screenLinks: target.links)
        var model = builder.build()
        model.returned = .init(
            href: target.links.actionURL(screen.id, name),
            items: [.init(name: Self.returnField, value: "1")]
                + context.target.query.map { .init(name: $0.name, value: $0.value) },
            testID: "\(screen.id).\(name).return")
        return .screen(
            try services.templates.render("screens/return", model, layout: "layouts/screen"),
            for: context, target.links, setting: target.cookie)
    }

    /// Returns the fields' current errors and password strengths while the user types.
    @Sendable private func validateFields(_ context: RequestContext) async throws -> Response {
        let screen = try requestedScreen(context, of: try await resolve(context))
        guard screen.submitAction != nil else {
            throw Problem(
                status: 404, code: "no-form", title: "This screen has no form",
                detail: "\(screen.id) has no fields to check.")
        }
        let values = try Form(context.request).firstValues
        let errors = screen.checkWhileTyping(values)
        let ratedFields = screen.fields.filter { !$0.strengthLabels.isEmpty }
        return .plainJSON([
            "errors": .object(
                errors.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
            "strengths": .object(
                ratedFields.map { field in
                    let level = field.strengthLevel(of: values[field.name] ?? "")
                    let strength = ScreenField.Strength(level: level, labels: field.strengthLabels)
                    return .init(
                        field.name,
                        ["level": .string(strength.level), "label": .string(strength.label)])
                }),
        ])
    }

    /// The requested app on a device, and the URLs of its screens there.
    private struct Target {
        let instance: AppInstance
        let links: ScreenLinks
        let cookie: String?

        func redirect(to screen: String, _ query: [(String, String?)] = []) -> Response {
            .redirect(to: Links.url(links.screenURL(screen), query), setting: cookie)
        }
    }

    /// The path's app on the path's device, or on the browser's.
    private func resolve(_ context: RequestContext) async throws -> Target {
        let id = try services.app(of: context).id
        guard let deviceID = context.parameters["device"] else {
            let (scope, cookie) = try await services.scopeResolver.resolve(context)
            return Target(instance: scope.instance(id), links: ScreenLinks(app: id), cookie: cookie)
        }
        guard let device = try await services.simulator.device(deviceID) else {
            throw Problem.unknownDevice(deviceID)
        }
        return Target(
            instance: AppInstance(workspace: device.workspace, device: device.id, app: id),
            links: ScreenLinks(app: id, device: device.id), cookie: nil)
    }

    private func requestedScreen(_ context: RequestContext, of target: Target) throws -> Screen {
        let id = context.parameters["screen"] ?? ""
        guard let screen = services.appCatalog.app(target.instance.app)?.screen(id) else {
            throw Problem.unknownScreen(id)
        }
        return screen
    }
}

extension RequestContext {
    /// Whether the page is shown in an iframe.
    var isFramed: Bool { request.headers["Sec-Fetch-Dest"] == "iframe" }

    /// Whether the user entered or bookmarked the page's URL (Fetch Metadata, Sec-Fetch-Site).
    var isEnteredURL: Bool { request.headers["Sec-Fetch-Site"] == "none" }

    /// Whether the user reloads the page. In a frame it is the page around it that is reloaded.
    var isReload: Bool {
        guard !isFramed, let value = request.headers["Cache-Control"] else { return false }
        return value.contains("max-age=0") || value.contains("no-cache")
    }
}

extension Response {
    /// A rendered app screen, with the content security policy of such a page.
    static func screen(
        _ page: [UInt8], for context: RequestContext, _ addresses: ScreenLinks,
        setting cookie: String? = nil
    ) -> Response {
        var response = Response.html(page, setting: cookie)
        response.headers["Content-Security-Policy"] = ContentSecurityPolicy.appScreen(
            at: context.request.headers["Host"] ?? "", script: Links.screenScript,
            files: Links.assets, formRoot: addresses.startURL, isFramed: context.isFramed)
        return response
    }
}

extension Services {
    /// The console's origin as this browser addresses it, `http://127.0.0.1:7070`.
    func origin(of context: RequestContext) -> String {
        "http://" + (context.request.headers["Host"] ?? "127.0.0.1:\(port)")
    }

    /// The app's own template, or the generic one.
    func template(of screen: Screen, in app: String) -> String {
        let path = "apps/\(app)/\(screen.id)"
        return templates.contains(path) ? path : "screens/plain"
    }
}

extension Problem {
    static func unknownScreen(_ id: String) -> Problem {
        unknown("screen", "The manifest has no screen \(id.prefix(40)).")
    }
}

/// What a rendered screen depends on.
private struct RenderedScreenKey: Hashable {
    let template: String
    let templatesVersion: Int
    let builder: ScreenBuilder

    func hash(into hasher: inout Hasher) {
        // What differs between browsers, devices and moments; the rest is compared.
        hasher.combine(template)
        hasher.combine(templatesVersion)
        hasher.combine(builder.csrf)
        hasher.combine(builder.status.device.id)
        hasher.combine(builder.status.screenSince)
        hasher.combine(builder.status.failure?.message)
    }
}
