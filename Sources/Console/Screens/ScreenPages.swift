import Apps
import Simulator
import Templates
import Web

/// `/apps/…`: the apps' screens on the browser's device; the same below `/devices/{device}` for a
/// device without a browser.
struct ScreenPages: Sendable {
    let services: Services

    /// Query parameters of a screen's URL.
    private static let parameterNames = ["confirm", "dismissed", "still"]

    var routes: [Route] {
        ["", "/devices/{device}"].flatMap { prefix in
            [
                Route(.get, "\(prefix)/apps/{app}", handler: start),
                Route(.get, "\(prefix)/apps/{app}/{screen}", handler: show),
                Route(.post, "\(prefix)/apps/{app}/{screen}", handler: switchTab),
                Route(.post, "\(prefix)/apps/{app}/{screen}/check", handler: validateFields),
                Route(.post, "\(prefix)/apps/{app}/{screen}/{action}", handler: performAction),
            ]
        }
    }

    /// Starts the app, or redirects to its current screen.
    @Sendable private func start(_ context: RequestContext) async throws -> Response {
        let (instance, addresses, cookie) = try await resolve(context)
        let status = try await services.simulator.status(instance)
        return .redirect(to: addresses.screenURL(status.screen), setting: cookie)
    }

    /// Shows the screen, or redirects to the one that the app shows instead.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let queryParameters = try context.query(allowing: Self.parameterNames)
        let (instance, addresses, cookie) = try await resolve(context)
        let screen = try requestedScreen(context, of: instance)
        if queryParameters["dismissed"] != nil {
            try await services.simulator.dismissAlert(instance)
        }
        let result = try await services.simulator.openScreen(instance, screen: screen.id)
        switch result {
        case .redirect(let other):
            return .redirect(
                to: Links.url(addresses.screenURL(other), [("still", queryParameters["still"])]),
                setting: cookie)
        case .show(let status):
            let model = ScreenBuilder(
                status: status, screen: screen, csrf: context.csrfToken,
                confirmingAction: queryParameters["confirm"], isFramed: context.isFramed,
                isStatic: queryParameters["still"] != nil, screenLinks: addresses
            ).build()
            let page = try services.templates.render(
                services.template(of: screen, in: instance.app), model, layout: "layouts/screen")
            return .screen(page, for: context, addresses, setting: cookie)
        }
    }

    /// Switches to another tab's screen, with the values entered in this form.
    @Sendable private func switchTab(_ context: RequestContext) async throws -> Response {
        let (instance, addresses, cookie) = try await resolve(context)
        let screen = try requestedScreen(context, of: instance)
        let targetScreen = try await services.simulator.switchTab(
            instance, to: screen.id, form: try Form(context.request).firstValues)
        return .redirect(to: addresses.screenURL(targetScreen), setting: cookie)
    }

    /// Performs an action, then redirects (303) to the resulting screen.
    @Sendable private func performAction(_ context: RequestContext) async throws -> Response {
        let (instance, addresses, cookie) = try await resolve(context)
        let screen = try requestedScreen(context, of: instance)
        let action = context.parameters["action"] ?? ""
        let result: ActionResult
        if screen.kind == .launch, action == "launch" || action == "retry" {
            result = try await services.simulator.launch(instance)
        } else {
            guard screen.action(action) != nil else {
                throw Problem(
                    status: 404, code: "unknown-action", title: "Unknown action",
                    detail: """
                        \(screen.id) has \(screen.allActions.map(\.name)
                            .joined(separator: ", ")).
                        """)
            }
            var form = try Form(context.request).firstValues
            form["csrf"] = nil
            var sensor: Device.Biometrics.Result?
            if screen.action(action)?.biometricCheck != nil {
                sensor = form.removeValue(forKey: "sensor").flatMap(Device.Biometrics.Result.init)
                guard sensor != nil else {
                    return try await showPrompt(instance, addresses, screen, action, form, cookie)
                }
            }
            result = try await services.simulator.runAction(
                instance, screen: screen.id, action: action, form: form, sensor: sensor)
        }
        return .redirect(to: addresses.screenURL(result.screen), setting: cookie)
    }

    /// Redirects to the screen with the biometric prompt over it.
    private func showPrompt(
        _ instance: AppInstance, _ addresses: ScreenLinks, _ screen: Screen, _ action: String,
        _ form: [String: String], _ cookie: String?
    ) async throws -> Response {
        let result = try await services.simulator.preparePrompt(
            instance, screen: screen.id, action: action, form: form)
        let screenURL = addresses.screenURL(result.screen)
        return .redirect(
            to: result.succeeded ? Links.url(screenURL, [("confirm", action)]) : screenURL,
            setting: cookie)
    }

    /// Returns the fields' current errors and password strengths while the user types.
    @Sendable private func validateFields(_ context: RequestContext) async throws -> Response {
        let (instance, _, _) = try await resolve(context)
        let screen = try requestedScreen(context, of: instance)
        guard screen.submitAction != nil else { throw Problem.noForm(screen) }
        let values = try Form(context.request).firstValues
        let errors = screen.checkWhileTyping(values)
        let ratedFields = screen.fields.filter { !$0.strengthLabels.isEmpty }
        return .json([
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

    /// The path's app on the path's device, or on the browser's.
    private func resolve(_ context: RequestContext) async throws -> (
        AppInstance, ScreenLinks, cookie: String?
    ) {
        let id = try services.app(of: context).id
        if let deviceID = context.parameters["device"] {
            guard let device = try await services.simulator.device(deviceID) else {
                throw Problem.unknownDevice(deviceID)
            }
            let scope = RequestScope(workspace: device.workspace, device: device)
            return (scope.instance(id), ScreenLinks(app: id, device: device.id), nil)
        }
        let (scope, cookie) = try await services.scopeResolver.resolve(context)
        return (scope.instance(id), ScreenLinks(app: id), cookie)
    }

    private func requestedScreen(_ context: RequestContext, of instance: AppInstance) throws
        -> Screen
    {
        let id = context.parameters["screen"] ?? ""
        guard let app = services.appCatalog.app(instance.app), let screen = app.screen(id) else {
            throw Problem.unknownScreen(id)
        }
        return screen
    }
}

extension RequestContext {
    /// Whether the page is shown in an iframe.
    var isFramed: Bool { request.headers["Sec-Fetch-Dest"] == "iframe" }
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
    /// The app's own template, or the generic one.
    func template(of screen: Screen, in app: String) -> String {
        let path = "apps/\(app)/\(screen.id)"
        return templates.contains(path) ? path : "screens/plain"
    }
}

extension Problem {
    static func unknownScreen(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-screen", title: "Unknown screen",
            detail: "The manifest has no screen \(id.prefix(40)).")
    }

    fileprivate static func noForm(_ screen: Screen) -> Problem {
        Problem(
            status: 404, code: "no-form", title: "This screen has no form",
            detail: "\(screen.id) has no fields to check.")
    }
}
